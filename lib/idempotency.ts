import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/accounts";
import { events } from "@/db/schema/outbox";
import { change, insertion, type Write, writeTogether } from "@/db/writes";
import { canonicalJson } from "@/lib/canonical-json";
import { type Context, type IdempotencyKey, leaveWithCommit } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { KEPT_DAYS } from "@/lib/retention";
import { serverSecret } from "@/lib/secrets";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

/** What a request is answered, as a value; a body that is left out is empty. */
export interface Answer {
  status: number;
  body?: unknown;
}

/** Bytes of an answer, as first sent; jsonb would reorder its keys and a second rendering could drift. */
export interface StoredAnswer {
  status: number;
  body: Buffer;
}

/** The one place where an answer becomes bytes. */
export const bytesOf = ({ status, body }: Answer): StoredAnswer => ({
  status,
  body: body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)),
});

/** The request has its answer: the edge sends it instead of what the service would have said. */
export class Answered extends Error {
  constructor(
    readonly answer: StoredAnswer,
    /** It was given to an earlier request, not to this one's own work. */
    readonly replayed: boolean,
  ) {
    super("the request was answered already");
  }
}

/** How long a crashed in-band request keeps its key before a worker's answer is due. */
const LEASE_SECONDS = 45;
const LEASE_END = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;
const KEEP_UNTIL = sql`now() + make_interval(days => ${sql.raw(String(KEPT_DAYS.idempotencyKeys))})`;
const IN_PROGRESS_RETRY_SECONDS = 10;

/** Keyed hash over method, path and canonical body: a client that serialises again still matches, a reader learns nothing. */
export const requestFingerprint = (method: string, path: string, body: unknown): Buffer =>
  createHmac("sha256", serverSecret("idempotency"))
    .update(`${method}\n${path}\n${body === undefined ? "" : canonicalJson(body)}`)
    .digest();

/**
 * Claims the key for this transaction. The insert is the lock: a concurrent twin waits here until we commit or roll
 * back. Throws `Answered` when the same request was made before. `open` keeps the key unanswered past this
 * transaction, for endpoints that call a provider while the client waits.
 */
export async function claimKey(
  db: Database,
  clientId: string,
  request: IdempotencyKey,
  open: { resourceId: string } | undefined,
  at: Date,
): Promise<void> {
  const [claimed] = await writeTogether(db, [claiming(clientId, request, open, at)]);
  if (claimed === 1) return;
  const answer = await findAnswer(db, clientId, request);
  if (answer) throw new Answered(answer, true);
  // Held when it was claimed, and freed since: nobody holds it now, and without it nothing may be done.
  throw inProgress();
}

const inProgress = (): DomainError =>
  new DomainError("idempotency_key_in_progress", "the first request with this key has not finished", {
    retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS,
  });

/** The same as a write of the caller's statement: without a row the key was claimed before. */
export const claiming = (
  clientId: string,
  request: IdempotencyKey,
  open: { resourceId: string } | undefined,
  at: Date,
  named: Pick<Write, "isMust"> = {},
): Write =>
  insertion(
    idempotencyKeys,
    {
      clientId,
      namespace: request.namespace,
      key: request.key,
      method: request.method,
      path: request.path,
      kind: request.kind,
      fingerprint: request.fingerprint,
      state: "open" as const,
      resourceId: open?.resourceId ?? null,
      leaseUntil: open ? LEASE_END : null,
      createdAt: at,
      keepUntil: request.isKept ? null : KEEP_UNTIL,
    },
    { skip: true, ...named },
  );

