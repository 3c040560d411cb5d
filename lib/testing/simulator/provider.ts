import type { CallContext, FoundTransaction, Outcome, PaymentProvider, QueryResult } from "@/lib/providers/provider";
import { SANDBOX_CAPABILITIES } from "@/lib/providers/sandbox/capabilities";
import { hintsOf } from "@/lib/providers/sandbox/hints";
import { secretOf } from "@/lib/providers/secret";
import { type Bank, type Deposit, type Entry, entryOf, NOBODY, refundedOf } from "@/lib/testing/simulator/bank";
import { isOnePurchase } from "@/lib/testing/simulator/orders";
import type { ChangeAnswer, Mood } from "@/lib/testing/simulator/script";
import { type Draws, drawsFor } from "@/lib/testing/simulator/seeded";
import { acting, clock } from "@/lib/testing/simulator/virtual";
import { addSeconds } from "@/lib/time";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** The provider takes a message this long after we gave up on it, and promises no more. */
const LATE_MS = 40 * SECOND_MS;
const VERY_LATE_MS = 7_200 * SECOND_MS;
const raw = { status: 200, headers: {}, body: null };
const iso = (ms: number): string => new Date(ms).toISOString();

const lost = (draws: Draws): Outcome<never> => ({
  kind: "undetermined",
  cause: draws.pick(["timeout", "connection_lost_after_send", "http_5xx", "unparseable"]),
});
const neverLeft: Outcome<never> = { kind: "not_sent", cause: "connect_refused" };
const rejected = (detail: string): Outcome<never> => ({ kind: "rejected", problem: "invalid_state", detail });
const refused: Outcome<never> = { kind: "declined", declinedCode: "generic", retry: "never", raw };

export interface Scripted {
  bank: Bank;
  mood: Mood;
  seed: string;
}

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
  const unused = (): Promise<Outcome<never>> => Promise.reject(new Error("no schedule pays with a wallet"));

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
    capabilities: SANDBOX_CAPABILITIES,
    validateCredentials: () => ({ ok: true, value: secretOf({ apiKey: "any" }) }),
    attemptReference: (attemptId) => attemptId.replaceAll("-", ""),
    idempotencyKey: ({ attemptId, operation, sequence }) => `${attemptId}-${operation}-${sequence}`,

    authorize: (call, input) => {
      const { bank, mood } = given();
      return travel(call, "authorize", () => {
        const draws = drawn(call, "authorize");
        const { reference } = where(call);
        const known = bank.log.filter((one) => one.operation === "authorize" && one.reference === reference);
        if (known.some(({ says }) => says === "taken")) bank.wrongs.push("M8: an authorisation is sent twice");
        const taken = () => bank.write({ ...entryOf(where(call), "answer", "authorize"), says: "taken" });
        const open = (state: "held" | "pending" | "declined", short = 0) => {
          const deposit = bank.open({ ...where(call), providerId: call.providerId, asked: input.amount, state, short });
          if (state === "held") plan(deposit, draws, mood);
          return deposit;
        };
        const approval = (deposit: Deposit): Outcome<never> =>
          // Guarantee: the shape of an approved authorisation; `never` only stands for whichever data the call has.
          ({
            kind: "approved",
            at: iso(clock.atMs),
            amount: deposit.authorized,
            providerTxId: deposit.id,
            data: {
              captured: false,
              installments: input.installments,
              expiresAt: iso(deposit.holdEndsMs),
              cvvChecked: false,
            },
            raw,
          }) as unknown as Outcome<never>;
        const answer = draws.weighted(mood.authorize);
        if (answer === "never_left") return neverLeft;
        taken();
        switch (answer) {
          case "approve":
            return approval(open("held"));
          case "decline":
            open("declined");
            return refused;
          case "decline_try_elsewhere":
            open("declined");
            return { kind: "declined", declinedCode: "insufficient_funds", retry: "later", raw };
          case "done_answer_lost":
            open("held");
            return lost(draws);
          case "nothing_answer_lost":
            return lost(draws);
          case "declined_answer_lost":
            open("declined");
            return lost(draws);
          case "arrives_late":
            bank.under.push({ atMs: clock.atMs + draws.between(1, LATE_MS), arrives: () => open("held") });
            return lost(draws);
          case "arrives_after_the_window":
            bank.under.push({
              atMs: clock.atMs + draws.between(2 * LATE_MS, VERY_LATE_MS),
              arrives: () => open("held"),
            });
            return lost(draws);
          case "pending_then_approved":
          case "pending_then_declined":
          case "pending_for_ever": {
            const deposit = open("pending");
            const atMs = clock.atMs + draws.between(SECOND_MS, 3_600 * SECOND_MS);
            if (answer !== "pending_for_ever") {
              const state = answer === "pending_then_approved" ? "held" : "declined";
              const wasApproved = state === "held";
              deposit.later.push({ atMs, tells: true, does: (one) => Object.assign(one, { state, wasApproved }) });
            }
            return {
              kind: "pending",
              providerTxId: deposit.id,
              pollAfterMs: 5 * SECOND_MS,
              ...(draws.chance(0.5) && answer !== "pending_for_ever" ? { nextEventAt: iso(atMs) } : {}),
              raw,
            };
          }
          case "another_amount": {
            const deposit = open("held", 1);
            if (draws.chance(0.6)) return lost(draws);
            return {
              kind: "mismatch",
              field: "amount",
              expected: String(input.amount),
              got: String(deposit.authorized),
              providerTxId: deposit.id,
              raw,
            };
          }
          case "rejected":
            return rejected("invalid_request");
          case "reversed_by_provider":
            open("held").state = "voided";
            return lost(draws);
        }
      });
    },

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

