import { and, asc, eq, or } from "drizzle-orm";
import { providerNotifications } from "@/db/schema/charges";
import { type Context, inTransaction } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { ProviderEvent } from "@/lib/providers/notification";

const MOST_EVENTS = 200;

/** What the provider told of an attempt, or of the transaction it acts on, in the order in which it came. */
export const evidenceOf = (ctx: Context, attempt: AttemptRow): Promise<ProviderEvent[]> =>
  inTransaction(ctx, async ({ db, account }) => {
    const isAbout = eq(providerNotifications.reference, attempt.reference);
    const rows = await db
      .select()
      .from(providerNotifications)
      .where(
        and(
          eq(providerNotifications.clientId, account.id),
          attempt.chargeId === null
            ? eq(providerNotifications.providerId, attempt.providerId ?? attempt.id)
            : eq(providerNotifications.chargeId, attempt.chargeId),
          attempt.transactionId === null
            ? isAbout
            : or(isAbout, eq(providerNotifications.transactionId, attempt.transactionId)),
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
