import { inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { systemSql } from "@/db/client";
import { charges } from "@/db/schema/charges";
import { purchases } from "@/db/schema/purchases";
import type { Context } from "@/lib/context";

/** Up to here the ids are named; what more carry is common enough to be met while walking the list. */
const MOST_NAMED = 2_000;

/**
 * Row security would keep the index of the metadata out of reach (containment is not leakproof), so ids are looked up
 * beside it, by the account's own key of that index; the rows are read behind it.
 */
export async function idsByMetadata(
  ctx: Context,
  { key, value }: { key: string; value: string },
): Promise<{ charge: SQL; purchase: SQL }> {
  const wanted = sql`jsonb_build_object(${key}::text, ${value}::text)`;
  const narrowed = async (table: "charges" | "purchases", id: PgColumn, metadata: PgColumn): Promise<SQL> => {
    const rows = await systemSql()<{ id: string }[]>`
      select id from ${systemSql()(table)} where client_id = ${ctx.account.id} and metadata is not null
         and metadata @> jsonb_build_object(${key}::text, ${value}::text) limit ${MOST_NAMED + 1}`;
    if (rows.length > MOST_NAMED) return sql`${metadata} @> ${wanted}`;
    return rows.length === 0
      ? sql`false`
      : inArray(
          id,
          rows.map((row) => row.id),
        );
  };
  const [charge, purchase] = await Promise.all([
    narrowed("charges", charges.id, charges.metadata),
    narrowed("purchases", purchases.id, purchases.metadata),
  ]);
  return { charge, purchase };
}