/** The answer a key was first given; throws when the key was used for something else or is still being worked on. */
export async function findAnswer(
  db: Database,
  clientId: string,
  request: IdempotencyKey,
): Promise<StoredAnswer | undefined> {
  const { fingerprint, status, body } = idempotencyKeys;
  const [stored] = await db
    .select({ fingerprint, status, body, begun: BEGUN })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.clientId, clientId),
        eq(idempotencyKeys.namespace, request.namespace),
        eq(idempotencyKeys.key, request.key),
      ),
    );
  if (!stored) return undefined;
  if (!timingSafeEqual(stored.fingerprint, request.fingerprint)) {
    throw new DomainError("idempotency_key_payload_mismatch", "this key was used with another request");
  }
  if (stored.status === null || stored.body === null) throw inProgress();
  return { status: stored.status, body: stored.begun ? Buffer.concat([stored.begun, stored.body]) : stored.body };
}

/** What its answer begins with, where an event of the same moment says it. */
const BEGUN = sql<Buffer | null>`(select substring(e.body from ${idempotencyKeys.bodyFrom} + 1 for ${idempotencyKeys.bodyLength})
  from ${events} e where e.id = ${idempotencyKeys.bodyEvent})`;

/** In bytes, as it was sent. */
export const ANSWER_LENGTH = sql<
  number | null
>`octet_length(${idempotencyKeys.body}) + coalesce(${idempotencyKeys.bodyLength}, 0)`;

/** Answers the bytes that every repeat will be given. */
export async function storeAnswer(
  db: Database,
  clientId: string,
  key: Pick<IdempotencyKey, "namespace" | "key">,
  answer: Answer,
  at: Date,
): Promise<StoredAnswer> {
  const stored = bytesOf(answer);
  await writeTogether(db, [keeping(clientId, key, stored, at)]);
  return stored;
}

/** The same among the last writes of the transaction. */
export function leaveAnswer(
  ctx: Context,
  key: Pick<IdempotencyKey, "namespace" | "key">,
  answer: Answer,
  at: Date,
): StoredAnswer {
  const stored = bytesOf(answer);
  leaveWithCommit(ctx, [keeping(ctx.account.id, key, stored, at)]);
  return stored;
}

/** An event that the same statement writes. */
export interface WrittenEvent {
  id: string;
  body: Buffer;
  at: Date;
}

/** The same as a write of the caller's statement. What the event says as well is kept once. */
export const answering = (
  clientId: string,
  key: Pick<IdempotencyKey, "namespace" | "key"> & { isKept?: boolean },
  answer: Answer,
  at: Date,
  told?: WrittenEvent,
): Write => keeping(clientId, key, bytesOf(answer), at, told);

function keeping(
  clientId: string,
  { namespace, key, isKept }: Pick<IdempotencyKey, "namespace" | "key"> & { isKept?: boolean },
  { status, body }: StoredAnswer,
  at: Date,
  told?: WrittenEvent,
): Write {
  const same = told && !isKept && outlives(told) ? sharedWith(told.body, body) : undefined;
  return change(
    idempotencyKeys,
    {
      state: "done",
      status,
      body: same ? body.subarray(same.length) : body,
      bodyEvent: same ? told?.id : null,
      bodyFrom: same?.from ?? null,
      bodyLength: same?.length ?? null,
      contentType: "application/json",
      leaseUntil: null,
      doneAt: at,
    },
    { clientId, namespace, key, state: "open" },
  );
}

/** Events go by the account's clock, keys by the real one; a sandbox account's clock may stand still long ago. */
const outlives = ({ at }: WrittenEvent): boolean =>
  addSeconds(at, (KEPT_DAYS.events - KEPT_DAYS.idempotencyKeys - 1) * DAY_SECONDS) > realNow();

const DATA = Buffer.from('"data":');
/** Less is not worth the look into another row. */
const LEAST_SHARED_BYTES = 256;

/** How much of the answer the data of the event begins with: both are the object as the same serializer wrote it. */
function sharedWith(event: Buffer, answer: Buffer): { from: number; length: number } | undefined {
  const from = event.indexOf(DATA) + DATA.length;
  let length = 0;
  while (length < answer.length && answer[length] === event[from + length]) length += 1;
  return length < LEAST_SHARED_BYTES ? undefined : { from, length };
}
