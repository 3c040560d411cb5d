import { sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { buyerHash } from "@/lib/buyer-hash";
import { isAnswered } from "@/lib/charges/search";
import { type MeantTerm, readSearch, type SearchTerm } from "@/lib/charges/search-terms";
import type { Context } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { LONG_PATIENCE_MS } from "@/lib/search/buyers";
import { MOST_NAMED } from "@/lib/search/few-or";

/**
 * Whoever pays by card on a link is no customer: payments of an e-mail or a document are looked up beside those of
 * customers, without row security first, and read under it.
 */
export const withPayers = (
  ctx: Context,
  role: OperatorRole,
  terms: readonly (readonly SearchTerm[])[],
  patienceMs?: number,
): Promise<(readonly MeantTerm[])[]> =>
  Promise.all(
    terms.map(async (each) => {
      const paid = await paidBy(ctx, role, each, patienceMs);
      return paid.length > 0 ? [...each, { kind: "payments" as const, value: paid.join(",") }] : each;
    }),
  );

/** The same of a text that names one buyer whole. */
export const paidByNamed = (ctx: Context, role: OperatorRole, typed: string): Promise<string[]> =>
  paidBy(ctx, role, readSearch(typed), undefined);

/** The newest, of charges and of purchases. */
async function paidBy(
  ctx: Context,
  role: OperatorRole,
  terms: readonly SearchTerm[],
  patienceMs = LONG_PATIENCE_MS,
): Promise<string[]> {
  const client = ctx.account.id;
  const queries = terms.flatMap(({ kind, value }) => {
    if (!isAnswered(role, kind)) return [];
    if (kind === "email")
      return [
        sql`select payment_id as id, created_at from payment_buyers
             where client_id = ${client} and email = ${value.toLowerCase()}`,
      ];
    if (kind !== "document") return [];
    return [
      sql`select coalesce(charge_id, purchase_id) as id, created_at from checkout_attempts
           where client_id = ${client} and buyer = ${buyerHash(ctx, value)} and start_id is null`,
      sql`select purchase_id as id, created_at from purchase_payments
           where client_id = ${client} and holder is not null and holder #>> '{document,number}' = ${value}`,
    ];
  });
  if (queries.length === 0) return [];
  return systemDb().transaction(async (db) => {
    await db.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
    const rows = await db.execute<{ id: string }>(sql`
      select id from (${sql.join(queries, sql` union all `)}) paid order by created_at desc limit ${MOST_NAMED}`);
    return [...new Set([...rows].map(({ id }) => id))];
  });
}
