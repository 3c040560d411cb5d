import { NOTICE_KINDS, type NoticeKind } from "@/db/schema/notices";
import { may, type OperatorRole, type Right } from "@/lib/operators/permissions";

export type { NoticeKind } from "@/db/schema/notices";

interface Kind {
  /** Who may know of it; a person's own notices are theirs whatever they may. */
  right: Right;
  /** By default. */
  byEmail: boolean;
  /** It has a letter of its own, which says more. */
  hasOwnLetter?: true;
  /** Nobody turns off what tells of a stranger at the door. */
  isAlwaysMailed?: true;
}

export const NOTICES: Readonly<Record<NoticeKind, Kind>> = {
  payment_in_review: { right: "reviews.resolve", byEmail: true },
  refund_waiting: { right: "payments.refund", byEmail: true },
  review_waiting: { right: "reviews.resolve", byEmail: true },
  credentials_waiting: { right: "merchants.edit", byEmail: true },
  provider_down: { right: "payments.see", byEmail: false },
  provider_up: { right: "payments.see", byEmail: false },
  monitor_fired: { right: "monitors.see", byEmail: true },
  monitor_recovered: { right: "monitors.see", byEmail: false },
  webhook_failing: { right: "webhooks.see", byEmail: true, hasOwnLetter: true },
  webhook_paused: { right: "webhooks.see", byEmail: true, hasOwnLetter: true },
  webhook_recovered: { right: "webhooks.see", byEmail: false },
  card_testing: { right: "protection.edit", byEmail: true },
  cards_paused: { right: "protection.edit", byEmail: true },
  payment_page: { right: "protection.edit", byEmail: true },
  chargeback: { right: "disputes.see", byEmail: true },
  refund_failed: { right: "payments.refund", byEmail: true },
  refund_approved: { right: "payments.refund", byEmail: true },
  refund_refused: { right: "payments.refund", byEmail: true },
  refund_lapsed: { right: "payments.refund", byEmail: true },
  capture_failed: { right: "payments.see", byEmail: true },
  new_sign_in: { right: "payments.see", byEmail: true, hasOwnLetter: true, isAlwaysMailed: true },
  new_key: { right: "keys.manage", byEmail: true },
  member_joined: { right: "team.manage", byEmail: true },
  role_changed: { right: "team.manage", byEmail: true },
  limits_waiting: { right: "team.manage", byEmail: true },
  limits_changed: { right: "team.manage", byEmail: true },
  engine_silent: { right: "keys.manage", byEmail: true },
  engine_back: { right: "keys.manage", byEmail: false },
  flow_activated: { right: "flows.see", byEmail: false },
  flow_guardrail: { right: "flows.see", byEmail: true },
  review_due: { right: "sellers.edit", byEmail: true },
  review_closed: { right: "sellers.edit", byEmail: false },
  seller_refused: { right: "sellers.edit", byEmail: true },
  bank_account_changed: { right: "sellers.bank", byEmail: true },
  bank_account_waiting: { right: "sellers.bank", byEmail: true },
  seller_debt: { right: "finance.adjust", byEmail: true },
  subscription_unpaid: { right: "subscriptions.see", byEmail: true },
  mandate_canceled: { right: "subscriptions.see", byEmail: true },
  payout_waiting: { right: "payouts.mark", byEmail: true },
  adjustment_waiting: { right: "finance.adjust", byEmail: true },
  prepayment_waiting: { right: "prepayment.commit", byEmail: true },
  payout_file_waiting: { right: "payouts.mark", byEmail: true },
  discrepancy_waiting: { right: "finance.settle", byEmail: true },
  discrepancy_opened: { right: "finance.see", byEmail: true },
  settlement_missing: { right: "finance.see", byEmail: true },
  batch_failed: { right: "payouts.see", byEmail: true },
  payout_returned: { right: "payouts.see", byEmail: true },
};

/** What somebody of this role may be told of, in the order of the table. */
export const kindsFor = (role: OperatorRole): NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => kind === "new_sign_in" || may(role, NOTICES[kind].right));

export interface NoticeChoice {
  onDashboard: boolean;
  byEmail: boolean;
}

export const usualChoice = (kind: NoticeKind): NoticeChoice => ({ onDashboard: true, byEmail: NOTICES[kind].byEmail });
