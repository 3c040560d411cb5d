import type { AuthorizeInput, CallContext, CardAuth, Outcome } from "@/lib/providers/provider";
import {
  iso,
  LATE_MS,
  lost,
  neverLeft,
  raw,
  refused,
  rejected,
  SECOND_MS,
  VERY_LATE_MS,
} from "@/lib/testing/simulator/answers";
import { type Bank, type Deposit, type Entry, entryOf } from "@/lib/testing/simulator/bank";
import { plan } from "@/lib/testing/simulator/deposits";
import type { Mood } from "@/lib/testing/simulator/script";
import type { Draws } from "@/lib/testing/simulator/seeded";
import { clock } from "@/lib/testing/simulator/virtual";

export interface Scripted {
  bank: Bank;
  mood: Mood;
  seed: string;
}

/** What a call of the scripted acquirer is made with. */
export interface Acquiring {
  given: () => Scripted;
  /** The message leaves, and its answer comes back: the worker may be held up, or dead, on either side. */
  travel<T>(call: CallContext, operation: Entry["operation"], arrives: () => T): Promise<T>;
  /** The draws of a call: the same for the same call of the same schedule. */
  drawn(call: CallContext, operation: string): Draws;
  where(call: CallContext): { reference: string; chargeId: string; slot: number };
}

export function authorize(
  { given, travel, drawn, where }: Acquiring,
  call: CallContext,
  input: AuthorizeInput,
): Promise<Outcome<CardAuth>> {
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
}
