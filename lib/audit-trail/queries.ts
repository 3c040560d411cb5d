import { and, asc, desc, eq, gte, ilike, inArray, like, lt, notInArray, or, type SQL, sql } from "drizzle-orm";
import { auditChain, auditLog, requestLogs } from "@/db/schema/accounts";
import { operatorActor } from "@/lib/audit";
import { AUDIT_KINDS, type AuditKind } from "@/lib/audit-trail/kinds";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { addSeconds } from "@/lib/time";

export interface AuditFilter {
  /** `operator:ID`, or all of one sort: `key`, `system`. */
  who?: string | undefined;
  kind?: AuditKind | undefined;
  /** An id, an action, a request or an address. */
  search?: string | undefined;
  /** Or an action that is called by what was searched for. */
  said?: readonly SaidAction[] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** The only one whose rows are shown, whatever else is asked for. */
  own?: string | undefined;
  /** Rows older than this one. */
  before?: string | undefined;
}

export interface SaidAction {
  action: string;
  /** Of an action that does several things: what its row says was done; null where it says none of `others`. */
  done?: { field: string; is: string | null; others: readonly string[] } | undefined;
}

export type AuditRow = typeof auditLog.$inferSelect;

export const AUDIT_PAGE_ROWS = 50;
/** A call is logged when it is answered, close to what it did. */
const NEAR_SECONDS = 600;
const LONGEST_SEARCH = 100;

function matching({ account }: Context, filter: AuditFilter): SQL | undefined {
  const { who, kind, search, said = [], from, to, own, before } = filter;
  const text = search?.slice(0, LONGEST_SEARCH);
  const pattern = text && `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return and(
    eq(auditLog.clientId, account.id),
    own ? eq(auditLog.actor, operatorActor(own)) : undefined,
    who ? (who.includes(":") ? eq(auditLog.actor, who) : like(auditLog.actor, `${who}%`)) : undefined,
    kind ? inArray(auditLog.object, [...AUDIT_KINDS[kind]]) : undefined,
    pattern
      ? or(
          ilike(auditLog.objectId, pattern),
          ilike(auditLog.action, pattern),
          ilike(auditLog.requestId, pattern),
          ilike(auditLog.ip, pattern),
          ...said.map(isSaid),
        )
      : undefined,
    from ? gte(auditLog.at, from) : undefined,
    to ? lt(auditLog.at, to) : undefined,
    before && isUuid(before)
      ? sql`(${auditLog.at}, ${auditLog.id}) < (select b.at, b.id from audit_log b where b.id = ${before} and b.client_id = ${account.id})`
      : undefined,
  );
}

function isSaid({ action, done }: SaidAction): SQL | undefined {
  const is = eq(auditLog.action, action);
  if (!done) return is;
  const value = sql`coalesce(${auditLog.after} ->> ${done.field}, '')`;
  return and(is, done.is === null ? notInArray(value, [...done.others]) : eq(value, done.is));
}

/** The newest first. */
export async function listAudit(
  ctx: Context,
  filter: AuditFilter,
  most = AUDIT_PAGE_ROWS,
): Promise<{ items: AuditRow[]; next: string | undefined }> {
  const rows = await inTransaction(ctx, (inside) =>
    inside.db
      .select()
      .from(auditLog)
      .where(matching(inside, filter))
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(most + 1),
  );
  const items = rows.slice(0, most);
  return { items, next: rows.length > most ? items.at(-1)?.id : undefined };
}

const CARD_CLOSURES = [
  "card_testing.paused",
  "card_testing.reopened",
  "card_testing.extended",
  "card_testing.lifted",
] as const;

export type CardClosure = Pick<AuditRow, "id" | "objectId" | "actor" | "reason" | "after" | "accountAt"> & {
  action: (typeof CARD_CLOSURES)[number];
};

const isClosure = (action: string): action is CardClosure["action"] => CARD_CLOSURES.some((name) => name === action);

/** Who closed a link for cards and opened it again, and why; the newest first. */
export const cardClosuresOf = (ctx: Context, sessionId: string, most: number): Promise<CardClosure[]> =>
  cardClosures(ctx, [sessionId], CARD_CLOSURES, most);

/** Who closed these links for cards by hand; the newest first. */
export const cardPauses = (ctx: Context, sessionIds: readonly string[], most: number): Promise<CardClosure[]> =>
  cardClosures(ctx, sessionIds, ["card_testing.paused"], most);

async function cardClosures(
  { db, account }: Context,
  sessionIds: readonly string[],
  actions: readonly CardClosure["action"][],
  most: number,
): Promise<CardClosure[]> {
  if (sessionIds.length === 0) return [];
  const rows = await db
    .select({
      id: auditLog.id,
      action: auditLog.action,
      objectId: auditLog.objectId,
      actor: auditLog.actor,
      reason: auditLog.reason,
      after: auditLog.after,
      accountAt: auditLog.accountAt,
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.clientId, account.id),
        eq(auditLog.object, "session"),
        inArray(auditLog.objectId, [...sessionIds]),
        inArray(auditLog.action, [...actions]),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(most);
  return rows.flatMap(({ action, ...row }) => (isClosure(action) ? [{ action, ...row }] : []));
}

export interface AuditEntry {
  row: AuditRow;
  /** Not there for the minute until the chain takes it up. */
  link: { position: number; hash: string } | undefined;
  /** The API call that did it, when it is still kept. */
  requestLogId: string | undefined;
}

export async function getAudit(ctx: Context, id: string, own: string | undefined): Promise<AuditEntry> {
  if (!isUuid(id)) throw notFound("audit row");
  return inTransaction(ctx, async (inside) => {
    const [row] = await inside.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.id, id), matching(inside, { own })));
    if (!row) throw notFound("audit row");
    const [link] = await inside.db
      .select({ position: auditChain.position, hash: auditChain.hash })
      .from(auditChain)
      .where(and(eq(auditChain.clientId, inside.account.id), eq(auditChain.id, id)));
    const [call] = row.requestId
      ? await inside.db
          .select({ id: requestLogs.id })
          .from(requestLogs)
          .where(
            and(
              eq(requestLogs.clientId, inside.account.id),
              eq(requestLogs.requestId, row.requestId),
              gte(requestLogs.createdAt, addSeconds(row.at, -NEAR_SECONDS)),
              lt(requestLogs.createdAt, addSeconds(row.at, NEAR_SECONDS)),
            ),
          )
          .orderBy(asc(requestLogs.id))
          .limit(1)
      : [];
    return {
      row,
      link: link && { position: link.position, hash: link.hash.toString("hex") },
      requestLogId: call?.id,
    };
  });
}
