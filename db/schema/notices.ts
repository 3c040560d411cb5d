import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { cents, clientId, createdAt, id, instant } from "@/db/schema/columns";
import { operators } from "@/db/schema/operators";

export const NOTICE_KINDS = [
  "payment_in_review",
  "refund_waiting",
  "review_waiting",
  "credentials_waiting",
  "provider_down",
  "provider_up",
  "monitor_fired",
  "monitor_recovered",
  "webhook_failing",
  "webhook_paused",
  "webhook_recovered",
  "card_testing",
  "cards_paused",
  "payment_page",
  "chargeback",
  "refund_failed",
  "refund_approved",
  "refund_refused",
  "refund_lapsed",
  "capture_failed",
  "new_sign_in",
  "new_key",
  "member_joined",
  "role_changed",
  "limits_waiting",
  "limits_changed",
  "engine_silent",
  "engine_back",
  "flow_activated",
  "flow_guardrail",
  "review_due",
  "review_closed",
  "seller_refused",
  "bank_account_changed",
  "bank_account_waiting",
  "seller_debt",
  "subscription_unpaid",
  "mandate_canceled",
  "payout_waiting",
  "adjustment_waiting",
  "prepayment_waiting",
  "payout_file_waiting",
  "discrepancy_waiting",
  "discrepancy_opened",
  "settlement_missing",
  "batch_failed",
  "payout_returned",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

const kinds = sql.raw(`('${NOTICE_KINDS.join("','")}')`);

/** What the people of an account are told of: written with its cause, mostly by the triggers of db/policies. */
export const notices = pgTable(
  "notices",
  {
    id: id(),
    clientId: clientId(),
    kind: text({ enum: NOTICE_KINDS }).notNull(),
    /** Of one merchant: members limited to others never see it. */
    merchantId: uuid(),
    /** The connection that fails or answers again. */
    providerId: uuid(),
    /** For one person alone. */
    operatorId: uuid(),
    /** Who asked for what waits for a second person: nobody is told of their own request. */
    askedBy: uuid(),
    /** What it is called: an endpoint, a provider, a monitor. Never anything of a buyer. */
    name: text(),
    /** The colleague who did it, by name. */
    byName: text(),
    amount: cents(),
    currency: text(),
    /** The page that acts on it. */
    path: text().notNull(),
    /** On the account's clock, as it is shown. */
    at: instant().notNull(),
    createdAt: createdAt(),
    /** When it was decided who gets an e-mail of it. */
    fannedOutAt: instant(),
  },
  (t) => [
    index("notices_of_account").on(t.clientId, t.createdAt, t.id),
    index("notices_waiting").on(t.createdAt).where(sql`${t.fannedOutAt} is null`),
    index("notices_of_provider")
      .on(t.clientId, t.providerId, t.createdAt)
      .where(sql`${t.kind} in ('provider_down', 'provider_up')`),
    check("notices_kind", sql`${t.kind} in ${kinds}`),
    check("notices_path", sql`${t.path} like '/dashboard%'`),
  ],
);

/** E-mails of notices to one person: the first of a kind goes at once, those of the hour after it together. */
export const noticeMails = pgTable(
  "notice_mails",
  {
    noticeId: uuid()
      .notNull()
      .references(() => notices.id, { onDelete: "cascade" }),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    clientId: clientId(),
    kind: text({ enum: NOTICE_KINDS }).notNull(),
    createdAt: createdAt(),
    queuedAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.noticeId, t.operatorId] }),
    index("notice_mails_waiting").on(t.clientId, t.operatorId, t.kind).where(sql`${t.queuedAt} is null`),
    index("notice_mails_queued").on(t.clientId, t.operatorId, t.kind, t.queuedAt),
  ],
);

/** What a member chose to be told otherwise than by default. */
export const noticeChoices = pgTable(
  "notice_choices",
  {
    clientId: clientId(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    kind: text({ enum: NOTICE_KINDS }).notNull(),
    onDashboard: boolean().notNull(),
    byEmail: boolean().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.clientId, t.operatorId, t.kind] }),
    check("notice_choices_kind", sql`${t.kind} in ${kinds}`),
  ],
);

/** How far a member has read. */
export const noticeReads = pgTable(
  "notice_reads",
  {
    clientId: clientId(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    until: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.clientId, t.operatorId] })],
);
