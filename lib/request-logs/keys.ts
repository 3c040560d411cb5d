import { and, asc, desc, eq, lt, ne, type SQL, sql } from "drizzle-orm";
import { idempotencyKeys, requestLogs } from "@/db/schema/accounts";
import { type Context, inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { ANSWER_LENGTH } from "@/lib/idempotency";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const { namespace, key, method, path, state, status, createdAt, doneAt, clientId } = idempotencyKeys;
const shown = { namespace, key, method, path, state, status, createdAt, doneAt };
export type KeyRow = Pick<typeof idempotencyKeys.$inferSelect, keyof typeof shown>;

export const KEYS_PER_PAGE = 50;
/** Of one key; the newest of more are left out. */
const MOST_CALLS = 200;

/** The newest first; `before` is the moment that the page before ended with. */
export async function listKeys(ctx: Context, role: OperatorRole, before: Date | undefined): Promise<KeyRow[]> {
  demand(role, "requests.see");
  return inSnapshot(ctx, ({ db, account }) =>
    db
      .select(shown)
      .from(idempotencyKeys)
      .where(and(eq(clientId, account.id), before ? lt(createdAt, before) : undefined))
      .orderBy(desc(createdAt), asc(key))
      .limit(KEYS_PER_PAGE),
  );
}

/** What a call with the key was: the one that did the work, one that got its answer again, or one with another body. */
export const CALL_KINDS = ["first", "repeat", "mismatch", "other"] as const;
export type CallKind = (typeof CALL_KINDS)[number];

export interface KeyCall {
  id: string;
  kind: CallKind;
  method: string;
  path: string;
  status: number;
  createdAt: Date;
}
export interface KeyStory {
  row: KeyRow;
  /** Of the stored answer, in bytes; null while the first request is at work. */
  bytes: number | null;
  calls: KeyCall[];
  /** The first request as its log kept it, with what is secret hidden; undefined when it is no longer kept. */
  first: { requestBody: unknown; responseBody: unknown } | undefined;
}

/** One text may stand for several keys; without `of`, the one of the shop's server goes before those of browsers. */
export async function keyStory(
  ctx: Context,
  role: OperatorRole,
  given: string,
  of: string | undefined = undefined,
): Promise<KeyStory> {
  demand(role, "requests.see");
  return inSnapshot(ctx, async ({ db, account }) => {
    const [found] = await db
      .select({ ...shown, bytes: ANSWER_LENGTH })
      .from(idempotencyKeys)
      .where(and(eq(clientId, account.id), eq(key, given), of === undefined ? undefined : eq(namespace, of)))
      .orderBy(desc(sql`${namespace} = ${account.id}`), desc(createdAt))
      .limit(1);
    if (!found) throw notFound("key");
    const isOfServer = found.namespace === account.id;
    const sentBy = isOfServer ? eq(requestLogs.keyKind, "secret") : ne(requestLogs.keyKind, "secret");
    const logs = await db
      .select({
        id: requestLogs.id,
        kind: kindOf(found),
        method: requestLogs.method,
        path: requestLogs.path,
        status: requestLogs.status,
        createdAt: requestLogs.createdAt,
        requestBody: requestLogs.requestBody,
        responseBody: requestLogs.responseBody,
      })
      .from(requestLogs)
      .where(and(eq(requestLogs.clientId, account.id), eq(requestLogs.idempotencyKey, given), sentBy))
      .orderBy(asc(requestLogs.createdAt), asc(requestLogs.id))
      .limit(MOST_CALLS);
    const { bytes, ...row } = found;
    const first = logs.find(({ kind }) => kind === "first");
    return {
      row,
      bytes,
      first,
      calls: logs.map(({ requestBody: _sent, responseBody: _got, ...call }) => call),
    };
  });
}

const kindOf = ({ status: answered }: Pick<KeyRow, "status">): SQL<CallKind> => sql`
  case when ${requestLogs.replayed} then 'repeat'
       when ${requestLogs.responseBody} #>> '{error,businessCode}' = 'idempotency_key_payload_mismatch' then 'mismatch'
       when ${requestLogs.status} = ${answered}::int then 'first'
       else 'other' end`;
