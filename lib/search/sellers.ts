import { type SQL, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { SHORTEST_BEGINNING } from "@/lib/search/beginnings";
import { LONG_PATIENCE_MS, readable } from "@/lib/search/buyers";

const DIGITS_ONLY = /^[\d.\-/]+$/;
const LIKE_SIGNS = /[%_\\]/g;

/**
 * Ids of sellers whose id, document, e-mail or name at a provider it is, or of whose own name it is a part. Beside row
 * security, as for buyers: the rows are read behind it.
 */
export async function sellersLike(
  { account }: Context,
  typed: string,
  most: number,
  patienceMs = LONG_PATIENCE_MS,
): Promise<string[]> {
  const text = readable(typed);
  if (isUuid(text)) return [text];
  if (text.length < SHORTEST_BEGINNING) return [];
  const own = sql`s.client_id = ${account.id} and s.deleted_at is null`;
  const found = (condition: SQL) => sql`(select s.id from sellers s where ${own} and ${condition} limit ${most})`;
  const lower = text.toLowerCase();
  const query = DIGITS_ONLY.test(text)
    ? found(sql`s.document_number = ${text.replaceAll(/\D/g, "")}`)
    : sql`${found(sql`s.owner_email = ${lower}`)} union ${found(sql`s.business_email = ${lower}`)}
        union (select r.seller_id from seller_registrations r join sellers s on s.id = r.seller_id
                where r.client_id = ${account.id} and r.external_id = ${text} and ${own} limit ${most})
        union ${found(sql`lower(s.owner_name || ' ' || coalesce(s.business_name, '')) like ${`%${lower.replaceAll(LIKE_SIGNS, "\\$&")}%`}`)}`;
  return systemDb().transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
    const rows = await tx.execute<{ id: string }>(query);
    return [...rows].map(({ id }) => id).slice(0, most);
  });
}
