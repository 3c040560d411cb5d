import { expect } from "vitest";
import { isReplayTheQuery, isSaleOnly } from "@/lib/providers/capabilities";
import { AttemptClosed, type CallContext } from "@/lib/providers/provider";
import { all, type Case, needsCard } from "@/lib/testing/provider-conformance/case";
import {
  aCall,
  again,
  aPayment,
  ask,
  cancel,
  captured,
  expectFound,
  expectKind,
  held,
  type Rig,
  refund,
} from "@/lib/testing/provider-conformance/rig";

const replays = all(needsCard, (capabilities) =>
  isReplayTheQuery(capabilities, false) ? undefined : `look-up: ${capabilities.lookup}`,
);
const asynchronous = all(needsCard, ({ modifications }) =>
  modifications === "async" ? undefined : "changes are done when they are answered",
);
const tellsState = all(needsCard, ({ webhook, lookup }) =>
  webhook.containsState && lookup === "none" ? undefined : "its record is asked, not its notifications",
);

const deaf = (call: CallContext): CallContext => ({ ...again(call), evidence: () => Promise.resolve([]) });

/** The provider's question about one change of a payment. */
const askChange = (rig: Rig, call: CallContext, providerTxId: string) =>
  rig.provider.query(call, { providerTxId, reference: call.ref, sentUntil: rig.clock.now() });

