import { isDangling } from "@/lib/charges/engine/dangling-authorization";
import { surplusOf } from "@/lib/charges/engine/surplus";
import type { Charge } from "@/lib/charges/queries";
import type { PaymentView } from "@/lib/checkout/view";
import { sumOf } from "@/lib/money";
import type { MoneyLine } from "@/lib/payment-documents/views";
import type { AttemptRow } from "@/lib/payments/attempts";

/** What became of a payment's money, line by line: the amounts that a receipt adds up. */

/** Captured money goes back by a refund, by a void on the day of its capture, or without our asking. */
function isReturn(attempt: AttemptRow): boolean {
  switch (attempt.kind) {
    case "refund":
      return true;
    case "void":
      return !isDangling(attempt);
    case "notice":
      return attempt.requestType === "void";
    default:
      return false;
  }
}

const linesOf = (attempts: readonly AttemptRow[]): MoneyLine[] =>
  attempts.filter(({ state }) => state === "approved").map(({ amount, updatedAt }) => ({ amount, at: updatedAt }));

/** The newest first; what they add up to is the charge's refunded amount. */
export const refundLinesOf = ({ row, attempts }: Pick<Charge, "row" | "attempts">): MoneyLine[] =>
  // A void of what was never captured gave nothing back.
  row.capturedAmount > 0
    ? linesOf(attempts.filter((attempt) => isReturn(attempt) && surplusOf(attempt) === undefined))
    : [];

/** Money that came twice or too late is none of the payment's refunds. */
export const sentBackOf = ({ attempts }: Pick<Charge, "attempts">): MoneyLine[] =>
  linesOf(attempts.filter((attempt) => attempt.kind === "refund" && surplusOf(attempt) !== undefined));

/** What the bank took back, and has not returned. */
export function disputesOf({ row, attempts }: Pick<Charge, "row" | "attempts">): MoneyLine[] {
  if (row.chargedBackAmount === 0) return [];
  const told = attempts.find(({ requestType }) => requestType === "charge_back");
  return [{ amount: row.chargedBackAmount, at: told?.createdAt ?? row.updatedAt }];
}

/** The dispute of a part alone: how much of the payment, and since when. */
export function disputedPartOf({ amount, disputes }: Pick<PaymentView, "amount" | "disputes">): MoneyLine | undefined {
  const [last] = disputes;
  const disputed = sumOf(disputes.map((line) => line.amount));
  return last && disputed < amount ? { amount: disputed, at: last.at } : undefined;
}

/** When it was captured or paid; of a hold, when it was authorized. Nothing that happens later moves it. */
export function paidMomentOf({ row, attempts }: Pick<Charge, "row" | "attempts">): Date | undefined {
  if (row.capturedAt) return row.capturedAt;
  if (row.status !== "pre_authorized") return undefined;
  return attempts.find(({ kind, state }) => kind === "authorize" && state === "approved")?.updatedAt;
}
