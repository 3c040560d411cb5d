import { REPORT_TYPES, type ReportType } from "@/db/schema/reports";
import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** A report shows what its list shows, to whoever may see that (design/dashboard.md 2.1). */
const SHOWN_BY: Readonly<Record<ReportType, Right>> = {
  transactions: "payments.see",
  transactionsHistory: "payments.see",
  purchases: "payments.see",
  sessions: "payments.see",
  disputes: "disputes.see",
  receivables: "payouts.see",
  payout_orders: "payouts.see",
  payout_batches: "payouts.see",
  prepayments: "payouts.see",
  ledger: "ledger.see",
  subscriptions: "subscriptions.see",
  sellers: "sellers.see",
  customers: "payments.see",
  deliveries: "webhooks.see",
};

export const mayReport = (role: OperatorRole, type: ReportType): boolean =>
  may(role, "reports.create") && may(role, SHOWN_BY[type]);

export const typesFor = (role: OperatorRole): ReportType[] => REPORT_TYPES.filter((type) => mayReport(role, type));
