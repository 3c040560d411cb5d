import { and, asc, desc, eq, gte, lt, or, type SQL, sql } from "drizzle-orm";
import { requestLogs } from "@/db/schema/accounts";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

export type LoggedRequest = typeof requestLogs.$inferSelect;
/** What lists show of a call; bodies are read one at a time. */
export const LISTED = {
  id: requestLogs.id,
  requestId: requestLogs.requestId,
  method: requestLogs.method,
  path: requestLogs.path,
  status: requestLogs.status,
  durationMs: requestLogs.durationMs,
  idempotencyKey: requestLogs.idempotencyKey,
  replayed: requestLogs.replayed,
  createdAt: requestLogs.createdAt,
  keyKind: requestLogs.keyKind,
} as const;
export type ListedRequest = Pick<LoggedRequest, keyof typeof LISTED>;

export const REQUESTS_PER_PAGE = 50;
const LONGEST_SEARCH = 200;

export const REQUEST_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
/** By the first digit of the status. */
export const REQUEST_RESULTS = { ok: [200, 400], refused: [400, 500], failed: [500, 600] } as const;
export type RequestResult = keyof typeof REQUEST_RESULTS;

export interface RequestFilters {
  /** Part of the path, or a whole request id or idempotency key. */
  search?: string | undefined;
  method?: string | undefined;
  result?: RequestResult | undefined;
  after?: string | undefined;
  before?: string | undefined;
  limit?: number;
}

export interface RequestPage {
  items: ListedRequest[];
  previous: string | undefined;
  next: string | undefined;
}

export async function listRequests(ctx: Context, role: OperatorRole, filters: RequestFilters): Promise<RequestPage> {
  demand(role, "requests.see");
  const isBackward = filters.before !== undefined;
  const limit = filters.limit ?? REQUESTS_PER_PAGE;
  const direction = isBackward ? asc : desc;
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select(LISTED)
      .from(requestLogs)
      .where(and(eq(requestLogs.clientId, account.id), ...narrowing(filters), beyond(filters)))
      .orderBy(direction(requestLogs.createdAt), direction(requestLogs.id))
      .limit(limit + 1),
  );
  const isMore = rows.length > limit;
  const items = rows.slice(0, limit);
  if (isBackward) items.reverse();
  const first = items[0];
  const last = items.at(-1);
  return {
    items,
    previous: first && (isBackward ? isMore : filters.after !== undefined) ? positionOf(first) : undefined,
    next: last && (isBackward || isMore) ? positionOf(last) : undefined,
  };
}

export async function getRequest(ctx: Context, role: OperatorRole, id: string): Promise<LoggedRequest> {
  demand(role, "requests.see");
  if (!isUuid(id)) throw notFound("request");
  const [row] = await inTransaction(ctx, ({ db, account }) =>
    db
      .select()
      .from(requestLogs)
      .where(and(eq(requestLogs.clientId, account.id), eq(requestLogs.id, id))),
  );
  if (!row) throw notFound("request");
  return row;
}

function narrowing({ search, method, result }: RequestFilters): (SQL | undefined)[] {
  const text = search?.trim().slice(0, LONGEST_SEARCH);
  const range = result && REQUEST_RESULTS[result];
  return [
    method ? eq(requestLogs.method, method) : undefined,
    range && and(gte(requestLogs.status, range[0]), lt(requestLogs.status, range[1])),
    text
      ? or(
          sql`strpos(${requestLogs.path}, ${text}) > 0`,
          eq(requestLogs.requestId, text),
          eq(requestLogs.idempotencyKey, text),
        )
      : undefined,
  ];
}

const positionOf = (row: { createdAt: Date; id: string }): string => `${row.createdAt.toISOString()}_${row.id}`;

function beyond({ after, before }: RequestFilters): SQL | undefined {
  const [at = "", id = ""] = (before ?? after)?.split("_") ?? [];
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime()) || !isUuid(id)) return undefined;
  const position = sql`(${moment.toISOString()}::timestamptz, ${id}::uuid)`;
  const row = sql`(${requestLogs.createdAt}, ${requestLogs.id})`;
  return before === undefined ? sql`${row} < ${position}` : sql`${row} > ${position}`;
}
