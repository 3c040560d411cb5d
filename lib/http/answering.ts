import type { z } from "zod";
import { type Context, type IdempotencyKey, inTransaction, now } from "@/lib/context";
import { heldOnce } from "@/lib/http/held";
import { claimKey, type StoredAnswer, storeAnswer } from "@/lib/idempotency";

/** A ready answer: what is sent is not JSON, or was rendered where it is stored. */
export interface HttpReply {
  status: number;
  body: Buffer;
  replayed?: boolean;
  contentType?: string;
  headers?: Record<string, string>;
  /** Sent instead of `body`, piece by piece: a file that is never in memory as a whole. */
  stream?: ReadableStream<Uint8Array>;
}

/** How a handler in band answers: it says the value, and its bytes are made and kept here. */
export interface Answering<V> {
  /** In one transaction with the key, when what had to happen outside the database is done. */
  once(work: (ctx: Context) => Promise<V>): Promise<HttpReply>;
  /** Of work that makes its own transactions: the key is held on a lease meanwhile. */
  held(work: (ctx: Context) => Promise<V>): Promise<HttpReply>;
}

export const answersOf = <R extends z.ZodType>(
  ctx: Context,
  { reply, status }: { reply: R; status: number },
): Answering<z.input<R>> => {
  const answered = (work: (ctx: Context) => Promise<z.input<R>>) => async (inside: Context) => ({
    status,
    body: render(reply.parse(await work(inside))),
  });
  return {
    once: (work) => answerOnce(ctx, answered(work)),
    held: (work) => heldOnce(ctx, answered(work)),
  };
};

export const answerOnce = (ctx: Context, work: (ctx: Context) => Promise<StoredAnswer>): Promise<HttpReply> =>
  inTransaction(ctx, (inside) => (inside.idempotency ? runOnce(inside, inside.idempotency, work) : work(inside)));

/** Key, work and stored answer commit together; a refusal rolls all of it back and leaves no key. */
async function runOnce(
  ctx: Context,
  key: IdempotencyKey,
  work: (ctx: Context) => Promise<StoredAnswer>,
): Promise<HttpReply> {
  const at = now(ctx);
  await claimKey(ctx.db, ctx.account.id, key, undefined, at);
  const answer = await work(ctx);
  await storeAnswer(ctx.db, ctx.account.id, key, answer, at);
  return answer;
}

export const render = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
