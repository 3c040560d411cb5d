import { isHandedBack } from "@/lib/charges/by-people";
import { lateOf, surplusOf } from "@/lib/charges/engine/surplus";
import type { Charge } from "@/lib/charges/queries";
import type { AttemptRow } from "@/lib/payments/attempts";

/** Money that came twice or too late, by where it is. */
export interface ExtraPayment {
  /** As the provider names it. */
  payment: string;
  amount: number;
  /** `here`: tried again by itself; `kept`: its provider cannot send it back; `handed_back`: by people, elsewhere. */
  state: "returned" | "handed_back" | "returning" | "here" | "kept";
}

const OVER: readonly ExtraPayment["state"][] = ["returned", "handed_back"];

/** Each told by the newest row about it, unless it went back before. */
export function extraPayments({ attempts }: Pick<Charge, "attempts">): ExtraPayment[] {
  const newest = new Map<string, ExtraPayment>();
  for (const attempt of attempts) {
    const payment = surplusOf(attempt) ?? lateOf(attempt);
    if (payment === undefined) continue;
    const known = newest.get(payment);
    const told = { payment, amount: attempt.amount, state: stateOf(attempt) };
    if (!known || (OVER.includes(told.state) && !OVER.includes(known.state))) newest.set(payment, told);
  }
  return [...newest.values()];
}

function stateOf(attempt: AttemptRow): ExtraPayment["state"] {
  if (isHandedBack(attempt)) return "handed_back";
  if (lateOf(attempt) !== undefined) return "kept";
  if (attempt.state === "approved") return "returned";
  return attempt.state === "sent" || attempt.state === "undetermined" ? "returning" : "here";
}

/** The first that nobody has given back, and that no attempt is giving back. */
export const stillHere = (charge: Pick<Charge, "attempts">): ExtraPayment | undefined =>
  extraPayments(charge).findLast(({ state }) => state === "here" || state === "kept");
