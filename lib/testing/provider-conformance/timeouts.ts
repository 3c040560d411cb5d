import { expect } from "vitest";
import { AttemptClosed, type CallContext, type Outcome, type PaymentProvider } from "@/lib/providers/provider";
import { all, type Case, needsCard, needsKeys } from "@/lib/testing/provider-conformance/case";
import {
  aCall,
  again,
  aPayment,
  aPix,
  ask,
  expectKind,
  type Fault,
  found,
  impatient,
  RETRY_AFTER_SECONDS,
  type Rig,
} from "@/lib/testing/provider-conformance/rig";

const HOUR = 3600;

async function suffer(rig: Rig, fault: Fault) {
  const call = aCall(rig, "authorize", rig.inject(fault));
  return { call, outcome: await rig.provider.authorize(call, aPayment(rig)) };
}

/** Keeps the id of an attempt as the engine does: another one under the same attempt ends the call. */
function noting(): Partial<CallContext> {
  let noted: string | undefined;
  return {
    note({ providerTxId }) {
      noted ??= providerTxId;
      return noted === providerTxId ? Promise.resolve() : Promise.reject(new AttemptClosed("another id was noted"));
    },
  };
}

const closed = (error: unknown): Outcome<never> => {
  if (error instanceof AttemptClosed) return { kind: "undetermined", cause: "interrupted" };
  throw error;
};

const anyPayment = (rig: Rig, provider: PaymentProvider): Promise<Outcome<unknown>> =>
  provider.capabilities.card
    ? provider.authorize(aCall(rig, "authorize"), aPayment(rig))
    : provider.createPix(aCall(rig, "pix"), aPix());

/** The kit alone repeats an authorisation: the product never does. */
export const TIMEOUT_CASES: readonly Case[] = [
  {
    number: 13,
    title: "an answer lost after the authorisation is undetermined, and a repeat finds the same transaction",
    notApplicable: needsCard,
    async run(rig) {
      const { call, outcome } = await suffer(rig, "lost_after");
      expectKind(outcome, "undetermined");
      const seen = await found(rig, call);
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
      if (needsKeys(rig.provider.capabilities)) return;
      const repeated = expectKind(await rig.provider.authorize(again(call), aPayment(rig)), "approved");
      expect(repeated.providerTxId).toBe(seen.providerTxId);
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    },
  },
  {
    number: 14,
    title: "a request lost before processing is not found, and a repeat authorises once",
    notApplicable: needsCard,
    async run(rig) {
      const { call, outcome } = await suffer(rig, "lost_before");
      expectKind(outcome, "undetermined");
      expect((await ask(rig, call)).kind).toBe("not_found_yet");
      if (needsKeys(rig.provider.capabilities)) return;
      expectKind(await rig.provider.authorize(again(call), aPayment(rig)), "approved");
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    },
  },
  {
    number: 15,
    title: "two equal calls at once make one transaction",
    notApplicable: all(needsCard, needsKeys),
    async run(rig) {
      const call = aCall(rig, "authorize");
      const outcomes = await Promise.all([1, 2].map(() => rig.provider.authorize(again(call), aPayment(rig))));
      const ids = outcomes.map((outcome) => expectKind(outcome, "approved").providerTxId);
      expect(new Set(ids).size).toBe(1);
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    },
  },
  {
    number: 16,
    title: "the same key with another payload charges nothing",
    notApplicable: all(needsCard, needsKeys),
    async run(rig) {
      const call = aCall(rig, "authorize");
      expectKind(await rig.provider.authorize(call, aPayment(rig)), "approved");
      const other = expectKind(
        await rig.provider.authorize(again(call), aPayment(rig, { amount: 200_00 })),
        "undetermined",
      );
      expect(other.cause).toBe("replay_conflict");
      expect(await found(rig, call)).toMatchObject({ authorized: 100_00, duplicates: [] });
    },
  },
  {
    number: 17,
    title: "a key older than its lifetime is asked about, and repeating it charges nothing",
    notApplicable: ({ card, idempotency }, { lacks }) =>
      !card ? "takes no cards" : idempotency.kind === "header" ? lacks?.oldKeys : "keys do not expire",
    async run(rig) {
      const { idempotency } = rig.provider.capabilities;
      const call = aCall(rig, "authorize", noting());
      expectKind(await rig.provider.authorize(call, aPayment(rig)), "approved");
      rig.clock.advance((idempotency.kind === "header" ? idempotency.ttlHours + 1 : 0) * HOUR);
      expect((await found(rig, call)).authorized).toBe(100_00);
      const repeated = await rig.provider.authorize(again(call), aPayment(rig)).catch(closed);
      expectKind(repeated, "undetermined");
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    },
  },
  {
    number: 18,
    title: "a refused connection was not sent",
    async run(rig) {
      const outcome = await anyPayment(rig, rig.broken("refused"));
      expect(expectKind(outcome, "not_sent").cause).toBe("connect_refused");
    },
  },
  {
    number: 19,
    title: "a failed TLS handshake was not sent",
    async run(rig) {
      const outcome = await anyPayment(rig, rig.broken("tls"));
      expect(expectKind(outcome, "not_sent").cause).toBe("tls");
    },
  },
  {
    number: 20,
    title: "a server error with a body is undetermined",
    notApplicable: needsCard,
    run: async (rig) =>
      expect(expectKind((await suffer(rig, "http_500")).outcome, "undetermined").cause).toBe("http_5xx"),
  },
  {
    number: 21,
    title: "an unreadable success is undetermined",
    notApplicable: needsCard,
    run: async (rig) =>
      expect(expectKind((await suffer(rig, "truncated")).outcome, "undetermined").cause).toBe("unparseable"),
  },
  {
    number: 22,
    title: "too many requests was not sent, and says when to come back",
    notApplicable: needsCard,
    async run(rig) {
      const { outcome } = await suffer(rig, "rate_limited");
      expect(expectKind(outcome, "not_sent")).toMatchObject({
        cause: "rate_limited",
        retryAfterMs: RETRY_AFTER_SECONDS * 1000,
      });
    },
  },
  {
    number: 23,
    title: "a deadline reached in flight ends the call undetermined",
    notApplicable: needsCard,
    async run(rig) {
      const call = impatient(aCall(rig, "authorize", rig.inject("silence")));
      expect(expectKind(await rig.provider.authorize(call, aPayment(rig)), "undetermined").cause).toBe("timeout");
    },
  },
  {
    number: 24,
    title: "a success for another amount is a mismatch",
    notApplicable: needsCard,
    async run(rig) {
      const payment = aPayment(rig, { card: rig.card("amount_mismatch_minus_1") });
      const outcome = expectKind(await rig.provider.authorize(aCall(rig, "authorize"), payment), "mismatch");
      expect(outcome).toMatchObject({ field: "amount", expected: "10000", got: "9999" });
    },
  },
  {
    number: 25,
    title: "another currency is rejected before sending",
    notApplicable: needsCard,
    async run(rig) {
      const call = aCall(rig, "authorize");
      // The type forbids it; the adapter must refuse it all the same.
      const payment = { ...aPayment(rig), currency: "USD" } as unknown as ReturnType<typeof aPayment>;
      expectKind(await rig.provider.authorize(call, payment), "rejected");
      expect(await rig.received(call.chargeId)).toEqual([]);
    },
  },
];
