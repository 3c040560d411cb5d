import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { subscriptionChanges, subscriptionCycles, subscriptionTries } from "@/db/schema/subscriptions";
import { type Context, inSnapshot } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { type CycleView, type TryRow, withTries } from "@/lib/subscriptions/queries";

export const CYCLES_PER_PAGE = 24;
export const HISTORY_PER_PAGE = 50;

/** What was done to a subscription, or a try to charge one of its cycles: they share one order. */
export type SubscriptionHistoryEntry =
  | { kind: "change"; revision: number; change: typeof subscriptionChanges.$inferSelect }
  | { kind: "charge"; revision: number; attempt: TryRow; cycle: number; amount: number | null };

/** The number after which, going back in time, a page begins, or before which it ends; the newest page without any. */
export interface Place {
  after?: number | undefined;
  before?: number | undefined;
}

/** Newest first, with the places of the pages beside it. */
export interface NumberedPage<T> {
  items: T[];
  newer: number | undefined;
  older: number | undefined;
}

const beside = (number: PgColumn, { after, before }: Place) =>
  before === undefined ? (after === undefined ? undefined : lt(number, after)) : gt(number, before);
const ordered = (number: PgColumn, { before }: Place) => (before === undefined ? desc(number) : asc(number));

/** Of one more than a page holds, in the order in which they were read. */
function pageOf<T>(
  read: readonly T[],
  numberOf: (item: T) => number,
  size: number,
  { after, before }: Place,
): NumberedPage<T> {
  const isMore = read.length > size;
  const items = read.slice(0, size);
  if (before !== undefined) items.reverse();
  const [first, last] = [items[0], items.at(-1)];
  return {
    items,
    newer: first && (before === undefined ? after !== undefined : isMore) ? numberOf(first) : undefined,
    older: last && (before !== undefined || isMore) ? numberOf(last) : undefined,
  };
}

export interface SubscriptionPages {
  cycles: NumberedPage<CycleView>;
  history: NumberedPage<SubscriptionHistoryEntry>;
}

/** All that a subscription was charged and all that happened to it, a page of each. */
export async function subscriptionPages(
  ctx: Context,
  role: OperatorRole,
  id: string,
  places: { cycles: Place; history: Place } = { cycles: {}, history: {} },
): Promise<SubscriptionPages> {
  demand(role, "subscriptions.see");
  if (!isUuid(id)) return { cycles: pageOf([], Number, 0, {}), history: pageOf([], Number, 0, {}) };
  return inSnapshot(ctx, async (inside) => ({
    cycles: await cyclesOf(inside, id, places.cycles),
    history: await historyOf(inside, id, places.history),
  }));
}

async function cyclesOf(ctx: Context, id: string, place: Place): Promise<NumberedPage<CycleView>> {
  const { cycle, clientId, subscriptionId } = subscriptionCycles;
  const rows = await ctx.db
    .select()
    .from(subscriptionCycles)
    .where(and(eq(subscriptionId, id), eq(clientId, ctx.account.id), beside(cycle, place)))
    .orderBy(ordered(cycle, place))
    .limit(CYCLES_PER_PAGE + 1);
  const { items, ...beyond } = pageOf(rows, (row) => row.cycle, CYCLES_PER_PAGE, place);
  const views: CycleView[] = [];
  for (const item of items) views.push(await withTries(ctx, item));
  return { items: views, ...beyond };
}

/** Every renewal and retry has its own place in it, beside what changed the subscription. */
async function historyOf(
  { db, account }: Context,
  id: string,
  place: Place,
): Promise<NumberedPage<SubscriptionHistoryEntry>> {
  const changes = await db
    .select()
    .from(subscriptionChanges)
    .where(
      and(
        eq(subscriptionChanges.subscriptionId, id),
        eq(subscriptionChanges.clientId, account.id),
        beside(subscriptionChanges.revision, place),
      ),
    )
    .orderBy(ordered(subscriptionChanges.revision, place))
    .limit(HISTORY_PER_PAGE + 1);
  const tries = await db
    .select({ attempt: subscriptionTries, cycle: subscriptionCycles.cycle, amount: subscriptionCycles.amount })
    .from(subscriptionTries)
    .innerJoin(subscriptionCycles, eq(subscriptionCycles.id, subscriptionTries.cycleId))
    .where(
      and(
        eq(subscriptionTries.subscriptionId, id),
        eq(subscriptionTries.clientId, account.id),
        beside(subscriptionTries.revision, place),
      ),
    )
    .orderBy(ordered(subscriptionTries.revision, place))
    .limit(HISTORY_PER_PAGE + 1);
  const entries: SubscriptionHistoryEntry[] = [
    ...changes.map((change) => ({ kind: "change" as const, revision: change.revision, change })),
    ...tries.map((one) => ({ kind: "charge" as const, revision: one.attempt.revision, ...one })),
  ];
  const sign = place.before === undefined ? 1 : -1;
  entries.sort((one, other) => sign * (other.revision - one.revision));
  return pageOf(entries.slice(0, HISTORY_PER_PAGE + 1), ({ revision }) => revision, HISTORY_PER_PAGE, place);
}
