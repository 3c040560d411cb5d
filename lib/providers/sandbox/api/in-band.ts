import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { idempotencyKeys } from "@/db/schema/accounts";
import { type Context, type IdempotencyKey, inTransaction, now } from "@/lib/context";
import { type HttpReply, render } from "@/lib/http/endpoint";
import { claimKey, type StoredAnswer, storeAnswer } from "@/lib/idempotency";

/** A tool that takes longer than this was cut off; its key may then be used again. */
const TAKE_OVER_SECONDS = 600;

/**
 * Runs a tool that makes its own transactions: the key is claimed before and answered after. A refusal leaves no key;
 * a tool whose process died leaves one that the same request may take over.
 */
export async function answerOnce<R extends z.ZodType>(
  ctx: Context,
  reply: R,
  work: (ctx: Context) => Promise<z.input<R>>,
): Promise<HttpReply> {
  const { idempotency } = ctx;
  if (!idempotency) return { status: 200, body: render(reply.parse(await work(ctx))) };
  const stored = await claim(ctx, idempotency);
  if (stored) return { ...stored, replayed: true };
  try {
    const answer = { status: 200, body: render(reply.parse(await work(ctx))) };
    await inTransaction(ctx, (inside) => storeAnswer(inside.db, inside.account.id, idempotency, answer, now(inside)));
    return answer;
  } catch (thrown) {
    await inTransaction(ctx, ({ db, account }) => db.delete(idempotencyKeys).where(openKey(account.id, idempotency)));
    throw thrown;
  }
}

const openKey = (clientId: string, { namespace, key }: IdempotencyKey) =>
  and(
    eq(idempotencyKeys.clientId, clientId),
    eq(idempotencyKeys.namespace, namespace),
    eq(idempotencyKeys.key, key),
    eq(idempotencyKeys.state, "open"),
  );

async function claim(ctx: Context, key: IdempotencyKey): Promise<StoredAnswer | undefined> {
  return inTransaction(ctx, async (inside) => {
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
    const stored = await claimKey(db, account.id, key, undefined, now(inside));
    if (!stored) {
      await db
        .update(idempotencyKeys)
        .set({ leaseUntil: sql`now() + make_interval(secs => ${TAKE_OVER_SECONDS})` })
        .where(openKey(account.id, key));
    }
    return stored;
  });
}
