import type { CallContext, Outcome, PaymentProvider, QueryResult } from "@/lib/providers/provider";
import { SANDBOX_CAPABILITIES } from "@/lib/providers/sandbox/capabilities";
import { hintsOf } from "@/lib/providers/sandbox/hints";
import { secretOf } from "@/lib/providers/secret";
import {
  DAY_MS,
  done,
  iso,
  LATE_MS,
  lost,
  neverLeft,
  raw,
  refused,
  rejected,
  SECOND_MS,
} from "@/lib/testing/simulator/answers";
import { authorize, type Scripted } from "@/lib/testing/simulator/authorize";
import { type Deposit, type Entry, entryOf, NOBODY } from "@/lib/testing/simulator/bank";
import { buyersPay, dispute, found, giveBack, refund, taken } from "@/lib/testing/simulator/deposits";
import { isOnePurchase } from "@/lib/testing/simulator/orders";
import type { ChangeAnswer } from "@/lib/testing/simulator/script";
import { type Draws, drawsFor } from "@/lib/testing/simulator/seeded";
import { acting, clock } from "@/lib/testing/simulator/virtual";
import { addSeconds } from "@/lib/time";

/** An acquirer that answers by the script of the schedule: late, twice, wrongly, or not at all. */
export function scriptedProvider(given: () => Scripted): PaymentProvider {
  const times = new Map<string, number>();
  const drawn = (call: CallContext, operation: string): Draws => {
    const { bank, seed } = given();
    // As they were named when a schedule was one purchase.
    const of = isOnePurchase(Number(seed)) ? "" : `${bank.numberOf(call.chargeId)}:`;
    const name = `${seed}:${of}${hintsOf(call).slotIndex}:${operation}`;
    const nth = (times.get(name) ?? 0) + 1;
    times.set(name, nth);
    return drawsFor(`${name}:${nth}`);
  };
  const where = (call: CallContext) => ({
    reference: call.ref.providerReference,
    chargeId: call.chargeId,
    slot: hintsOf(call).slotIndex ?? 0,
  });
  /** The message leaves, and its answer comes back: the worker may be held up, or dead, on either side. */
  const travel = async <T>(call: CallContext, operation: Entry["operation"], arrives: () => T): Promise<T> => {
    const { bank } = given();
    await acting.getStore()?.reaches("send");
    bank.settle();
    bank.write({ ...entryOf(where(call), "call", operation) });
    const answer = arrives();
    await acting.getStore()?.reaches("sent");
    return answer;
  };
  const unused = (): Promise<Outcome<never>> => Promise.reject(new Error("no schedule asks for it"));

  /** A Pix or a boleto: made, and then its buyer pays in time, too late, twice, or not at all. */
  const create = (
    call: CallContext,
    method: "pix" | "boleto",
    amount: number,
    endsMs: number,
    data: object,
  ): Promise<Outcome<never>> =>
    travel(call, "open", (): Outcome<never> => {
      const { bank, mood } = given();
      const draws = drawn(call, "open");
      const answer = draws.weighted(mood.open);
      if (answer === "never_left") return neverLeft;
      if (answer === "rejected" && !bank.ofReference(where(call).reference)) return rejected("invalid_request");
      if (answer === "nothing_answer_lost") return lost(draws);
      // The same key again is the same offer: that is how it is asked what became of it.
      const open = (): Deposit => {
        const opened = bank.ofReference(where(call).reference);
        if (opened) return opened;
        const deposit = bank.open({
          ...where(call),
          providerId: call.providerId,
          asked: amount,
          state: "pending",
          method,
          endsMs,
        });
        buyersPay(bank, deposit, draws);
        return deposit;
      };
      if (answer === "arrives_late") {
        bank.under.push({ atMs: clock.atMs + draws.between(1, LATE_MS), arrives: open });
        return lost(draws);
      }
      const deposit = open();
      if (answer === "made_answer_lost") return lost(draws);
      // Guarantee: the shape of an offer; `never` only stands for whichever data the call has.
      return {
        kind: "pending",
        providerTxId: deposit.id,
        pollAfterMs: 5 * SECOND_MS,
        data: { ...data, expiresAt: iso(deposit.holdEndsMs) },
        raw,
      } as unknown as Outcome<never>;
    });

  const change = (
    call: CallContext,
    operation: "capture" | "void" | "refund",
    txId: string,
    acts: (deposit: Deposit, draws: Draws) => Outcome<never> | undefined,
    done: (deposit: Deposit) => Outcome<never>,
  ): Promise<Outcome<never>> => {
    const { bank, mood } = given();
    return travel(call, operation, () => {
      const draws = drawn(call, operation);
      const deposit = bank.byId(txId);
      if (!deposit) return rejected("not_found");
      if (deposit.slot === NOBODY) bank.wrongs.push(`${operation} was asked of what belongs to nobody`);
      const effect = (): Outcome<never> | undefined => {
        const stopped = acts(deposit, draws);
        if (!stopped) bank.write({ ...entryOf(deposit, "effect", operation), reference: call.ref.providerReference });
        return stopped;
      };
      const answer = draws.weighted<ChangeAnswer>(mood[operation]);
      switch (answer) {
        case "done":
          return effect() ?? done(deposit);
        case "done_answer_lost":
          effect();
          return lost(draws);
        case "nothing_answer_lost":
          return lost(draws);
        case "arrives_late":
          bank.under.push({ atMs: clock.atMs + draws.between(1, LATE_MS), arrives: effect });
          return lost(draws);
        case "refused":
          deposit.hasRefused = true;
          return refused;
        case "rejected":
          deposit.hasRefused = true;
          return rejected("busy");
        case "never_left":
          return neverLeft;
        case "hold_gone":
          if (deposit.state === "held") deposit.state = "expired";
          return rejected("authorization_expired");
        case "pending_done":
        case "pending_failed": {
          const stopped = effect();
          if (stopped) return stopped;
          const refund = deposit.refunds.find(({ reference }) => reference === call.ref.providerReference);
          if (!refund) return done(deposit);
          refund.status = "pending";
          const atMs = clock.atMs + DAY_MS;
          const end = answer === "pending_done" ? "done" : "failed";
          deposit.later.push({ atMs, tells: draws.chance(0.5), does: () => Object.assign(refund, { status: end }) });
          return {
            kind: "pending",
            providerTxId: deposit.id,
            pollAfterMs: DAY_MS,
            nextEventAt: iso(atMs),
            raw,
          };
        }
      }
    });
  };

  return {
    kind: "SANDBOX",
    // Sellers are there from the beginning: nothing is asked about them.
    recipients: {
      paysThem: false,
      register: unused,
      update: unused,
      sendDocument: unused,
      queryRecipient: () => Promise.reject(new Error("no schedule asks about sellers")),
    },
    capabilities: SANDBOX_CAPABILITIES,
    validateCredentials: () => ({ ok: true, value: secretOf({ apiKey: "any" }) }),
    attemptReference: (attemptId) => attemptId.replaceAll("-", ""),
    idempotencyKey: ({ attemptId, operation, sequence }) => `${attemptId}-${operation}-${sequence}`,

    authorize: (call, input) => authorize({ given, travel, drawn, where }, call, input),

    capture: (call, input) =>
      change(
        call,
        "capture",
        input.providerTxId,
        (deposit, draws) => {
          if (deposit.state !== "held") return rejected(deposit.captured > 0 ? "already_captured" : "expired");
          Object.assign(deposit, { state: "captured", captured: input.amount });
          if (draws.chance(given().mood.dispute)) dispute(given().bank, deposit, draws);
          return undefined;
        },
        (deposit) => done(deposit, input.amount, { captured: input.amount, released: 0 }),
      ),

    void: (call, input) =>
      change(
        call,
        "void",
        input.providerTxId,
        (deposit, draws) => {
          if (deposit.state === "captured") {
            const left = deposit.captured - taken(deposit);
            if (left <= 0) return undefined;
            if (deposit.chargedBack > 0 || draws.chance(0.3)) return rejected("already_settled");
            refund(deposit, call.ref.providerReference, left);
            return undefined;
          }
          if (deposit.state === "held" || deposit.state === "pending") deposit.state = "voided";
          return undefined;
        },
        (deposit) => done(deposit, input.amount, { voided: input.amount }),
      ),

    refund: (call, input) =>
      change(
        call,
        "refund",
        input.providerTxId,
        (deposit) => {
          const { providerReference } = call.ref;
          if (deposit.refunds.some(({ reference }) => reference === providerReference)) return undefined;
          if (input.paymentId !== undefined) return giveBack(deposit, providerReference, input.amount, input.paymentId);
          if (input.amount > deposit.captured - taken(deposit) - deposit.chargedBack)
            return rejected("amount_exceeded");
          refund(deposit, providerReference, input.amount);
          return undefined;
        },
        (deposit) =>
          done(deposit, input.amount, {
            refundId: `${deposit.id}:${call.ref.providerReference}`,
            refunded: input.amount,
            status: "done",
          }),
      ),

    query: (call, input) => {
      const { bank, mood } = given();
      return travel(call, "query", (): QueryResult => {
        const answer = drawn(call, "query").weighted(mood.query);
        if (answer === "unavailable") return { kind: "unavailable" };
        const deposit = input.providerTxId
          ? bank.byId(input.providerTxId)
          : bank.ofReference(input.reference.providerReference);
        if (answer === "not_found_yet") return { kind: "not_found_yet" };
        if (deposit) return found(deposit);
        const certainFrom = addSeconds(input.sentUntil, SANDBOX_CAPABILITIES.lateWindowSec);
        return { kind: call.clock.now() >= certainFrom ? "not_found_definitive" : "not_found_yet" };
      });
    },

    createPix: (call, input) =>
      create(call, "pix", input.amount, clock.atMs + input.expiresInSec * SECOND_MS, {
        txid: call.ref.providerReference,
        brCode: `brcode ${call.ref.providerReference}`,
      }),
    createBoleto: (call, input) =>
      create(call, "boleto", input.amount, Date.parse(`${input.dueDate}T23:59:59.999-03:00`), {
        line: "line",
        barcode: "barcode",
        dueDate: input.dueDate,
      }),
    createWallet: unused,
    cancelOpen: (call, input) =>
      change(
        call,
        "void",
        input.providerTxId,
        (deposit) => {
          if (deposit.state === "captured") return rejected("already_paid");
          if (deposit.state === "pending") deposit.state = "voided";
          return undefined;
        },
        (deposit) => done(deposit, deposit.asked, { voided: deposit.asked }),
      ),
    parseWebhook: (_headers, bytes) => {
      const { id, eventId } = JSON.parse(new TextDecoder().decode(bytes)) as { id: string; eventId: string };
      const deposit = given().bank.byId(id);
      if (!deposit) return { kind: "unknown_event", name: "unknown" };
      const { reference } = deposit;
      const event = { eventId, type: "changed", occurredAt: iso(clock.atMs), providerTxId: id, reference, raw };
      return { kind: "authentic", events: [event] };
    },
  };
}
