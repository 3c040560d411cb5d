import { and, asc, desc, eq, gt, inArray, notInArray, sql } from "drizzle-orm";
import { runText } from "@/db/driver/run-text";
import { charges } from "@/db/schema/charges";
import {
  subscriptionAnchors,
  subscriptionCycles,
  subscriptionSettings,
  subscriptions,
  subscriptionTries,
} from "@/db/schema/subscriptions";
import { findRows } from "@/db/statements";
import { type Context, publicKeyOf } from "@/lib/context";
import { type DeclinedCode, helpfulReason } from "@/lib/declines/decline-codes";
import { notFound } from "@/lib/errors";
import { directionOf, offsetOf, type Page, type Paged, readingOf } from "@/lib/http/pagination";
import { pipelined } from "@/lib/pipeline";
import { type MandateRow, mandateOf } from "@/lib/subscriptions/mandate-queries";

export type SubscriptionRow = typeof subscriptions.$inferSelect;
export type CycleRow = typeof subscriptionCycles.$inferSelect;
export type TryRow = typeof subscriptionTries.$inferSelect;
export type AnchorRow = typeof subscriptionAnchors.$inferSelect;
export type SubscriptionSettingsRow = typeof subscriptionSettings.$inferSelect;

export interface CycleView {
  cycle: CycleRow;
  /** In their order. */
  tries: TryRow[];
}

/** How many cycles have a row, and what became of them. */
export interface Counts {
  newest: number;
  /** Canceled ones do not count (spec/contract.md 17.4). */
  canceled: number;
  /** Authorized or failed. */
  ended: number;
}

export interface SubscriptionView {
  row: SubscriptionRow;
  anchors: AnchorRow[];
  counts: Counts;
  last: CycleView | undefined;
  /** Of one that is paid by its buyer's bank. */
  mandate: MandateRow | undefined;
}

/** Unknown and another client's are answered alike. */
export async function getSubscription(ctx: Context, id: string): Promise<SubscriptionRow> {
  const [row] = await findRows(ctx.db, subscriptions, { clientId: ctx.account.id, id });
  if (!row) throw notFound("subscription");
  return row;
}

/** Those of a customer that are not over, in the order in which they are locked. */
export const runningOf = (ctx: Context, customerId: string): Promise<SubscriptionRow[]> =>
  ctx.db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.clientId, ctx.account.id),
        eq(subscriptions.customerId, customerId),
        notInArray(subscriptions.status, ["canceled", "expired"]),
      ),
    )
    .orderBy(subscriptions.id);

/** Every change of a subscription and every begin of a try holds this lock: they have one order. */
export async function lockSubscription(ctx: Context, id: string): Promise<SubscriptionRow> {
  const [row] = await findRows(ctx.db, subscriptions, { clientId: ctx.account.id, id }, { lock: "update" });
  if (!row) throw notFound("subscription");
  return row;
}

export async function viewOf(ctx: Context, row: SubscriptionRow): Promise<SubscriptionView> {
  const [anchors, counts, last, mandate] = await pipelined([
    anchorsOf(ctx, row.id),
    countsOf(ctx, row.id),
    lastCycleOf(ctx, row.id),
    row.method === "pix_automatic" ? mandateOf(ctx, row.id) : undefined,
  ]);
  return { row, anchors, counts, last: last && (await withTries(ctx, last)), mandate };
}

export const anchorsOf = (ctx: Context, subscriptionId: string): Promise<AnchorRow[]> =>
  findRows(ctx.db, subscriptionAnchors, { subscriptionId });

const COUNTS = `
  select coalesce(max(cycle), 0), count(*) filter (where status = 'canceled'),
         count(*) filter (where status in ('authorized', 'failed'))
    from subscription_cycles where subscription_id = $1`;

export async function countsOf(ctx: Context, subscriptionId: string): Promise<Counts> {
  const counts = await runText(ctx.db, COUNTS, [subscriptionId], ([row = []]) => row.map(Number));
  // Guarantee: the statement answers one row of three numbers.
  const [newest, canceled, ended] = counts as [number, number, number];
  return { newest, canceled, ended };
}

/** The last one that was charged; where none was, the last that was skipped. */
async function lastCycleOf(ctx: Context, subscriptionId: string): Promise<CycleRow | undefined> {
  const where = { subscriptionId };
  const [row] = await findRows(ctx.db, subscriptionCycles, where, {
    condition: HAS_BEGUN,
    order: CHARGED_LAST,
    isFirst: true,
  });
  return row;
}

const HAS_BEGUN = sql`${subscriptionCycles.status} <> 'scheduled'`;
const CHARGED_LAST = sql`${subscriptionCycles.status} = 'canceled', ${subscriptionCycles.cycle} desc`;

export async function withTries(ctx: Context, cycle: CycleRow): Promise<CycleView> {
  const tries = await findRows(ctx.db, subscriptionTries, { cycleId: cycle.id }, { order: IN_THEIR_ORDER });
  return { cycle, tries };
}

/** Why the card that the subscription has was declined last, as far as its buyer is told. */
export async function reasonOf(
  ctx: Context,
  { cardId }: Pick<SubscriptionRow, "cardId">,
  cycle: CycleRow,
): Promise<DeclinedCode | undefined> {
  if (cardId === null) return undefined;
  const { tries } = await withTries(ctx, cycle);
  const last = tries.findLast((one) => one.cardId === cardId);
  return last?.status === "failed" ? helpfulReason(last.error) : undefined;
}

