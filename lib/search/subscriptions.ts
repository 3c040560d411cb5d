import { or, type SQL, sql } from "drizzle-orm";
import { folded, foldedSql } from "@/db/folded";
import { subscriptions } from "@/db/schema/subscriptions";
import { whereIdIn } from "@/db/where-id-in";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import type { OperatorRole } from "@/lib/operators/sessions";
import { customersLike, hasWords, LONG_PATIENCE_MS, readable } from "@/lib/search/buyers";
import { ordersOf } from "@/lib/search/clues";

const MOST_BUYERS = 500;

/** Subscriptions that a text means: by their id, the merchant's own key, their name, or whose they are. */
export async function subscriptionsMeant(
  ctx: Context,
  role: OperatorRole,
  typed: string,
  patienceMs = LONG_PATIENCE_MS,
): Promise<SQL> {
  const text = readable(typed);
  const id = text.split("/").findLast(isUuid)?.toLowerCase();
  const isKey = sql`${subscriptions.referenceKey} in (${sql.join(
    [...new Set([text, ...ordersOf(text.split(/\s+/))])].map((key) => sql`${key}`),
    sql`, `,
  )})`;
  if (id) return sql`(${or(whereIdIn(subscriptions.id, [id]), whereIdIn(subscriptions.customerId, [id]), isKey)})`;
  const buyers = await customersLike(ctx, role, text, MOST_BUYERS, patienceMs);
  const isNamed = text && hasWords(foldedSql(sql`${subscriptions.name}`), folded(text));
  return sql`(${or(isKey, isNamed || undefined, buyers.length > 0 ? whereIdIn(subscriptions.customerId, buyers) : undefined)})`;
}
