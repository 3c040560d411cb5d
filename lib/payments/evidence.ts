import { and, asc, eq, or } from "drizzle-orm";
import { providerNotifications } from "@/db/schema/charges";
import { type Context, inTransaction } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { ProviderEvent } from "@/lib/providers/notification";
import { providerFor } from "@/lib/providers/registry";

const MOST_EVENTS = 200;

/**
 * What the provider told of an attempt, or of the transaction it acts on, in the order in which it came. Also what it
 * told before anybody here knew its id of that transaction.
 */
export async function evidenceOf(ctx: Context, attempt: AttemptRow): Promise<ProviderEvent[]> {
  const { providerId, transactionId } = attempt;
  // A notification that only says "look" is not evidence of anything.
  if (providerId === null || !providerFor(attempt.providerType).capabilities.webhook.containsState) return [];
  const isAbout = eq(providerNotifications.reference, attempt.reference);
  return inTransaction(ctx, async ({ db, account }) => {
    const rows = await db
      .select()
      .from(providerNotifications)
      .where(
        and(
          eq(providerNotifications.clientId, account.id),
          eq(providerNotifications.providerId, providerId),
          eq(providerNotifications.isProved, true),
          transactionId === null ? isAbout : or(isAbout, eq(providerNotifications.transactionId, transactionId)),
        ),
      )
      .orderBy(asc(providerNotifications.receivedAt), asc(providerNotifications.id))
      .limit(MOST_EVENTS);
    return rows.map((row) => ({
      eventId: row.eventId,
      type: row.type,
      occurredAt: row.receivedAt.toISOString(),
      ...(row.transactionId === null ? {} : { providerTxId: row.transactionId }),
      ...(row.reference === null ? {} : { reference: row.reference }),
      raw: { headers: {}, body: row.body },
    }));
  });
}
