import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { all, type Case, needsCard, needsSplit } from "@/lib/testing/provider-conformance/case";
import {
  aCall,
  again,
  aPayment,
  aPix,
  ask,
  CANARY_CVV,
  captured,
  expectKind,
  found,
  held,
  logged,
} from "@/lib/testing/provider-conformance/rig";

const line = (recipientId: string, amount: number) => ({
  recipientId,
  amount,
  liable: true,
  processingFee: false,
  remainderFee: false,
});

export const SECURITY_CASES: readonly Case[] = [
  {
    number: 61,
    title: "split lines add up to the amount",
    notApplicable: needsSplit,
    async run(rig) {
      const split = [line("a", 70_00), line("b", 30_00)];
      await held(rig, "approve", { split });
      const call = aCall(rig, "authorize");
      const short = aPayment(rig, { split: [line("a", 70_00), line("b", 29_99)] });
      expectKind(await rig.provider.authorize(call, short), "rejected");
      expectKind(await rig.provider.createPix(aCall(rig, "pix"), aPix({ split: [line("a", 1)] })), "rejected");
      expect(await rig.received(call.chargeId)).toEqual([]);
    },
  },
  {
    number: 62,
    title: "split lines of a partial capture add up to what is captured",
    notApplicable: all(needsSplit, ({ split }) => (split && !split.onCapture ? "no split on capture" : undefined)),
    async run(rig) {
      const payment = await held(rig);
      const input = { providerTxId: payment.providerTxId, amount: 50_00, authorized: 100_00 };
      const wrong = { ...input, split: [line("a", 70_00), line("b", 30_00)] };
      expectKind(await rig.provider.capture(aCall(rig, "capture"), wrong), "rejected");
      const right = { ...input, split: [line("a", 35_00), line("b", 15_00)] };
      expectKind(await rig.provider.capture(aCall(rig, "capture"), right), "approved");
    },
  },
  {
    number: 63,
    title: "chargebacks, partial ones and won ones are seen",
    notApplicable: needsCard,
    async run(rig, { lacks }) {
      const whole = await captured(rig);
      await rig.dispute(whole.call.chargeId);
      const seen = await found(rig, whole.call);
      expect(seen).toMatchObject({ state: "charged_back", chargedBack: 100_00 });
      expect(seen.disputeReason).toBe(rig.disputeReason);
      const part = await captured(rig);
      const disputed = lacks?.partialDisputes ? 100_00 : 40_00;
      await rig.dispute(part.call.chargeId, disputed);
      expect(await found(rig, part.call)).toMatchObject({ state: "charged_back", chargedBack: disputed });
      if (lacks?.wonDisputes) return;
      await rig.winDispute(part.call.chargeId);
      const won = await found(rig, part.call);
      expect(won).toMatchObject({ state: "authorized", chargedBack: 0, captured: 100_00 });
      expect(won.disputeReason).toBeUndefined();
    },
  },
  {
    number: 64,
    title: "card data and credentials reach no log, no record and no outcome",
    notApplicable: needsCard,
    async run(rig) {
      const card = { ...rig.card("approve"), cvv: CANARY_CVV };
      const call = aCall(rig, "authorize");
      const outcome = await rig.provider.authorize(call, aPayment(rig, { card }));
      const declining = { ...rig.card("decline:generic"), cvv: CANARY_CVV };
      const declined = await rig.provider.authorize(aCall(rig, "authorize"), aPayment(rig, { card: declining }));
      const seen = JSON.stringify([
        outcome,
        declined,
        await ask(rig, call),
        await rig.received(call.chargeId),
        logged,
        call.credentials,
      ]);
      const secrets = Object.values(rig.credentials.reveal());
      for (const canary of [card.pan, declining.pan, `"${CANARY_CVV}"`, ...secrets]) expect(seen).not.toContain(canary);
    },
  },
  {
    number: 65,
    title: "two providers of one client see nothing of each other",
    notApplicable: needsCard,
    async run(rig) {
      const payment = await held(rig);
      const stranger = { providerId: randomUUID(), credentials: rig.otherSecret };
      const elsewhere = { ...again(payment.call), ...stranger };
      for (const providerTxId of [undefined, payment.providerTxId]) {
        const result = await rig.provider.query(elsewhere, {
          ...(providerTxId === undefined ? {} : { providerTxId }),
          reference: payment.call.ref,
          sentUntil: rig.clock.now(),
        });
        expect(result.kind).toBe("not_found_yet");
      }
      const input = { providerTxId: payment.providerTxId, amount: 100_00, authorized: 100_00 };
      const outcome = await rig.provider.capture(aCall(rig, "capture", stranger), input);
      expect(expectKind(outcome, "rejected").problem).toBe("not_found");
    },
  },
  {
    number: 66,
    title: "nothing can point the adapter at another host",
    run: async (rig) => expect(() => rig.pointElsewhere()).toThrow(),
  },
];
