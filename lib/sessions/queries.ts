import { and, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import { sessionHistory, sessions } from "@/db/schema/sessions";
import { whereIdIn } from "@/db/where-id-in";
import { type Context, now, publicKeyOf } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { offsetOf, type Page, type Paged } from "@/lib/http/pagination";
import type { SessionFilters } from "@/lib/sessions/schema";
import type { MultiplePaymentsStatus, SessionRow } from "@/lib/sessions/state";

export type { SessionRow } from "@/lib/sessions/state";

/** A session's own key reaches that session and no other. */
const reachable = (ctx: Context): SQL | undefined =>
  and(
    eq(sessions.clientId, ctx.account.id),
    ctx.principal.kind === "session" ? eq(sessions.id, ctx.principal.sessionId) : undefined,
  );

export async function findSession(ctx: Context, id: string, lock?: "update"): Promise<SessionRow | undefined> {
  const query = ctx.db
    .select()
    .from(sessions)
    .where(and(reachable(ctx), eq(sessions.id, id)));
  const [row] = lock ? await query.for(lock) : await query;
  return row;
}

export async function getSession(ctx: Context, id: string): Promise<SessionRow> {
  const row = await findSession(ctx, id);
  if (!row) throw notFound("session");
  return row;
}

/** Locks the row until the transaction ends; charges and purchases are locked before their session, never after it. */
export async function lockSession(ctx: Context, id: string): Promise<SessionRow> {
  const row = await findSession(ctx, id, "update");
  if (!row) throw notFound("session");
  return row;
}

/** The page and its exact total, from one snapshot; newest first whatever order is asked. */
export async function listSessions(
  ctx: Context,
  filters: SessionFilters,
  /** These alone. */
  among?: readonly string[],
): Promise<Paged<SessionRow>> {
  const key = publicKeyOf(ctx);
  const where = and(
    reachable(ctx),
    key === undefined ? undefined : eq(sessions.createdByKey, key),
    filters.id ? eq(sessions.id, filters.id) : undefined,
    among && whereIdIn(sessions.id, among),
    filters.status && inArray(sessions.status, filters.status),
    filters.isActive &&
      inArray(
        sessions.isActive,
        filters.isActive.map((given) => given === "true"),
      ),
    filters.merchantId ? eq(sessions.merchantId, filters.merchantId) : undefined,
    filters.orderId === undefined ? undefined : sql`${sessions.orderId} ilike ${`%${literally(filters.orderId)}%`}`,
    filters["multiplePayments.status"] &&
      or(...filters["multiplePayments.status"].map((status) => hasPaymentsStatus(status, now(ctx)))),
    filters["created.gt"] && gt(sessions.createdAt, filters["created.gt"]),
    filters["created.lt"] && lt(sessions.createdAt, filters["created.lt"]),
  );
  const totalItems = await ctx.db.$count(sessions, where);
  const items = await ctx.db
    .select()
    .from(sessions)
    .where(where)
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return { totalItems, items };
}

const literally = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

const OVER: readonly SessionRow["status"][] = ["canceled", "voided"];

/** The same three cases as `paymentsStatusOf`, as a condition. */
function hasPaymentsStatus(status: MultiplePaymentsStatus, at: Date): SQL | undefined {
  const isOver = inArray(sessions.status, [...OVER]);
  if (status === "canceled") return isOver;
  const isUsedUp = and(
    or(isNull(sessions.maxPayments), ne(sessions.maxPayments, -1)),
    gte(sessions.paymentCount, sql`coalesce(${sessions.maxPayments}, 1)`),
  );
  const isDisabled = or(
    eq(sessions.isActive, false),
    and(isNotNull(sessions.dueAt), lte(sessions.dueAt, at)),
    isUsedUp,
  );
  return status === "disabled" ? and(not(isOver), isDisabled) : and(not(isOver), isDisabled && not(isDisabled));
}

export type HistoryRow = typeof sessionHistory.$inferSelect;

/** The audit trail, newest first. */
export async function historyOf(ctx: Context, id: string, page: Page): Promise<Paged<HistoryRow>> {
  await getSession(ctx, id);
  const where = and(eq(sessionHistory.clientId, ctx.account.id), eq(sessionHistory.sessionId, id));
  const totalItems = await ctx.db.$count(sessionHistory, where);
  const items = await ctx.db
    .select()
    .from(sessionHistory)
    .where(where)
    .orderBy(desc(sessionHistory.sequence))
    .limit(page.limit)
    .offset(offsetOf(page));
  return { totalItems, items };
}