/** What spec/adapters.md adds to the contract. */
export const CONTRACT_CASES: readonly Case[] = [
  {
    number: 67,
    title: "an id is noted before money can move, and an attempt that was settled meanwhile is not confirmed",
    notApplicable: (capabilities, { lacks }) => replays(capabilities) ?? lacks?.idBeforeMoney,
    async run(rig) {
      const noted: string[] = [];
      const call = aCall(rig, "authorize", {
        note: ({ providerTxId }) => {
          noted.push(providerTxId);
          return Promise.reject(new AttemptClosed("settled"));
        },
      });
      await expect(rig.provider.authorize(call, aPayment(rig))).rejects.toBeInstanceOf(AttemptClosed);
      expect(noted).toHaveLength(1);
      expect(await rig.authorizations(call.ref.providerReference)).toBe(0);
    },
  },
  {
    number: 68,
    title: "an interrupted authorization goes on with the id that was noted",
    notApplicable: (capabilities, { lacks }) => replays(capabilities) ?? lacks?.idBeforeMoney,
    async run(rig) {
      const noted: string[] = [];
      const call = aCall(rig, "authorize", {
        ...rig.inject("lost_before"),
        note: async ({ providerTxId }) => void noted.push(providerTxId),
      });
      expectKind(await rig.provider.authorize(call, aPayment(rig)), "undetermined");
      const [providerTxId = ""] = noted;
      const resumed = await rig.provider.authorize(again(call), aPayment(rig, { providerTxId }));
      expect(expectKind(resumed, "approved").providerTxId).toBe(providerTxId);
      expect(noted).toEqual([providerTxId]);
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    },
  },
  {
    number: 69,
    title: "without a notification only the same request tells, and it authorizes once",
    notApplicable: replays,
    async run(rig) {
      const call = aCall(rig, "authorize", rig.inject("lost_after"));
      expectKind(await rig.provider.authorize(call, aPayment(rig)), "undetermined");
      expect((await ask(rig, deaf(call))).kind).not.toBe("found");
      expectKind(await rig.provider.authorize(deaf(call), aPayment(rig)), "approved");
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    },
  },
  {
    number: 70,
    title: "stored notifications answer a query without a call",
    notApplicable: tellsState,
    async run(rig) {
      const payment = await held(rig);
      const before = (await rig.received(payment.call.chargeId)).length;
      expect(expectFound(await ask(rig, payment.call)).state).toBe("pre_authorized");
      expect(await rig.received(payment.call.chargeId)).toHaveLength(before);
    },
  },
  {
    number: 71,
    title: "a change that was received is open until a notification about it says how it ended",
    notApplicable: asynchronous,
    async run(rig) {
      const payment = await held(rig);
      const call = aCall(rig, "capture", { chargeId: payment.call.chargeId });
      const input = { providerTxId: payment.providerTxId, amount: 100_00, authorized: 100_00 };
      expectKind(await rig.provider.capture(call, input), "approved");
      const other = { ...again(call), evidence: payment.call.evidence };
      const unheard = { ...other, evidence: async () => (await payment.call.evidence()).slice(0, 1) };
      expect((await askChange(rig, unheard, payment.providerTxId)).kind).toBe("not_found_yet");
      expect(expectFound(await askChange(rig, other, payment.providerTxId))).toMatchObject({ captured: 100_00 });
    },
  },
  {
    number: 72,
    title: "a capture or void that fails later is told as refused, and the hold stands",
    notApplicable: asynchronous,
    async run(rig) {
      for (const operation of ["capture", "void"] as const) {
        const payment = await held(rig, `${operation}_fails_later`);
        const call = aCall(rig, operation, { chargeId: payment.call.chargeId, evidence: payment.call.evidence });
        const input = { providerTxId: payment.providerTxId, amount: 100_00, authorized: 100_00 };
        const outcome =
          operation === "capture"
            ? await rig.provider.capture(call, input)
            : await rig.provider.void(call, { ...input, state: "pre_authorized" });
        expectKind<unknown, "approved">(outcome, "approved");
        const found = expectFound(await askChange(rig, again(call), payment.providerTxId));
        expect(found).toMatchObject({ state: "pre_authorized", captured: 0 });
        expect(found.refused).toBeDefined();
      }
    },
  },
  {
    number: 73,
    title: "methods without an authorization alone are sold in one call, and nothing else is sent",
    notApplicable: all(needsCard, (capabilities) =>
      isSaleOnly(capabilities, "debit") ? undefined : "debit is authorized like credit",
    ),
    async run(rig) {
      const sold = await captured(rig, "approve", { method: "debit" });
      expect(sold.approved.data.captured).toBe(true);
      const call = aCall(rig, "authorize");
      expectKind(await rig.provider.authorize(call, aPayment(rig, { method: "debit", capture: false })), "rejected");
      expect(await rig.received(call.chargeId)).toEqual([]);
    },
  },
  {
    number: 74,
    title: "the network's transaction id of a first payment is given, and sent with a later one",
    notApplicable: ({ card }, { lacks }) =>
      !card ? "takes no cards" : card.recurrence ? lacks?.networkIdOfFirst : "no recurrence",
    async run(rig) {
      const first = await held(rig, "approve", { recurrence: "initial" });
      const networkTransactionId = first.approved.data.networkTransactionId ?? "";
      expect(networkTransactionId).not.toBe("");
      const later = await held(rig, "approve", {
        recurrence: "subsequent",
        buyerPresent: false,
        networkTransactionId,
      });
      expect(JSON.stringify(await rig.received(later.call.chargeId))).toContain(networkTransactionId);
    },
  },
  {
    number: 75,
    title: "test credentials reach the test host alone, and live ones the live host",
    notApplicable: ({ card }, { hosts }) =>
      !card ? "takes no cards" : hosts === 1 ? "one host serves all credentials" : undefined,
    async run(rig) {
      const live = await rig.provider.authorize(aCall(rig, "authorize", { host: "live" }), aPayment(rig));
      expect(expectKind(live, "not_sent").cause).toBe("connect_refused");
      expectKind(await rig.provider.authorize(aCall(rig, "authorize", { host: "test" }), aPayment(rig)), "approved");
    },
  },
  {
    number: 76,
    title: "an open challenge is continued with what the browser brought back",
    notApplicable: (_, { continues }) => (continues ? undefined : "the payment goes on by itself after a challenge"),
    async run(rig) {
      const threeDS = { returnUrl: "https://shop.example/back" };
      for (const [how, kind] of [
        ["authenticated", "approved"],
        ["failed", "declined"],
      ] as const) {
        const call = aCall(rig, "authorize");
        const payment = aPayment(rig, { threeDS });
        const { providerTxId, nextAction } = expectKind(await rig.provider.authorize(call, payment), "pending");
        if (!nextAction) throw new Error("a challenge says where to go");
        const details = rig.broughtBack?.(nextAction, how) ?? how;
        const input = { providerTxId, details, payment };
        for (const _ of ["first", "repeated"]) {
          const outcome = await rig.provider.continueAuthentication?.(again(call), input);
          expect(outcome?.kind).toBe(kind);
        }
        expect(await rig.authorizations(call.ref.providerReference)).toBe(kind === "approved" ? 1 : 0);
      }
    },
  },
  {
    number: 77,
    title: "void after capture is refused where it does not exist, and a refund takes its place",
    notApplicable: all(needsCard, ({ card }) =>
      card && card.voidAfterCapture === "never" ? undefined : "captured money is voided on its day",
    ),
    async run(rig) {
      const sold = await captured(rig);
      expect(expectKind(await cancel(rig, sold, "authorized"), "rejected").problem).toBe("invalid_state");
      expectKind(await refund(rig, sold, 100_00), "approved");
    },
  },
];
