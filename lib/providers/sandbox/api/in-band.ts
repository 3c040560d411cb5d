import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { idempotencyKeys } from "@/db/schema/accounts";
import { type Context, type IdempotencyKey, inTransaction, now } from "@/lib/context";
import { type HttpReply, render } from "@/lib/http/endpoint";
import { claimKey, storeAnswer } from "@/lib/idempotency";
import { log } from "@/lib/log";
import { pause } from "@/lib/wait";

/** Whoever repeats a request whose process died waits no longer than this; a tool at work renews it, however long it takes. */
export const LEASE_SECONDS = 20;
const RENEW_EVERY_MS = 5_000;
const LEASE_END = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;

/**
 * Runs a tool that makes its own transactions: the key is claimed before, held on a lease meanwhile and answered after.
 * A refusal leaves no key; a tool whose process died leaves one that the same request may take over.
 */
export async function answerOnce<R extends z.ZodType>(
  ctx: Context,
  reply: R,
  work: (ctx: Context) => Promise<z.input<R>>,
  status = 200,
): Promise<HttpReply> {
  const { idempotency } = ctx;
  if (!idempotency) return { status, body: render(reply.parse(await work(ctx))) };
  await claim(ctx, idempotency);
  const ended = new AbortController();
  void keepRenewing(ctx, idempotency, ended.signal);
  try {
    const answer = { status, body: render(reply.parse(await work(ctx))) };
    await inTransaction(ctx, (inside) => storeAnswer(inside.db, inside.account.id, idempotency, answer, now(inside)));
    return answer;
  } catch (thrown) {
    await inTransaction(ctx, ({ db, account }) => db.delete(idempotencyKeys).where(openKey(account.id, idempotency)));
    throw thrown;
  } finally {
    ended.abort();
  }
}

async function keepRenewing(ctx: Context, key: IdempotencyKey, ended: AbortSignal): Promise<void> {
  for (;;) {
    await pause(RENEW_EVERY_MS, ended).catch(() => undefined);
    if (ended.aborted) return;
    await renew(ctx, key);
  }
}

/** Missed once, it is made up for by the next: a lease outlives three of them. */
const renew = (ctx: Context, { namespace, key }: IdempotencyKey): Promise<unknown> =>
  inTransaction(ctx, ({ db, account }) =>
    db.update(idempotencyKeys).set({ leaseUntil: LEASE_END }).where(openKey(account.id, { namespace, key })),
  ).catch((error: unknown) =>
    log.warn({ error, clientId: ctx.account.id }, "the key of a sandbox tool was not renewed"),
  );

const openKey = (clientId: string, { namespace, key }: Pick<IdempotencyKey, "namespace" | "key">) =>
  and(
    eq(idempotencyKeys.clientId, clientId),
    eq(idempotencyKeys.namespace, namespace),
    eq(idempotencyKeys.key, key),
    eq(idempotencyKeys.state, "open"),
  );

async function claim(ctx: Context, key: IdempotencyKey): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    await db
      .delete(idempotencyKeys)
      .where(
        and(
          openKey(account.id, key),
          eq(idempotencyKeys.fingerprint, key.fingerprint),
          isNull(idempotencyKeys.resourceId),
          lt(idempotencyKeys.leaseUntil, sql`now()`),
        ),
      );
    await claimKey(db, account.id, key, undefined, now(inside));
    await db.update(idempotencyKeys).set({ leaseUntil: LEASE_END }).where(openKey(account.id, key));
  });
}
