import { sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { folded, foldedSql } from "@/db/folded";
import { paymentsNamed } from "@/lib/charges/search";
import { type Context, inSnapshot } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import type { OperatorRole } from "@/lib/operators/sessions";
import { SHORTEST_BEGINNING } from "@/lib/search/beginnings";
import { customersLike, hasWords, LONG_PATIENCE_MS, readable } from "@/lib/search/buyers";
import { ordersOf } from "@/lib/search/clues";
import { heldBy } from "@/lib/search/holders";
import { paidByNamed } from "@/lib/search/payers";

const WORDS = foldedSql(sql`coalesce(name, '') || ' ' || coalesce(description, '')`);

/** Ids of links whose name or description has the words; beside row security, as for buyers. */
export async function linksLike(
  { account }: Context,
  typed: string,
  most: number,
  patienceMs = LONG_PATIENCE_MS,
): Promise<string[]> {
  const text = folded(readable(typed));
  if (text.length < SHORTEST_BEGINNING) return [];
  return systemDb().transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
    const rows = await tx.execute<{ id: string }>(sql`
      select id from sessions where client_id = ${account.id} and has_link and ${hasWords(WORDS, text)} limit ${most}`);
    return [...rows].map(({ id }) => id);
  });
}

/** Ids of links that a text means: by their address, their order, their name, or whom they are for or who paid them. */
export async function linksMeant(ctx: Context, role: OperatorRole, typed: string, most: number): Promise<string[]> {
  const text = readable(typed);
  const pasted = text.split("/").findLast(isUuid);
  if (pasted) return [pasted];
  const [named, buyers, paid, held] = await Promise.all([
    linksLike(ctx, text, most),
    customersLike(ctx, role, text, most),
    paidByNamed(ctx, role, text),
    heldBy(ctx, role, text),
  ]);
  const payments = [...paid, ...(held?.charge.ids ?? []), ...(held?.purchase.ids ?? [])];
  const orders = ordersOf(text.split(/\s+/));
  const client = ctx.account.id;
  const found = await inSnapshot(ctx, ({ db }) =>
    db.execute<{ id: string }>(sql`
      (select id from sessions where client_id = ${client} and order_id in (${sql.join(
        orders.map((order) => sql`${order}`),
        sql`, `,
      )}) limit ${most})
      union
      (select id from sessions where client_id = ${client} and customer_id in (${paymentsNamed(buyers)}) limit ${most})
      union
      (select session_id from charges where session_id is not null and id in (${paymentsNamed(payments)}) limit ${most})
      union
      (select session_id from purchases where session_id is not null and id in (${paymentsNamed(payments)}) limit ${most})`),
  );
  return [...new Set([...named, ...found.map(({ id }) => id)])].slice(0, most);
}