const IN_THEIR_ORDER = sql`${subscriptionTries.number}`;

/** The one that is tried, or is to be tried again. */
export async function openCycleOf(ctx: Context, subscriptionId: string): Promise<CycleRow | undefined> {
  const [row] = await findRows(ctx.db, subscriptionCycles, { subscriptionId }, { condition: IS_OPEN });
  return row;
}

const IS_OPEN = sql`${subscriptionCycles.status} in ('pending', 'retrying')`;

export async function oldestOf(
  ctx: Context,
  subscriptionId: string,
  status: CycleRow["status"],
): Promise<CycleRow | undefined> {
  const where = { subscriptionId, status };
  const [row] = await findRows(ctx.db, subscriptionCycles, where, { order: OLDEST_FIRST, isFirst: true });
  return row;
}

const OLDEST_FIRST = sql`${subscriptionCycles.cycle}`;

/** Who is paid for a cycle: fixed by its first try, with its amount and its split. */
export const merchantOf = ({ merchantId }: SubscriptionRow, cycle: CycleRow): string =>
  cycle.amount === null ? merchantId : cycle.merchantId;

/** The cycle whose failure made it unpaid. */
export async function lastFailedOf(ctx: Context, subscriptionId: string): Promise<CycleRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(subscriptionCycles)
    .where(and(eq(subscriptionCycles.subscriptionId, subscriptionId), eq(subscriptionCycles.status, "failed")))
    .orderBy(desc(subscriptionCycles.cycle))
    .limit(1);
  return row;
}

export async function findCycle(ctx: Context, id: string): Promise<CycleRow | undefined> {
  const [row] = await findRows(ctx.db, subscriptionCycles, { clientId: ctx.account.id, id });
  return row;
}

export async function getCycle(ctx: Context, subscriptionId: string, id: string): Promise<CycleView> {
  const cycle = await findCycle(ctx, id);
  if (!cycle || cycle.subscriptionId !== subscriptionId) throw notFound("cycle");
  return withTries(ctx, cycle);
}

export async function findTryOf(ctx: Context, chargeId: string): Promise<TryRow | undefined> {
  const [row] = await findRows(ctx.db, subscriptionTries, { clientId: ctx.account.id, chargeId });
  return row;
}

/** What went back of the charges that paid its cycles, by the cycle. */
export async function refundsOf(
  { db }: Context,
  subscriptionId: string,
): Promise<Map<string, { amount: number; isWhole: boolean }>> {
  const rows = await db
    .select({ cycleId: subscriptionTries.cycleId, amount: charges.refundedAmount, captured: charges.capturedAmount })
    .from(charges)
    .innerJoin(subscriptionTries, eq(subscriptionTries.chargeId, charges.id))
    .where(and(eq(charges.subscriptionId, subscriptionId), gt(charges.refundedAmount, 0)));
  return new Map(rows.map(({ cycleId, amount, captured }) => [cycleId, { amount, isWhole: amount >= captured }]));
}

export async function findSettings(ctx: Context): Promise<SubscriptionSettingsRow | undefined> {
  const [row] = await findRows(ctx.db, subscriptionSettings, { clientId: ctx.account.id });
  return row;
}

export interface SubscriptionFilters extends Page {
  status?: SubscriptionRow["status"][] | undefined;
  merchantId?: string | undefined;
  customerId?: string | undefined;
  referenceKey?: string | undefined;
}

export async function listSubscriptions(ctx: Context, filters: SubscriptionFilters): Promise<Paged<SubscriptionRow>> {
  const key = publicKeyOf(ctx);
  const wanted = and(
    eq(subscriptions.clientId, ctx.account.id),
    key === undefined ? undefined : eq(subscriptions.createdByKey, key),
    filters.status ? inArray(subscriptions.status, filters.status) : undefined,
    filters.merchantId ? eq(subscriptions.merchantId, filters.merchantId) : undefined,
    filters.customerId ? eq(subscriptions.customerId, filters.customerId) : undefined,
    filters.referenceKey ? eq(subscriptions.referenceKey, filters.referenceKey) : undefined,
  );
  const totalItems = await ctx.db.$count(subscriptions, wanted);
  const reading = readingOf(filters, totalItems);
  if (!reading) return { items: [], totalItems };
  const { size, offset, isBackward, isAscending } = reading;
  const order = isAscending ? asc : desc;
  // What lies before the page is passed over in the index alone; only the page itself is read.
  const page = ctx.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(wanted)
    .orderBy(order(subscriptions.createdAt), order(subscriptions.id))
    .limit(size)
    .offset(offset);
  const items = await ctx.db
    .select()
    .from(subscriptions)
    .where(sql`${subscriptions.id} = any(array${page})`)
    .orderBy(order(subscriptions.createdAt), order(subscriptions.id));
  return { items: isBackward ? items.reverse() : items, totalItems };
}

export async function listCycles(ctx: Context, subscriptionId: string, page: Page): Promise<Paged<CycleRow>> {
  await getSubscription(ctx, subscriptionId);
  const order = directionOf(page) === "asc" ? asc : desc;
  const wanted = eq(subscriptionCycles.subscriptionId, subscriptionId);
  const items = await ctx.db
    .select()
    .from(subscriptionCycles)
    .where(wanted)
    .orderBy(order(subscriptionCycles.cycle))
    .limit(page.limit)
    .offset(offsetOf(page));
  return { items, totalItems: await ctx.db.$count(subscriptionCycles, wanted) };
}
