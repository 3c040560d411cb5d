import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { linkVisits } from "@/db/schema/checkout";
import { purchases } from "@/db/schema/purchases";
import { whereIdIn } from "@/db/where-id-in";
import { PAID_STATUSES } from "@/lib/charges/paid-statuses";
import { visitHash } from "@/lib/checkout/visit";
import { type Context, inTransaction, now } from "@/lib/context";
import { pipelined } from "@/lib/pipeline";

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
  /** Attempts that were refused. */
  failed: number;
  payments: number;
}

const NOTHING: LinkFigures = { visits: 0, attempts: 0, failed: 0, payments: 0 };
const counted = (condition?: SQL) =>
  (condition ? sql`count(*) filter (where ${condition})` : sql`count(*)`).mapWith(Number);

export const linkFigures = async (ctx: Context, sessionId: string): Promise<LinkFigures> =>
  (await figuresOfLinks(ctx, [sessionId])).get(sessionId) ?? NOTHING;

/** How far people came; an attempt by several cards is one, and a payment that was given back later was one. */
export async function figuresOfLinks(
  { db, account }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LinkFigures>> {
  if (ids.length === 0) return new Map();
  const [opened, single, several] = await pipelined([
    db
      .select({ id: linkVisits.sessionId, visits: counted() })
      .from(linkVisits)
      .where(and(eq(linkVisits.clientId, account.id), whereIdIn(linkVisits.sessionId, ids)))
      .groupBy(linkVisits.sessionId),
    db
      .select({
        id: charges.sessionId,
        attempts: counted(),
        failed: counted(sql`${charges.status} = 'failed'`),
        payments: counted(sql`${charges.status} in ${PAID_STATUSES} and ${charges.capturedAmount} > 0`),
      })
      .from(charges)
      .where(and(eq(charges.clientId, account.id), whereIdIn(charges.sessionId, ids), isNull(charges.purchaseId)))
      .groupBy(charges.sessionId),
    db
      .select({
        id: purchases.sessionId,
        attempts: counted(),
        failed: counted(sql`${purchases.status} = 'failed'`),
        payments: counted(sql`${purchases.status} = 'paid'`),
      })
      .from(purchases)
      .where(and(eq(purchases.clientId, account.id), whereIdIn(purchases.sessionId, ids)))
      .groupBy(purchases.sessionId),
  ]);
  return new Map(
    ids.map((id) => {
      const tried = [...single, ...several].filter((row) => row.id === id);
      const sum = (of: "attempts" | "failed" | "payments") => tried.reduce((total, row) => total + row[of], 0);
      const visits = opened.find((row) => row.id === id)?.visits ?? 0;
      return [id, { visits, attempts: sum("attempts"), failed: sum("failed"), payments: sum("payments") }];
    }),
  );
}
