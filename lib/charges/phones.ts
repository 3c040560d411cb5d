import { type SQL, sql } from "drizzle-orm";
import { PHONE_END, phoneDigits, phoneEnd } from "@/db/folded";

/** What was typed ends the number, or is ended by it: with its area and its country or without them. */
export function hasPhone(column: SQL, digits: string): SQL {
  const known = phoneDigits(column);
  return sql`(${phoneEnd(column)} = ${digits.slice(-PHONE_END)}
    and (${known} like '%' || ${digits}::text or ${digits}::text like '%' || ${known}))`;
}
