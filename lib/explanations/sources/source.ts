import { type SQL, sql } from "drizzle-orm";

/** A figure as its owner states it, and the rows that should add up to it. */
export interface Explained {
  value: number;
  currency: string;
  /**
   * A select of ROW's columns. It is read where the figure is, in one snapshot, and may say more rows than a page
   * holds.
   */
  rows: SQL;
}

/** One row: what it adds, and what it came from. */
export const row = (columns: {
  id: SQL;
  at: SQL;
  type: SQL;
  amount: SQL;
  sourceType: string;
  sourceId: SQL;
  chargeId?: SQL;
  installment?: SQL;
  journalId?: SQL;
  ruleId?: SQL;
}): SQL => {
  const none = sql`null`;
  return sql`${columns.id}::text as id, ${columns.at}::timestamptz as at, ${columns.type}::text as type,
    (${columns.amount})::bigint as amount, ${columns.sourceType}::text as source_type,
    ${columns.sourceId}::text as source_id, ${columns.chargeId ?? none}::uuid as charge_id,
    ${columns.installment ?? none}::int as installment, ${columns.journalId ?? none}::uuid as journal_id,
    ${columns.ruleId ?? none}::uuid as rule_id`;
};

/** What a receivable leaves after its fees. */
export const NET = sql`r.gross - r.fee - r.anticipation_fee`;

/** A row that a receivable `r` stands behind. */
export const ofReceivable = (amount: SQL, also: { ruleId?: SQL } = {}): SQL =>
  row({
    id: sql`r.id`,
    at: sql`r.created_at`,
    type: sql`r.type`,
    amount,
    sourceType: "receivable",
    sourceId: sql`r.id`,
    chargeId: sql`r.charge_id`,
    installment: sql`r.installment`,
    journalId: sql`r.journal_id`,
    ...also,
  });

/** The row of prices by which a seller paid for its share of a charge. */
export const rateOf = (charge: SQL, seller: SQL): SQL =>
  sql`(select s.rate_id from split_rules s where s.charge_id = ${charge} and s.seller_id = ${seller} limit 1)`;
