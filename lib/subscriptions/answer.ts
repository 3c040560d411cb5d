import { and, eq } from "drizzle-orm";
import { equalsLiteral } from "@/db/literals";
import { idempotencyKeys } from "@/db/schema/accounts";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { claimKey, findAnswer, type StoredAnswer, storeAnswer } from "@/lib/idempotency";
import { getCycle, getSubscription, type SubscriptionRow, viewOf } from "@/lib/subscriptions/queries";
import { cycleBody, type LifecycleBody, lifecycleBody, subscriptionBody } from "@/lib/subscriptions/schema";
import { serializeCycle, serializeSubscription } from "@/lib/subscriptions/serializer";

/** Requests that charge while the client waits, as their idempotency keys name them. */
export const CREATE_KIND = "subscription.create";
export const RESUME_KIND = "subscription.resume";
export const RETRY_KIND = "subscription.retry";

interface Asked {
  subscriptionId: string;
  cycleId: string | undefined;
}

/** Made of the rows alone: the request that asked and the worker that finishes its work answer the same bytes. */
const ANSWERS: Readonly<Record<string, (ctx: Context, asked: Asked) => Promise<StoredAnswer>>> = {
  [CREATE_KIND]: async (ctx, { subscriptionId }) => ({ status: 201, body: await bodyOf(ctx, subscriptionId) }),
  [RESUME_KIND]: async (ctx, { subscriptionId }) => {
    const row = await getSubscription(ctx, subscriptionId);
    return ok(lifecycleBody.parse(resumed(row, undefined)));
  },
  [RETRY_KIND]: async (ctx, { subscriptionId, cycleId = "" }) =>
    ok(cycleBody.parse(serializeCycle(await getCycle(ctx, subscriptionId, cycleId)))),
};

const ok = (body: unknown): StoredAnswer => ({ status: 200, body: Buffer.from(JSON.stringify(body)) });

export async function bodyOf(ctx: Context, subscriptionId: string): Promise<Buffer> {
  const view = await viewOf(ctx, await getSubscription(ctx, subscriptionId));
  return Buffer.from(JSON.stringify(subscriptionBody.parse(serializeSubscription(ctx, view))));
}

export const lifecycleOf = (row: SubscriptionRow, message: string): LifecycleBody => ({
  id: row.id,
  status: row.status,
  message,
  updatedAt: row.updatedAt,
});

/** What a resumption led to; `refusal` when the networks forbid the card. */
export function resumed(row: SubscriptionRow, refusal: string | undefined): LifecycleBody {
  if (row.status !== "unpaid") return lifecycleOf(row, "subscription active");
  if (row.method === "pix_automatic") return lifecycleOf(row, "the buyer's bank was asked to pay the cycle");
  return lifecycleOf(
    row,
    refusal === undefined
      ? "the charge was not approved: another card is needed"
      : "the card cannot be charged again: another card is needed",
  );
}

/** In the transaction that begins the work; a refusal of it frees the key. */
export async function claimFor(ctx: Context, caller: Context, subscriptionId: string): Promise<void> {
  const { idempotency } = caller;
  if (idempotency) await claimKey(ctx.db, ctx.account.id, idempotency, { resourceId: subscriptionId }, now(ctx));
}

/** After the work: the answer that whoever wrote the outcome has stored, or this one. */
export const finalAnswer = (ctx: Context, make: (ctx: Context) => Promise<StoredAnswer>): Promise<StoredAnswer> =>
  inTransaction(ctx, async (inside) => {
    const { db, account, idempotency } = inside;
    if (!idempotency) return make(inside);
    const stored = await findAnswer(db, account.id, idempotency).catch(unlessOpen);
    if (stored) return stored;
    const answer = await make(inside);
    await storeAnswer(db, account.id, idempotency, answer, now(inside));
    // Whoever wrote the outcome meanwhile was first: every repeat is given its bytes.
    return (await findAnswer(db, account.id, idempotency)) ?? answer;
  });

const unlessOpen = (thrown: unknown): undefined => {
  if (!(thrown instanceof DomainError) || thrown.businessCode !== "idempotency_key_in_progress") throw thrown;
};

export const answerOf = (ctx: Context, kind: string, asked: Asked): Promise<StoredAnswer> => {
  const make = ANSWERS[kind];
  if (!make) throw new Error(`nobody answers a ${kind} with a subscription`);
  return make(ctx, asked);
};

/** In the transaction of the outcome: requests whose process died are answered by their repeats with it. */
export async function answerOpen(ctx: Context, asked: Asked): Promise<void> {
  const { namespace, key, kind } = idempotencyKeys;
  const open = await ctx.db
    .select({ namespace, key, kind })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.resourceId, asked.subscriptionId), equalsLiteral(idempotencyKeys.state, "open")));
  for (const one of open) {
    await storeAnswer(ctx.db, ctx.account.id, one, await answerOf(ctx, one.kind, asked), now(ctx));
  }
}
