import { and, count, desc, eq, gt, isNotNull, isNull } from "drizzle-orm";
import { linkRequests } from "@/db/schema/checkout";
import { whereIdIn } from "@/db/where-id-in";
import { visitHash } from "@/lib/checkout/visit";
import { type Context, inTransaction, now } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { shownBuyer } from "@/lib/operators/buyers";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds } from "@/lib/time";

const ONE_PER_SECONDS = 3_600;
const MOST_SHOWN = 20;

export interface LinkRequest {
  readonly sessionId: string;
  readonly visit: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly locale: Locale;
}

export const askedLately = (ctx: Context, sessionId: string, visit: string): Promise<boolean> =>
  inTransaction(ctx, async ({ db, account }) => {
    const rows = await db
      .select({ id: linkRequests.id })
      .from(linkRequests)
      .where(
        and(
          eq(linkRequests.clientId, account.id),
          eq(linkRequests.sessionId, sessionId),
          eq(linkRequests.visitHash, visitHash(visit)),
          gt(linkRequests.createdAt, addSeconds(now(ctx), -ONE_PER_SECONDS)),
        ),
      )
      .limit(1);
    return rows.length > 0;
  });

/** Tells the shop that somebody wants to pay. At most once an hour for a link and a visit; answers whether it was told. */
export async function requestLink(ctx: Context, request: LinkRequest): Promise<boolean> {
  if (await askedLately(ctx, request.sessionId, request.visit)) return false;
  const { sessionId, visit, name, email, locale } = request;
  await inTransaction(ctx, ({ db, account }) =>
    db.insert(linkRequests).values({
      id: newId(),
      clientId: account.id,
      sessionId,
      visitHash: visitHash(visit),
      name: name ?? null,
      email: email ?? null,
      locale,
      createdAt: now(ctx),
    }),
  );
  return true;
}

export interface AskedLink {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly at: Date;
  /** The link that was sent in answer. */
  readonly answeredWith: string | null;
}

/** Who asked the shop for a new link, newest first, as far as the reader may see it. */
export async function listLinkRequests(ctx: Context, role: OperatorRole, sessionId: string): Promise<AskedLink[]> {
  const rows = await ctx.db
    .select({
      id: linkRequests.id,
      name: linkRequests.name,
      email: linkRequests.email,
      at: linkRequests.createdAt,
      answeredWith: linkRequests.answeredWith,
    })
    .from(linkRequests)
    .where(and(eq(linkRequests.clientId, ctx.account.id), eq(linkRequests.sessionId, sessionId)))
    .orderBy(desc(linkRequests.createdAt))
    .limit(MOST_SHOWN);
  return rows.map(({ id, name, email, at, answeredWith }) => {
    const shown = shownBuyer(role, { id, name: name ?? "", email: email ?? "", documentNumber: null });
    return { id, name: (name && shown?.name) || null, email: (email && shown?.email) || null, at, answeredWith };
  });
}

/** Of these links: how many asked for another one, left an address and were not answered. */
export async function requestsWaiting(
  { db, account }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: linkRequests.sessionId, waiting: count() })
    .from(linkRequests)
    .where(
      and(
        eq(linkRequests.clientId, account.id),
        whereIdIn(linkRequests.sessionId, ids),
        isNull(linkRequests.answeredAt),
        isNotNull(linkRequests.email),
      ),
    )
    .groupBy(linkRequests.sessionId);
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}
