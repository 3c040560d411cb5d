import type { z } from "zod";
import { type Context, type IdempotencyKey, inTransaction, now } from "@/lib/context";
import { heldOnce } from "@/lib/http/held";
import { type Answer, bytesOf, claimKey, leaveAnswer } from "@/lib/idempotency";

/** What is sent: an answer as bytes, or something that is not JSON. */
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
  /** Of a service that keeps its key itself, because a worker may be the one to answer it. */
  as(answer: Answer): HttpReply;
}

export const answersOf = <R extends z.ZodType>(
  ctx: Context,
  { reply, status }: { reply: R; status: number },
): Answering<z.input<R>> => {
  const answered = (work: (ctx: Context) => Promise<z.input<R>>) => async (inside: Context) => ({
    status,
    body: reply.parse(await work(inside)),
  });
  return {
    once: (work) => answerOnce(ctx, answered(work)),
    held: (work) => heldOnce(ctx, answered(work)),
    as: bytesOf,
  };
};

export const answerOnce = (ctx: Context, work: (ctx: Context) => Promise<Answer>): Promise<HttpReply> =>
  inTransaction(ctx, async (inside) =>
    inside.idempotency ? runOnce(inside, inside.idempotency, work) : bytesOf(await work(inside)),
  );

/** Key, work and stored answer commit together; a refusal rolls all of it back and leaves no key. */
async function runOnce(ctx: Context, key: IdempotencyKey, work: (ctx: Context) => Promise<Answer>): Promise<HttpReply> {
  const at = now(ctx);
  await claimKey(ctx.db, ctx.account.id, key, undefined, at);
  return leaveAnswer(ctx, key, await work(ctx), at);
}

/** Of endpoints without a key of ours: a status, and JSON or nothing. */
export const plainReply: (answer: Answer) => HttpReply = bytesOf;

/** A PNG that anybody may keep for a while. */
export const pictureReply = (png: Buffer): HttpReply => ({
  status: 200,
  body: png,
  contentType: "image/png",
  headers: { "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" },
});
