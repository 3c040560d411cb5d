import { expect } from "vitest";
import { all, type Case, needsCard } from "@/lib/testing/provider-conformance/case";
import {
  aCall,
  again,
  aPayment,
  aPix,
  ask,
  cancel,
  capture,
  captured,
  expectKind,
  expectRefused,
  found,
  held,
  impatient,
  pastHolds,
  refund,
} from "@/lib/testing/provider-conformance/rig";

const DAY = 86_400;

const partialOnce = all(needsCard, ({ card }) =>
  card && card.partialCapture !== "once" ? `partial capture: ${card.partialCapture}` : undefined,
);
const partialRefund = all(needsCard, ({ card }) => (card && !card.partialRefund ? "no partial refunds" : undefined));

export const MODIFY_CASES: readonly Case[] = [
  {
    number: 26,
    title: "captures in full",
    notApplicable: needsCard,
    async run(rig) {
      const payment = await held(rig);
      const outcome = expectKind(await capture(rig, payment, 100_00), "approved");
      expect(outcome.data).toEqual({ captured: 100_00, released: 0 });
      expect(await found(rig, payment.call)).toMatchObject({ state: "authorized", captured: 100_00 });
    },
  },
  {
    number: 27,
    title: "captures a part once, and no second time",
    notApplicable: partialOnce,
    async run(rig) {
      const payment = await held(rig);
      const first = expectKind(await capture(rig, payment, 60_00), "approved");
      expect(first.data).toEqual({ captured: 60_00, released: 40_00 });
      expectRefused(rig, await capture(rig, payment, 40_00), "invalid_state");
      expect((await found(rig, payment.call)).captured).toBe(60_00);
    },
  },
  {
    number: 28,
    title: "refuses to capture more than is held before sending",
    notApplicable: needsCard,
    async run(rig) {
      const payment = await held(rig);
      expect(expectKind(await capture(rig, payment, 100_01), "rejected").problem).toBe("amount_exceeded");
      expect((await rig.received(payment.call.chargeId)).filter(({ operation }) => operation === "capture")).toEqual(
        [],
      );
    },
  },
  {
    number: 29,
    title: "a hold that has lapsed cannot be captured",
    notApplicable: needsCard,
    async run(rig) {
      const payment = await held(rig);
      rig.clock.advance(pastHolds(rig));
      expectRefused(rig, await capture(rig, payment, 100_00), "invalid_state");
      expect((await found(rig, payment.call)).state).toBe("expired");
    },
  },
  {
    number: 30,
    title: "a capture without an answer is settled by asking, and one repeat captures what was not",
    notApplicable: needsCard,
    async run(rig) {
      for (const [outcome, state] of [
        ["capture_timeout_captured", "authorized"],
        ["capture_timeout_not_captured", "pre_authorized"],
      ] as const) {
        const payment = await held(rig, outcome);
        const call = aCall(rig, "capture", { chargeId: payment.call.chargeId });
        const input = { providerTxId: payment.providerTxId, amount: 100_00, authorized: 100_00 };
        expectKind(await rig.provider.capture(impatient(call), input), "undetermined");
        expect((await found(rig, payment.call)).state).toBe(state);
        expectKind(await rig.provider.capture(again(call), input), "approved");
        expect(await found(rig, payment.call)).toMatchObject({ state: "authorized", captured: 100_00 });
      }
    },
  },
  {
    number: 31,
    title: "voids a pre-authorisation",
    notApplicable: needsCard,
    async run(rig) {
      const payment = await held(rig);
      expect(expectKind(await cancel(rig, payment), "approved").data.voided).toBe(100_00);
      expect((await found(rig, payment.call)).state).toBe("voided");
    },
  },
  {
    number: 32,
    title: "a second void finds its work done",
    notApplicable: needsCard,
    async run(rig) {
      const payment = await held(rig);
      expectKind(await cancel(rig, payment), "approved");
      expectKind(await cancel(rig, payment), "approved");
    },
  },
  {
    number: 33,
    title: "settled money is not voided but refunded",
    notApplicable: needsCard,
    async run(rig) {
      const today = await captured(rig, "void_refused_settled");
      const yesterday = await captured(rig);
      expect(expectKind(await cancel(rig, today, "authorized"), "rejected").problem).toBe("invalid_state");
      rig.clock.advance(DAY);
      expect(expectKind(await cancel(rig, yesterday, "authorized"), "rejected").problem).toBe("invalid_state");
      for (const payment of [today, yesterday]) {
        expectKind(await refund(rig, payment, 100_00), "approved");
        expect((await found(rig, payment.call)).state).toBe("refunded");
      }
    },
  },
  {
    number: 34,
    title: "partial refunds add up to the sale and not a cent more",
    notApplicable: partialRefund,
    async run(rig) {
      const payment = await captured(rig);
      for (const [amount, alreadyRefunded] of [
        [33_33, 0],
        [33_33, 33_33],
        [33_34, 66_66],
      ] as const) {
        expectKind(await refund(rig, payment, amount, { alreadyRefunded }), "approved");
      }
      const locally = await refund(rig, payment, 1, { alreadyRefunded: 100_00 });
      expect(expectKind(locally, "rejected").problem).toBe("amount_exceeded");
      expectRefused(rig, await refund(rig, payment, 1), "amount_exceeded");
      expect(await found(rig, payment.call)).toMatchObject({ state: "refunded", refunded: 100_00 });
    },
  },
  {
    number: 35,
    title: "a pending refund is done or fails a day later",
    notApplicable: (capabilities, { lacks }) => needsCard(capabilities) ?? lacks?.refundList,
    async run(rig, { lacks }) {
      const done = await captured(rig, "refund_pending_done");
      const failed = await captured(rig, "refund_pending_failed");
      for (const payment of [done, failed]) {
        expect(expectKind(await refund(rig, payment, 100_00), "approved").data.status).toBe("pending");
        if (lacks?.openNews) continue;
        expect(await found(rig, payment.call)).toMatchObject({ state: "refund_pending", refunded: 0 });
      }
      rig.clock.advance(DAY);
      expect(await found(rig, done.call)).toMatchObject({ state: "refunded", refunded: 100_00 });
      expect(await found(rig, failed.call)).toMatchObject({
        state: "authorized",
        refunded: 0,
        refunds: [{ amount: 100_00, status: "failed" }],
      });
    },
  },
  {
    number: 36,
    title: "a refund without balance is refused and takes nothing",
    notApplicable: needsCard,
    async run(rig) {
      const payment = await captured(rig, "refund_refused_insufficient_balance");
      const outcome = await refund(rig, payment, 100_00);
      // Some kinds receive it first, and tell by notification.
      const isLater = rig.provider.capabilities.modifications === "async" && outcome.kind === "approved";
      if (!isLater) expectKind(outcome, "declined");
      const refunds = isLater ? [{ amount: 100_00, status: "failed" }] : [];
      expect(await found(rig, payment.call)).toMatchObject({ state: "authorized", refunded: 0, refunds });
    },
  },
  {
    number: 37,
    title: "two refunds of one amount are two, and a repeat of one key is one",
    notApplicable: partialRefund,
    async run(rig, { lacks }) {
      const payment = await captured(rig);
      expectKind(await refund(rig, payment, 10_00), "approved");
      const call = aCall(rig, "refund", { chargeId: payment.call.chargeId });
      const input = { providerTxId: payment.providerTxId, amount: 10_00, captured: 100_00, alreadyRefunded: 10_00 };
      const first = expectKind(await rig.provider.refund(call, input), "approved");
      const repeat = expectKind(await rig.provider.refund(again(call), input), "approved");
      expect(repeat.data.refundId).toBe(first.data.refundId);
      const seen = await found(rig, payment.call);
      expect(seen.refunded).toBe(20_00);
      if (!lacks?.refundReferences) expect(new Set(seen.refunds.map(({ reference }) => reference)).size).toBe(2);
    },
  },
  {
    number: 38,
    title: "cancels of one transaction keep their distance",
    notApplicable: ({ cancelSpacingSec }) => (cancelSpacingSec === 0 ? "cancels need no spacing" : undefined),
    async run(rig) {
      const payment = await held(rig);
      expectKind(await cancel(rig, payment), "approved");
      expectKind(await cancel(rig, payment), "approved");
      const cancels = (await rig.received(payment.call.chargeId)).filter(({ operation }) => operation === "void");
      expect(cancels.length).toBe(1);
    },
  },
  {
    number: 39,
    title: "is found in every state",
    notApplicable: needsCard,
    async run(rig, { lacks }) {
      const pending = aCall(rig, "authorize");
      const processing = aPayment(rig, { card: rig.card("pending_forever") });
      expectKind(await rig.provider.authorize(pending, processing), "pending");
      const declined = aCall(rig, "authorize");
      const refused = aPayment(rig, { card: rig.card("decline:insufficient_funds") });
      expectKind(await rig.provider.authorize(declined, refused), "declined");
      const open = await held(rig);
      const lapsing = await held(rig);
      const voided = await held(rig);
      await cancel(rig, voided);
      const sold = await captured(rig);
      const refunding = await captured(rig, "refund_pending_done");
      const refunded = await captured(rig);
      await refund(rig, refunded, 100_00);
      const disputed = await captured(rig);
      await rig.dispute(disputed.call.chargeId);
      await refund(rig, refunding, 100_00);
      // What has not ended is told by some kinds, and by the others not yet.
      const states = lacks?.openNews ? { declined } : { pending, declined };
      for (const [state, call] of Object.entries(states)) expect((await found(rig, call)).state).toBe(state);
      expect((await found(rig, declined)).decline?.declinedCode).toBe("insufficient_funds");
      expect((await found(rig, open.call)).state).toBe("pre_authorized");
      expect((await found(rig, voided.call)).state).toBe("voided");
      expect((await found(rig, sold.call)).state).toBe("authorized");
      expect((await found(rig, refunding.call)).state).toBe(
        lacks?.openNews || lacks?.refundList ? "authorized" : "refund_pending",
      );
      expect((await found(rig, refunded.call)).state).toBe("refunded");
      expect((await found(rig, disputed.call)).state).toBe("charged_back");
      if (rig.provider.capabilities.pix) {
        const call = aCall(rig, "pix");
        const { providerTxId } = expectKind(await rig.provider.createPix(call, aPix()), "pending");
        expectKind(await rig.provider.cancelOpen(aCall(rig, "cancel_open"), { providerTxId }), "approved");
        expect((await found(rig, call)).state).toBe("canceled");
      }
      rig.clock.advance(pastHolds(rig));
      expect((await found(rig, lapsing.call)).state).toBe("expired");
    },
  },
  {
    number: 40,
    title: "tells what is not there from what may still appear",
    notApplicable: ({ lookup }) => (lookup === "strong_by_reference" ? undefined : `look-up: ${lookup}`),
    async run(rig) {
      const call = aCall(rig, "authorize");
      const question = { reference: call.ref, sentUntil: rig.clock.now() };
      expect((await ask(rig, call)).kind).toBe("not_found_yet");
      rig.clock.advance(rig.provider.capabilities.lateWindowSec);
      expect((await rig.provider.query(again(call), question)).kind).toBe("not_found_definitive");
    },
  },
  {
    number: 41,
    title: "two transactions for one reference are seen, and the extra one is voided",
    notApplicable: needsCard,
    async run(rig) {
      const call = aCall(rig, "authorize");
      const payment = aPayment(rig, { card: rig.card("replay_differs") });
      expectKind(await rig.provider.authorize(impatient(call), payment), "undetermined");
      const second = expectKind(await rig.provider.authorize(again(call), payment), "approved");
      const seen = await found(rig, call);
      expect(seen.duplicates).toEqual([second.providerTxId]);
      expect(seen.providerTxId).not.toBe(second.providerTxId);
      expectKind(await cancel(rig, { call, approved: second, providerTxId: second.providerTxId }), "approved");
      expect((await found(rig, call)).duplicates).toEqual([]);
    },
  },
];
