import { type SQL, sql } from "drizzle-orm";

/**
 * What the provider kept of a charge, by the statements that settled it; null before the first of them. The fees of a
 * receivable are what sellers pay the account, and no cost of a provider.
 */
export const settledCost = (chargeId: SQL): SQL =>
  sql`(select sum(l.cost) from statement_lines l where l.charge_id = ${chargeId} and l.kind = 'settlement')`;