/** Taken back or about to be. */
const taken = ({ refunds }: Deposit): number =>
  refunds
    .filter(({ status, paymentId }) => status !== "failed" && paymentId === undefined)
    .reduce((sum, { amount }) => sum + amount, 0);

const refund = (deposit: Deposit, reference: string, amount: number): void => {
  deposit.refunds.push({ id: `${deposit.id}:${reference}`, reference, amount, status: "done", atMs: clock.atMs });
};

/** Of a payment that came on top: as much as came, once. */
function giveBack(deposit: Deposit, reference: string, amount: number, paymentId: string): Outcome<never> | undefined {
  const paid = deposit.payments.find(({ id }) => id === paymentId);
  const given = deposit.refunds.filter((one) => one.paymentId === paymentId && one.status !== "failed");
  const left = (paid?.amount ?? 0) - given.reduce((sum, one) => sum + one.amount, 0);
  if (!paid?.isSurplus || amount > left) return rejected("amount_exceeded");
  const id = `${deposit.id}:${reference}`;
  deposit.refunds.push({ id, reference, amount, status: "done", atMs: clock.atMs, paymentId });
  return undefined;
}

/** Most pay in time; some too late, some twice. What is told of it may be lost, and then has to be found by asking. */
function buyersPay(bank: Bank, deposit: Deposit, draws: Draws): void {
  const openMs = deposit.holdEndsMs - clock.atMs;
  const pay = (atMs: number, tells: boolean) =>
    deposit.later.push({ atMs, tells, does: (one) => bank.pay(one, one.asked) });
  const isTwice = draws.chance(0.08);
  const inTime = (): number => clock.atMs + Math.floor(draws.number() * openMs);
  if (draws.chance(0.65)) pay(inTime(), isTwice || draws.chance(0.7));
  if (isTwice) pay(inTime(), true);
  if (draws.chance(0.07)) pay(deposit.holdEndsMs + draws.between(SECOND_MS, 3_600 * SECOND_MS), true);
}

function plan(deposit: Deposit, draws: Draws, mood: Mood): void {
  if (!draws.chance(mood.reversal)) return;
  const atMs = clock.atMs + draws.between(SECOND_MS, 2 * DAY_MS);
  const does = (one: Deposit) => {
    if (one.state === "held") one.state = "voided";
  };
  deposit.later.push({ atMs, does, tells: draws.chance(0.8) });
}

function dispute(bank: Bank, deposit: Deposit, draws: Draws): void {
  const atMs = clock.atMs + draws.between(3_600 * SECOND_MS, 3 * DAY_MS);
  const isWon = draws.chance(0.4);
  deposit.later.push({
    atMs,
    tells: true,
    does: (one) => {
      one.chargedBack = one.captured - taken(one);
      if (isWon && one.chargedBack > 0) {
        const wonAtMs = clock.atMs + DAY_MS;
        one.later.push({ atMs: wonAtMs, tells: true, does: (one) => win(bank, one) });
      }
    },
  });
}

function win(bank: Bank, deposit: Deposit): void {
  deposit.chargedBack = 0;
  bank.won.add(deposit.id);
}

const done = (deposit: Deposit, amount: number, data: object): Outcome<never> =>
  // Guarantee: each caller gives the data of its own call.
  ({ kind: "approved", at: iso(clock.atMs), amount, providerTxId: deposit.id, data, raw }) as unknown as Outcome<never>;

const STATE = {
  pending: "pending",
  held: "pre_authorized",
  voided: "voided",
  expired: "expired",
  declined: "declined",
} as const;

function stateOf(deposit: Deposit): FoundTransaction["state"] {
  if (deposit.method !== "card" && deposit.state === "voided") return "canceled";
  if (deposit.state !== "captured") return STATE[deposit.state];
  if (deposit.chargedBack > 0) return "charged_back";
  if (deposit.refunds.some(({ status }) => status === "pending")) return "refund_pending";
  return refundedOf(deposit) >= deposit.captured ? "refunded" : "authorized";
}

function found(deposit: Deposit): FoundTransaction {
  // When a buyer pays, nobody knows before.
  const isOffer = deposit.method !== "card";
  const ends = deposit.state === "pending" ? [deposit.holdEndsMs] : [];
  const next = isOffer ? ends : deposit.later.filter(({ tells }) => tells).map(({ atMs }) => atMs);
  return {
    kind: "found",
    providerTxId: deposit.id,
    state: stateOf(deposit),
    authorized: deposit.authorized,
    captured: deposit.captured,
    refunded: refundedOf(deposit),
    chargedBack: deposit.chargedBack,
    currency: "BRL",
    reference: deposit.reference,
    duplicates: [],
    refunds: deposit.refunds.map(({ id, reference, amount, status, atMs }) => ({
      refundId: id,
      reference,
      amount,
      status,
      at: iso(atMs),
    })),
    payments: deposit.payments.map(({ id, amount, atMs, isSurplus }) => ({
      paymentId: id,
      amount,
      paidAt: iso(atMs),
      surplus: isSurplus,
    })),
    ...(deposit.state === "declined" ? { decline: { declinedCode: "generic", retry: "never" } } : {}),
    ...(deposit.state === "held" || deposit.method !== "card" ? { expiresAt: iso(deposit.holdEndsMs) } : {}),
    ...(next.length > 0 ? { nextEventAt: iso(Math.min(...next)) } : {}),
    raw,
  };
}
