import type { sessions } from "@/db/schema/sessions";

export type SessionRow = typeof sessions.$inferSelect;

/** How often it may be paid in all; null without a limit. */
export const capacityOf = ({ maxPayments }: Pick<SessionRow, "maxPayments">): number | null =>
  maxPayments === UNLIMITED ? null : (maxPayments ?? 1);

export const UNLIMITED = -1;

export const isOneToOne = ({ maxPayments }: Pick<SessionRow, "maxPayments">): boolean => maxPayments === null;

export const isPastDue = ({ dueAt }: Pick<SessionRow, "dueAt">, at: Date): boolean => dueAt !== null && dueAt <= at;

const isUsedUp = (row: SessionRow): boolean => {
  const capacity = capacityOf(row);
  return capacity !== null && row.paymentCount >= capacity;
};

/** Used, or taken by payments that may still come. */
export const isFull = (row: SessionRow): boolean => {
  const capacity = capacityOf(row);
  return capacity !== null && row.paymentCount + row.pendingCount >= capacity;
};

export const MULTIPLE_PAYMENTS_STATUSES = ["active", "disabled", "canceled"] as const;
export type MultiplePaymentsStatus = (typeof MULTIPLE_PAYMENTS_STATUSES)[number];

export const paymentsStatusOf = (row: SessionRow, at: Date): MultiplePaymentsStatus => {
  if (row.status === "canceled" || row.status === "voided") return "canceled";
  return !row.isActive || isPastDue(row, at) || isUsedUp(row) ? "disabled" : "active";
};

/** spec/contract.md 9.2. */
export const multiplePaymentsOf = (row: SessionRow, at: Date) => ({
  allow: row.maxPayments !== null,
  maxPayments: row.maxPayments,
  paymentCount: row.paymentCount,
  pendingCount: row.pendingCount,
  status: paymentsStatusOf(row, at),
});

export type LinkState = "open" | "in_use" | "paid" | "limit_reached" | "expired" | "off" | "canceled" | "voided";

/** What the link's page is about at this instant (design/checkout.md 3.1). */
export function linkStateOf(row: SessionRow, at: Date): LinkState {
  if (row.status === "canceled" || row.status === "voided") return row.status;
  if (row.status === "paid") return isOneToOne(row) ? "paid" : "limit_reached";
  // A payment that runs is shown even when the link has run out meanwhile: its buyer comes back to it.
  if (isOneToOne(row) && row.pendingCount > 0) return "in_use";
  if (isPastDue(row, at)) return "expired";
  if (!row.isActive) return "off";
  return isFull(row) ? "limit_reached" : "open";
}
