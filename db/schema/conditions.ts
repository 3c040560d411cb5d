import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/** What partial indexes hold, in the words that a statement has to be asked with to be answered by one. */

interface Columns {
  status: AnyPgColumn;
  capturedAmount: AnyPgColumn;
  refundedAmount: AnyPgColumn;
}

/** Of a charge whose money was refunded wholly or in part, or is on its way back; what is asked so is found by its index. */
export const isRefunded = (t: Columns): SQL =>
  sql`(${t.refundedAmount} > 0 or (${t.status} = 'refund_pending' and ${t.capturedAmount} > 0))`;

/** Of an attempt that its provider knows by something else than its id, with or without dashes. */
export const isOtherThanId = (t: { id: AnyPgColumn; reference: AnyPgColumn }): SQL =>
  sql`replace(${t.reference}, '-', '') <> replace(${t.id}::text, '-', '')`;
