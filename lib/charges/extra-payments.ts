import { surplusOf } from "@/lib/charges/engine/surplus";
import type { Charge } from "@/lib/charges/queries";

/** Money that came twice or too late, by where it is. */
export interface ExtraPayment {
  amount: number;
  state: "returned" | "returning" | "here";
}

/** Each told by the newest attempt to give it back. */
export function extraPayments({ attempts }: Pick<Charge, "attempts">): ExtraPayment[] {
  const newest = new Map<string, ExtraPayment>();
  for (const attempt of attempts) {
    const payment = surplusOf(attempt);
    if (payment === undefined || newest.get(payment)?.state === "returned") continue;
    const { amount, state } = attempt;
    if (state === "approved") newest.set(payment, { amount, state: "returned" });
    else if (newest.has(payment)) continue;
    else newest.set(payment, { amount, state: state === "sent" || state === "undetermined" ? "returning" : "here" });
  }
  return [...newest.values()];
}
