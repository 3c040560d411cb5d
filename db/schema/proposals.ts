import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { clientId, createdAt, id, instant } from "@/db/schema/columns";
import { merchants } from "@/db/schema/merchants";

/** Decisions on money that one person asks for and another one approves. */
export const PROPOSAL_KINDS = [
  "payout_paid",
  "payout_failed",
  "payout_returned",
  "payout_file",
  "payout_return",
  "break_closed",
  "adjustment",
] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

const kinds = sql.raw(`('${PROPOSAL_KINDS.join("','")}')`);

/** What the first of two people asked for; nothing of it is done before the second approves. */
export const moneyProposals = pgTable(
  "money_proposals",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    kind: text({ enum: PROPOSAL_KINDS }).notNull(),
    /** The batch, the break or the seller. */
    subjectId: uuid().notNull(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    /** In the words of who asked. */
    reason: text().notNull(),
    askedBy: uuid().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    endedAt: instant(),
    endedBy: uuid(),
    outcome: text({ enum: ["approved", "refused", "replaced"] }),
  },
  (t) => [
    // Of a batch or a break only one is asked for at a time; a seller may have several adjustments.
    uniqueIndex("money_proposals_open").on(t.subjectId).where(sql`${t.endedAt} is null and ${t.kind} <> 'adjustment'`),
    index("money_proposals_waiting").on(t.clientId, t.createdAt).where(sql`${t.endedAt} is null`),
    check("money_proposals_kind", sql`${t.kind} in ${kinds}`),
    check("money_proposals_end", sql`num_nonnulls(${t.endedAt}, ${t.outcome}) <> 1`),
    check("money_proposals_two_people", sql`${t.outcome} <> 'approved' or ${t.endedBy} <> ${t.askedBy}`),
  ],
);
