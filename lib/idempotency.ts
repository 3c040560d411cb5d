import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/accounts";
import { change, insertion, type Write, writeTogether } from "@/db/writes";
import { canonicalJson } from "@/lib/canonical-json";
import type { IdempotencyKey } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { KEPT_DAYS } from "@/lib/retention";
import { serverSecret } from "@/lib/secrets";

/** Bytes of an answer, as first sent; jsonb would reorder its keys and a second rendering could drift. */
export interface StoredAnswer {
  status: number;
  body: Buffer;
}

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
export const fingerprintOf = (method: string, path: string, body: unknown): Buffer =>
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
}

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
  const [stored] = await db
    .select({ fingerprint: idempotencyKeys.fingerprint, status: idempotencyKeys.status, body: idempotencyKeys.body })
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
  if (stored.status === null || stored.body === null) {
    throw new DomainError("idempotency_key_in_progress", "the first request with this key has not finished", {
      retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS,
    });
  }
  return { status: stored.status, body: stored.body };
}

export async function storeAnswer(
  db: Database,
  clientId: string,
  key: Pick<IdempotencyKey, "namespace" | "key">,
  answer: StoredAnswer,
  at: Date,
): Promise<void> {
  await writeTogether(db, [answering(clientId, key, answer, at)]);
}

/** The same as a write of the caller's statement. */
export const answering = (
  clientId: string,
  { namespace, key }: Pick<IdempotencyKey, "namespace" | "key">,
  { status, body }: StoredAnswer,
  at: Date,
): Write =>
  change(
    idempotencyKeys,
    { state: "done", status, body, contentType: "application/json", leaseUntil: null, doneAt: at },
    { clientId, namespace, key, state: "open" },
  );
