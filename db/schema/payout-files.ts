import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { cents, clientId, createdAt, id, instant } from "@/db/schema/columns";
import { merchants } from "@/db/schema/merchants";

/** A remittance to a bank: made once, and the same bytes however often it is downloaded. */
export const payoutFiles = pgTable(
  "payout_files",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    /** Whose files its bank counts: COMPE code, and the agreement as the file names it. */
    bank: text().notNull(),
    agreement: text().notNull(),
    /** Its number at the bank: the files of an agreement count from 1, without a gap, whichever merchant sends them. */
    sequence: integer().notNull(),
    content: text().notNull(),
    transfers: integer().notNull(),
    amount: cents().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("payout_files_sequence").on(t.clientId, t.bank, t.agreement, t.sequence),
    index("payout_files_merchant").on(t.merchantId),
    index("payout_files_client").on(t.clientId, t.createdAt, t.id),
    check("payout_files_sequence", sql`${t.sequence} between 1 and 999999`),
    // Where the layout has them: what is sent is what is counted.
    check(
      "payout_files_header",
      sql`substr(${t.content}, 1, 3) = ${t.bank} and btrim(substr(${t.content}, 33, 20)) = ${t.agreement}
        and substr(${t.content}, 158, 6) = lpad(${t.sequence}::text, 6, '0')`,
    ),
    check("payout_files_transfers", sql`${t.transfers} > 0 and ${t.amount} > 0`),
  ],
);

/** What a bank answered: kept as it came, read once two people took it. */
export const payoutReturns = pgTable(
  "payout_returns",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    name: text().notNull(),
    /** Of the content: the same file of a merchant is the same row. */
    digest: text().notNull(),
    content: text().notNull(),
    /** Transfers that it tells of. */
    transfers: integer().notNull(),
    takenAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("payout_returns_once").on(t.merchantId, t.digest),
    index("payout_returns_client").on(t.clientId, t.createdAt, t.id),
  ],
);
