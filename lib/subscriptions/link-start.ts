import { and, eq } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import type { SessionSubscription } from "@/db/schema/sessions";
import { type StartTerms, subscriptionCycles, subscriptionStarts, subscriptionTries } from "@/db/schema/subscriptions";
import { findRows } from "@/db/statements";
import { actorOf } from "@/lib/audit";
import { linkCard } from "@/lib/cards/links";
import { type CardRow, findCardOrGone } from "@/lib/cards/queries";
import { getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { settlePlace } from "@/lib/sessions/places";
import type { SessionRow } from "@/lib/sessions/state";
import { daysFrom } from "@/lib/subscriptions/agreement";
import { utcDayOf } from "@/lib/subscriptions/calendar";
import { insertSubscription } from "@/lib/subscriptions/insert";
import { changeSubscription, moveCycle, replan } from "@/lib/subscriptions/moves";
import type { SubscriptionRow } from "@/lib/subscriptions/queries";
import { cycleOutcomeOf, settleCycle } from "@/lib/subscriptions/settle";
import { addSeconds } from "@/lib/time";

export type StartRow = typeof subscriptionStarts.$inferSelect;

/** Longer than the check of a card takes: whoever began it is gone by then. */
const CHECK_SECONDS = 120;

export interface NewStart {
  /** Of the subscription that it becomes. */
  id: string;
  customerId: string;
  /** Null where the buyer's bank is to pay. */
  cardId: string | null;
  /** Null where a trial comes first. */
  chargeId: string | null;
  installments: number;
  splitRules: StartTerms["splitRules"];
  locale: Locale;
}

/** What a buyer agrees to on a payment link, in the transaction that takes the link's place for it. */
export async function recordStart(ctx: Context, session: SessionRow, start: NewStart): Promise<void> {
  const { subscription } = session;
  if (!subscription) throw new Error("the link starts no subscription");
  const at = now(ctx);
  const { startAt, trialEndAt } = daysFrom(subscription, utcDayOf(at));
  const { splitRules, installments, ...given } = start;
  await ctx.db.insert(subscriptionStarts).values({
    ...given,
    clientId: ctx.account.id,
    sessionId: session.id,
    merchantId: session.merchantId,
    status: "pending",
    startAt,
    trialEndAt,
    terms: termsOf(session, subscription, { installments, splitRules }),
    createdAt: at,
  });
  if (start.chargeId === null && start.cardId !== null)
    await schedule(ctx, "subscription.start", start.id, addSeconds(at, CHECK_SECONDS));
}

export const termsOf = (
  session: SessionRow,
  { interval, cycles }: SessionSubscription,
  { installments, splitRules }: Pick<StartTerms, "installments" | "splitRules">,
): StartTerms => ({
  name: cut(session.name ?? session.items[0]?.name ?? session.id),
  referenceKey: session.orderId,
  items: session.items.map(({ name, description, unitPrice, quantity, categoryId }) => ({
    name,
    amount: unitPrice,
    quantity,
    ...(description === null ? {} : { description }),
    ...(categoryId === null ? {} : { categoryId }),
  })),
  amount: session.amount,
  interval,
  cycles,
  installments,
  splitRules,
});

const LONGEST_NAME = 100;
/** Between characters: half of one is no text that can be kept. */
const cut = (name: string): string => name.slice(0, LONGEST_NAME).replace(/[\uD800-\uDBFF]$/, "");

/**
 * Makes the subscription of an approved first charge, once, whoever comes first and as often as it is told; a declined
 * one leaves nothing behind.
 */
export const settleStart = (caller: Context, chargeId: string): Promise<void> =>
  inTransaction(asEngine(caller), async (ctx) => {
    const start = await lockStart(ctx, { chargeId });
    if (start?.status !== "pending") return;
    const outcome = cycleOutcomeOf(await getCharge(ctx, chargeId));
    if (outcome === "pending") return;
    await endStart(ctx, start, outcome === "approved" ? "started" : "failed");
    if (outcome === "approved") return begin(ctx, start, chargeId);
    // It names a subscription that never came to be.
    await ctx.db
      .update(charges)
      .set({ subscriptionId: null })
      .where(and(eq(charges.clientId, ctx.account.id), eq(charges.id, chargeId)));
    await unschedule(ctx, "subscription.outcome", chargeId);
  });

/** The same for one that begins with a trial: it starts unless its card was refused, and the link's place follows. */
export const settleTrial = (caller: Context, startId: string): Promise<void> =>
  inTransaction(asEngine(caller), async (ctx) => {
    const start = await lockStart(ctx, { id: startId });
    if (start?.status !== "pending" || start.chargeId !== null || start.cardId === null) return;
    const card = await findCardOrGone(ctx, start.cardId);
    const isStarted = card !== undefined && card.status !== "failed";
    await endStart(ctx, start, isStarted ? "started" : "failed");
    await unschedule(ctx, "subscription.start", startId);
    if (isStarted) await insert(ctx, start);
    await settlePlace(ctx, start.sessionId, "reserved", isStarted ? "paid" : "free", "paymentFailed");
  });

/** Whoever brings the news, the engine makes of it what follows. */
const asEngine = ({ idempotency: _own, ...ctx }: Context): Context => ({ ...ctx, principal: { kind: "system" } });

export async function lockStart(
  ctx: Context,
  wanted: { id: string } | { chargeId: string },
): Promise<StartRow | undefined> {
  const [row] = await findRows(ctx.db, subscriptionStarts, { clientId: ctx.account.id, ...wanted }, { lock: "update" });
  return row;
}

export async function findStart(ctx: Context, id: string): Promise<StartRow | undefined> {
  const [row] = await findRows(ctx.db, subscriptionStarts, { clientId: ctx.account.id, id });
  return row;
}

export async function findStartOf(ctx: Context, chargeId: string): Promise<StartRow | undefined> {
  const [row] = await findRows(ctx.db, subscriptionStarts, { clientId: ctx.account.id, chargeId });
  return row;
}

export const endStart = (ctx: Context, { id }: StartRow, status: "started" | "failed"): Promise<unknown> =>
  ctx.db
    .update(subscriptionStarts)
    .set({ status, endedAt: now(ctx) })
    .where(eq(subscriptionStarts.id, id));

async function insert(ctx: Context, start: StartRow): Promise<SubscriptionRow> {
  const { id, sessionId, merchantId, customerId, cardId, startAt, trialEndAt, terms, locale, createdAt } = start;
  if (cardId === null) throw new Error("a start by a bank has its subscription already");
  await keepCard(ctx, customerId, await findCardOrGone(ctx, cardId));
  return insertSubscription(ctx, {
    ...terms,
    id,
    sessionId,
    merchantId,
    customerId,
    method: "credit",
    cardId,
    startAt,
    trialEndAt,
    locale,
    createdAt,
    updatedAt: now(ctx),
  });
}

/** The buyer's from now on; one that is somebody's already, or whose buyer is gone, stays as it is. */
async function keepCard(ctx: Context, customerId: string, card: CardRow | undefined): Promise<void> {
  const isFree = card !== undefined && card.customerId === null && card.deletedAt === null && card.status !== "failed";
  if (isFree && (await findCustomer(ctx, customerId)))
    await linkCard(ctx, customerId, { cardId: card.id, default: false });
}

/** The first cycle is the one that the buyer has just paid. */
async function begin(ctx: Context, start: StartRow, chargeId: string): Promise<void> {
  const { amount, splitRules } = start.terms;
  const at = now(ctx);
  const made = await insert(ctx, start);
  const [cycle] = await ctx.db
    .insert(subscriptionCycles)
    .values({
      id: newId(),
      clientId: ctx.account.id,
      subscriptionId: made.id,
      customerId: made.customerId,
      merchantId: made.merchantId,
      cycle: 1,
      status: "scheduled",
      dueOn: made.startAt,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!cycle) throw new Error("the first cycle was not written");
  const row = await replan(ctx, made);
  const revision = row.revision + 1;
  await ctx.db.insert(subscriptionTries).values({
    id: newId(),
    clientId: ctx.account.id,
    subscriptionId: row.id,
    cycleId: cycle.id,
    number: 1,
    kind: "first",
    status: "pending",
    chargeId,
    cardId: row.cardId,
    actor: actorOf(ctx),
    revision,
    createdAt: start.createdAt,
  });
  await moveCycle(ctx, cycle, "charge.started", { attempts: 1, amount, splitRules });
  await changeSubscription(ctx, row, { revision });
  await settleCycle(ctx, chargeId);
}
