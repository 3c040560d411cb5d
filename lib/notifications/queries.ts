import { and, eq, inArray, ne, or, type SQL } from "drizzle-orm";
import { transactionRequests } from "@/db/schema/charges";
import type { Context } from "@/lib/context";
import { OPEN_STATES } from "@/lib/payments/attempts";
import type { ProviderEvent } from "@/lib/providers/notification";

/** The charge a provider speaks of, by our reference or by its own word for the transaction. */
export async function chargeOfEvent(
  ctx: Context,
  providerId: string,
  { reference, providerTxId }: ProviderEvent,
): Promise<string | undefined> {
  const named: SQL[] = [];
  if (reference !== undefined) named.push(eq(transactionRequests.reference, reference));
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

export async function hasOpenAttempt(ctx: Context, chargeId: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: transactionRequests.id })
    .from(transactionRequests)
    .where(
      and(
        eq(transactionRequests.clientId, ctx.account.id),
        eq(transactionRequests.chargeId, chargeId),
        ne(transactionRequests.kind, "notice"),
        inArray(transactionRequests.state, [...OPEN_STATES]),
      ),
    )
    .limit(1);
  return row !== undefined;
}
