import { and, eq, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { linkVisits } from "@/db/schema/checkout";
import { purchases } from "@/db/schema/purchases";
import { visitHash } from "@/lib/checkout/visit";
import { type Context, inTransaction, now } from "@/lib/context";

/** Somebody opened the link; each browser counts once. */
export const countVisit = (ctx: Context, sessionId: string, visit: string): Promise<void> =>
  inTransaction(ctx, async ({ db, account }) => {
    await db
      .insert(linkVisits)
      .values({ sessionId, visitHash: visitHash(visit), clientId: account.id, at: now(ctx) })
      .onConflictDoNothing();
  });

export interface LinkFigures {
  visits: number;
  attempts: number;
  payments: number;
}

const PAID = sql`('authorized', 'voided', 'charged_back', 'refund_pending')`;

/** How far people came; an attempt by several cards is one, and a payment that was given back later was one. */
export async function linkFigures({ db, account }: Context, sessionId: string): Promise<LinkFigures> {
  const ours = and(eq(linkVisits.clientId, account.id), eq(linkVisits.sessionId, sessionId));
  const visits = await db.$count(linkVisits, ours);
  const [single] = await db
    .select({
      attempts: sql`count(*)`.mapWith(Number),
      payments: sql`count(*) filter (where ${charges.status} in ${PAID} and ${charges.capturedAmount} > 0)`.mapWith(
        Number,
      ),
    })
    .from(charges)
    .where(and(eq(charges.clientId, account.id), eq(charges.sessionId, sessionId), sql`${charges.purchaseId} is null`));
  const [several] = await db
    .select({
      attempts: sql`count(*)`.mapWith(Number),
      payments: sql`count(*) filter (where ${purchases.status} = 'paid')`.mapWith(Number),
    })
    .from(purchases)
    .where(and(eq(purchases.clientId, account.id), eq(purchases.sessionId, sessionId)));
  return {
    visits,
    attempts: (single?.attempts ?? 0) + (several?.attempts ?? 0),
    payments: (single?.payments ?? 0) + (several?.payments ?? 0),
  };
}
