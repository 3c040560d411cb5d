import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { sellers } from "@/db/schema/sellers";
import type { Context } from "@/lib/context";
import { directionOf, offsetOf, type Page, type Paged } from "@/lib/http/pagination";

const PATIENCE_MS = 5_000;
const LIKE_SIGNS = /[%_\\]/g;

/**
 * A page of the sellers, of this account, in whose company's name it is, and how many there are: from one snapshot, and
 * by the index of all parts of names, which row security lets nobody use. `others` narrows them.
 */
export async function sellersNamed(
  { account, merchants }: Context,
  part: string,
  others: SQL | undefined,
  page: Page,
): Promise<Paged<string>> {
  const order = sql.raw(directionOf(page));
  const query = sql`
    with found as materialized (
      select id, created_at from sellers
       where ${and(
         eq(sellers.clientId, account.id),
         merchants && inArray(sellers.merchantId, [...merchants]),
         sql`lower(${sellers.businessName}) like ${`%${part.toLowerCase().replaceAll(LIKE_SIGNS, "\\$&")}%`}`,
         others,
       )}),
    page as (
      select id, created_at from found order by created_at ${order}, id ${order}
       limit ${page.limit} offset ${offsetOf(page)})
    select all_of_them.total::int as total, page.id from (select count(*) as total from found) all_of_them
      left join page on true order by page.created_at ${order}, page.id ${order}`;
  return systemDb().transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(PATIENCE_MS)}, true)`);
    const rows = await tx.execute<{ total: number; id: string | null }>(query);
    return { items: [...rows].flatMap(({ id }) => id ?? []), totalItems: rows[0]?.total ?? 0 };
  });
}
