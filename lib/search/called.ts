import { and, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { folded, foldedSql } from "@/db/folded";
import { customers } from "@/db/schema/customers";
import { merchants, providers } from "@/db/schema/merchants";
import { sessions } from "@/db/schema/sessions";
import { type SubscriptionStatus, subscriptions } from "@/db/schema/subscriptions";
import { whereIdIn } from "@/db/where-id-in";
import { type Context, now } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { shownBuyer } from "@/lib/operators/buyers";
import type { OperatorRole } from "@/lib/operators/sessions";
import { SHORTEST_BEGINNING } from "@/lib/search/beginnings";
import { hasWords } from "@/lib/search/buyers";
import { ordersOf } from "@/lib/search/clues";
import { linksLike } from "@/lib/search/links";
import { inPatience } from "@/lib/search/patience";
import { subscriptionsMeant } from "@/lib/search/subscriptions";
import { type LinkState, linkStateOf } from "@/lib/sessions/state";

export interface FoundLink {
  id: string;
  name: string;
  state: LinkState;
}

export interface FoundSubscription {
  id: string;
  name: string;
  status: SubscriptionStatus;
  buyer: string | undefined;
}

export interface FoundProvider {
  id: string;
  name: string;
  merchantId: string;
  merchant: string | null;
}

const EACH = 5;
/** More than are shown: of those found, somebody may see few. */
const MOST_LINKS = 200;

/** Payment links by their address, their order or their name. */
export async function findLinks(ctx: Context, text: string, patienceMs: number): Promise<FoundLink[]> {
  if (text.length < SHORTEST_BEGINNING) return [];
  const pasted = text.split("/").findLast(isUuid);
  const ids = pasted ? [pasted.toLowerCase()] : await linksLike(ctx, text, MOST_LINKS, patienceMs);
  const rows = await inPatience(ctx, patienceMs, (db, client) =>
    db
      .select()
      .from(sessions)
      .where(
        and(
          eq(sessions.clientId, client),
          eq(sessions.hasLink, true),
          or(whereIdIn(sessions.id, ids), inArray(sessions.orderId, ordersOf(text.split(/\s+/)))),
        ),
      )
      .orderBy(desc(sessions.createdAt), desc(sessions.id))
      .limit(EACH),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name ?? row.items[0]?.name ?? row.id,
    state: linkStateOf(row, now(ctx)),
  }));
}

export async function findSubscriptions(
  ctx: Context,
  role: OperatorRole,
  text: string,
  patienceMs: number,
): Promise<FoundSubscription[]> {
  if (text.length < SHORTEST_BEGINNING) return [];
  const meant = await subscriptionsMeant(ctx, role, text, patienceMs);
  const rows = await inPatience(ctx, patienceMs, (db, client) =>
    db
      .select({ id: subscriptions.id, name: subscriptions.name, status: subscriptions.status, customer: customers })
      .from(subscriptions)
      .leftJoin(customers, eq(customers.id, subscriptions.customerId))
      .where(and(eq(subscriptions.clientId, client), meant))
      .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id))
      .limit(EACH),
  );
  return rows.map(({ customer, ...row }) => ({ ...row, buyer: shownBuyer(role, customer)?.name }));
}

export async function findProviders(ctx: Context, text: string, patienceMs: number): Promise<FoundProvider[]> {
  if (text.length < SHORTEST_BEGINNING) return [];
  return inPatience(ctx, patienceMs, (db, client) =>
    db
      .select({ id: providers.id, name: providers.name, merchantId: providers.merchantId, merchant: merchants.name })
      .from(providers)
      .innerJoin(merchants, eq(merchants.id, providers.merchantId))
      .where(
        and(
          eq(providers.clientId, client),
          isNull(providers.deletedAt),
          isNull(merchants.deletedAt),
          isUuid(text)
            ? whereIdIn(providers.id, [text])
            : hasWords(foldedSql(sql`${providers.name} || ' ' || ${providers.kind}`), folded(text)),
        ),
      )
      .orderBy(providers.priority, providers.createdAt, providers.id)
      .limit(EACH),
  );
}
