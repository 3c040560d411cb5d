import { and, asc, eq, or, type SQL, sql } from "drizzle-orm";
import { isOneOf } from "@/db/literals";
import { providerNotifications, transactionRequests } from "@/db/schema/charges";
import { sellerRegistrations } from "@/db/schema/sellers";
import { subscriptionMandates } from "@/db/schema/subscriptions";
import { type Context, inTransaction } from "@/lib/context";
import { isReferredToBy, OPEN_STATES } from "@/lib/payments/attempts";
import type { ProviderEvent } from "@/lib/providers/notification";

/** The charge a provider speaks of, by our reference or by its own word for the transaction. */
export async function chargeOfEvent(
  ctx: Context,
  providerId: string,
  { reference, providerTxId }: ProviderEvent,
): Promise<string | undefined> {
  const named: SQL[] = [];
  if (reference !== undefined) named.push(isReferredToBy(reference));
  if (providerTxId !== undefined) named.push(eq(transactionRequests.transactionId, providerTxId));
  if (named.length === 0) return undefined;
  const [row] = await ctx.db
    .select({ chargeId: transactionRequests.chargeId })
    .from(transactionRequests)
    .where(
      and(
        eq(transactionRequests.clientId, ctx.account.id),
        eq(transactionRequests.providerId, providerId),
        or(...named),
      ),
    )
    .limit(1);
  return row?.chargeId ?? undefined;
}

/** The registration of a seller that a provider speaks of. */
export async function registrationOfEvent(
  ctx: Context,
  providerId: string,
  { recipientId }: ProviderEvent,
): Promise<string | undefined> {
  if (recipientId === undefined) return undefined;
  const [row] = await ctx.db
    .select({ id: sellerRegistrations.id })
    .from(sellerRegistrations)
    .where(
      and(
        eq(sellerRegistrations.clientId, ctx.account.id),
        eq(sellerRegistrations.externalId, recipientId),
        eq(sellerRegistrations.providerId, providerId),
      ),
    )
    .limit(1);
  return row?.id;
}

/** The buyer's authorization that a provider speaks of, while it stands. */
export async function mandateOfEvent(
  ctx: Context,
  providerId: string,
  { mandateId }: ProviderEvent,
): Promise<string | undefined> {
  if (mandateId === undefined) return undefined;
  const [row] = await ctx.db
    .select({ id: subscriptionMandates.id })
    .from(subscriptionMandates)
    .where(
      and(
        eq(subscriptionMandates.clientId, ctx.account.id),
        eq(subscriptionMandates.providerMandateId, mandateId),
        eq(subscriptionMandates.providerId, providerId),
        isOneOf(subscriptionMandates.status, ["created", "approved"]),
      ),
    )
    .limit(1);
  return row?.id;
}

export async function hasOpenAttempt(ctx: Context, chargeId: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: transactionRequests.id })
    .from(transactionRequests)
    .where(
      and(
        eq(transactionRequests.clientId, ctx.account.id),
        eq(transactionRequests.chargeId, chargeId),
        sql`${transactionRequests.kind} <> 'notice'`,
        isOneOf(transactionRequests.state, OPEN_STATES),
      ),
    )
    .limit(1);
  return row !== undefined;
}

const MOST_SHOWN = 200;

export interface ProviderNotice {
  id: string;
  /** In the provider's own word. */
  type: string;
  at: Date;
}

/** What providers said of a charge, in the order in which it came. */
export const providerNoticesOf = (ctx: Context, chargeId: string): Promise<ProviderNotice[]> =>
  inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: providerNotifications.id, type: providerNotifications.type, at: providerNotifications.receivedAt })
      .from(providerNotifications)
      .where(and(eq(providerNotifications.clientId, account.id), eq(providerNotifications.chargeId, chargeId)))
      .orderBy(asc(providerNotifications.receivedAt), asc(providerNotifications.id))
      .limit(MOST_SHOWN),
  );

/** Those after which nothing happened before the next one: they came late or again, or said what was known. */
export function ignoredAmong(
  notices: readonly ProviderNotice[],
  changes: readonly { at: Date }[],
): ReadonlySet<string> {
  const ignored = notices.filter(({ at }, index) => {
    const next = notices[index + 1]?.at;
    return !changes.some((change) => change.at >= at && (next === undefined || change.at < next));
  });
  return new Set(ignored.map(({ id }) => id));
}
