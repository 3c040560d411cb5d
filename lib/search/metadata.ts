import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { systemSql } from "@/db/client";
import { charges } from "@/db/schema/charges";
import { purchases } from "@/db/schema/purchases";
import type { Context } from "@/lib/context";
import { fewOr, MOST_NAMED, type Narrowed } from "@/lib/search/few-or";

/**
 * Row security would keep the index of the metadata out of reach (containment is not leakproof), so ids are looked up
 * beside it, by the account's own key of that index; the rows are read behind it.
 */
export async function idsByMetadata(ctx: Context, { key, value }: { key: string; value: string }): Promise<Narrowed> {
  const wanted = sql`jsonb_build_object(${key}::text, ${value}::text)`;
  const narrowed = async (table: "charges" | "purchases", id: PgColumn, metadata: PgColumn): Promise<SQL> => {
    const rows = await systemSql()<{ id: string }[]>`
      select id from ${systemSql()(table)} where client_id = ${ctx.account.id} and metadata is not null
         and metadata @> jsonb_build_object(${key}::text, ${value}::text) limit ${MOST_NAMED + 1}`;
    return fewOr(id, rows, sql`${metadata} @> ${wanted}`);
  };
  const [charge, purchase] = await Promise.all([
    narrowed("charges", charges.id, charges.metadata),
    narrowed("purchases", purchases.id, purchases.metadata),
  ]);
  return { charge, purchase };
}
