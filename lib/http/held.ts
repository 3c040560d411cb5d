import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { idempotencyKeys } from "@/db/schema/accounts";
import { type Context, type IdempotencyKey, inTransaction, now } from "@/lib/context";
import { type Answer, bytesOf, claimKey, findAnswer, type StoredAnswer } from "@/lib/idempotency";
import { log } from "@/lib/log";
import { pause } from "@/lib/wait";

/** Whoever repeats a request whose process died waits no longer than this; one at work renews it, however long it takes. */
export const LEASE_SECONDS = 20;
const RENEW_EVERY_MS = 5_000;
const LEASE_END = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;

/**
 * Runs work that makes its own transactions: the key is claimed before, held on a lease meanwhile and answered after. A
 * refusal leaves no key; work whose process died leaves one that the same request may take over. What is held has an
 * owner: whoever was overtaken neither renews, answers nor frees the key of its successor, and answers what that one did.
 */
export async function heldOnce(ctx: Context, work: (ctx: Context) => Promise<Answer>): Promise<StoredAnswer> {
  const { idempotency } = ctx;
  if (!idempotency) return bytesOf(await work(ctx));
  await claim(ctx, idempotency);
  const ended = new AbortController();
  void keepRenewing(ctx, idempotency, ended.signal);
  try {
    const answer = await work(ctx).catch(async (thrown: unknown) => {
      await inTransaction(ctx, (inside) => inside.db.delete(idempotencyKeys).where(held(inside, idempotency)));
      throw thrown;
    });
    const bytes = bytesOf(answer);
    // Work that was done keeps its key, whatever becomes of its answer.
    return (await keep(ctx, idempotency, bytes)) ?? bytes;
  } finally {
    ended.abort();
  }
}

/** Stores the answer, or says what whoever took the key over has stored; nothing while that one is at work. */
const keep = (ctx: Context, key: IdempotencyKey, answer: StoredAnswer): Promise<StoredAnswer | undefined> =>
  inTransaction(ctx, async (inside) => {
    const stored = await inside.db
      .update(idempotencyKeys)
      .set({ state: "done", ...answer, contentType: "application/json", leaseUntil: null, doneAt: now(inside) })
      .where(held(inside, key))
      .returning({ key: idempotencyKeys.key });
    return stored.length === 1 ? answer : findAnswer(inside.db, inside.account.id, key);
  });

async function keepRenewing(ctx: Context, key: IdempotencyKey, ended: AbortSignal): Promise<void> {
  for (;;) {
    await pause(RENEW_EVERY_MS, ended).catch(() => undefined);
    if (ended.aborted) return;
    await renew(ctx, key);
  }
}

/** Missed once, it is made up for by the next: a lease outlives three of them. */
const renew = (ctx: Context, key: IdempotencyKey): Promise<unknown> =>
  inTransaction(ctx, (inside) =>
    inside.db.update(idempotencyKeys).set({ leaseUntil: LEASE_END }).where(held(inside, key)),
  ).catch((error: unknown) =>
    log.warn({ error, clientId: ctx.account.id }, "the key of a request at work was not renewed"),
  );

const openKey = ({ account }: Context, { namespace, key }: IdempotencyKey) =>
  and(
    eq(idempotencyKeys.clientId, account.id),
    eq(idempotencyKeys.namespace, namespace),
    eq(idempotencyKeys.key, key),
    eq(idempotencyKeys.state, "open"),
  );

const held = (ctx: Context, key: IdempotencyKey) => and(openKey(ctx, key), eq(idempotencyKeys.owner, ctx.requestId));

async function claim(ctx: Context, key: IdempotencyKey): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    await db
      .delete(idempotencyKeys)
      .where(
        and(
          openKey(inside, key),
          eq(idempotencyKeys.fingerprint, key.fingerprint),
          isNull(idempotencyKeys.resourceId),
          lt(idempotencyKeys.leaseUntil, sql`now()`),
        ),
      );
    await claimKey(db, account.id, key, undefined, now(inside));
    await db.update(idempotencyKeys).set({ leaseUntil: LEASE_END, owner: ctx.requestId }).where(openKey(inside, key));
  });
}
