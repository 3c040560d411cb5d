import { and, eq } from "drizzle-orm";
import { equalsLiteral } from "@/db/literals";
import { idempotencyKeys } from "@/db/schema/accounts";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { type Answer, Answered, claimKey, findAnswer, storeAnswer } from "@/lib/idempotency";
import {
  type CycleView,
  getCycle,
  getSubscription,
  openCycleOf,
  type SubscriptionRow,
  type SubscriptionView,
  viewOf,
} from "@/lib/subscriptions/queries";
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

/** Made of the rows alone: the request that asked and the worker that finishes its work answer the same. */
const ANSWERS: Readonly<Record<string, (ctx: Context, asked: Asked) => Promise<Answer>>> = {
  [CREATE_KIND]: async (ctx, { subscriptionId }) => subscriptionReply(ctx, await viewById(ctx, subscriptionId), 201),
  [RESUME_KIND]: async (ctx, { subscriptionId }) =>
    resumeReply(await resumed(ctx, await getSubscription(ctx, subscriptionId), undefined)),
  [RETRY_KIND]: async (ctx, { subscriptionId, cycleId = "" }) =>
    cycleReply(await getCycle(ctx, subscriptionId, cycleId)),
};

export const viewById = async (ctx: Context, subscriptionId: string): Promise<SubscriptionView> =>
  viewOf(ctx, await getSubscription(ctx, subscriptionId));

export const subscriptionReply = (ctx: Context, view: SubscriptionView, status: 200 | 201): Answer => ({
  status,
  body: subscriptionBody.parse(serializeSubscription(ctx, view)),
});

export const resumeReply = (body: LifecycleBody): Answer => ({ status: 200, body: lifecycleBody.parse(body) });

export const cycleReply = (cycle: CycleView): Answer => ({ status: 200, body: cycleBody.parse(serializeCycle(cycle)) });

export const lifecycleOf = (row: SubscriptionRow, message: string): LifecycleBody => ({
  id: row.id,
  status: row.status,
  message,
  updatedAt: row.updatedAt,
});

/** What a resumption led to; `refusal` when the networks forbid the card. What is not known is not called refused. */
export async function resumed(ctx: Context, row: SubscriptionRow, refusal: string | undefined): Promise<LifecycleBody> {
  if (row.status !== "unpaid") return lifecycleOf(row, "subscription active");
  if (row.method === "pix_automatic") return lifecycleOf(row, "the buyer's bank was asked to pay the cycle");
  if (await openCycleOf(ctx, row.id)) return lifecycleOf(row, "the charge is under way: its outcome is not known yet");
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

/** What the work led to, and how its request is answered. */
interface Ending<V> {
  read(ctx: Context): Promise<V>;
  reply(ctx: Context, value: V): Answer;
}

/** After the work: what it led to, kept with the key. Where whoever wrote the outcome has answered, its bytes count. */
export async function answerSubscription<V>(ctx: Context, { read, reply }: Ending<V>): Promise<V> {
  const { value, stored } = await inTransaction(ctx, async (inside) => {
    const { db, account, idempotency } = inside;
    const known = idempotency && (await findAnswer(db, account.id, idempotency).catch(unlessOpen));
    const value = await read(inside);
    if (!idempotency || known) return { value, stored: known };
    await storeAnswer(db, account.id, idempotency, reply(inside, value), now(inside));
    // Whoever wrote the outcome meanwhile was first: every repeat is given its bytes.
    return { value, stored: ctx.isInTransaction ? undefined : await findAnswer(db, account.id, idempotency) };
  });
  // Only once it is committed.
  if (stored) throw new Answered(stored, false);
  return value;
}

const unlessOpen = (thrown: unknown): undefined => {
  if (!(thrown instanceof DomainError) || thrown.businessCode !== "idempotency_key_in_progress") throw thrown;
};

const answerOf = (ctx: Context, kind: string, asked: Asked): Promise<Answer> => {
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
