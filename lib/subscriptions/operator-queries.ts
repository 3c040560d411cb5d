import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { cards, customers } from "@/db/schema/customers";
import { merchants } from "@/db/schema/merchants";
import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
  subscriptionCycles,
  subscriptions,
} from "@/db/schema/subscriptions";
import { type Context, inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { type Buyer, shownBuyer } from "@/lib/operators/buyers";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { subscriptionsMeant } from "@/lib/search/subscriptions";
import { type MandateRow, mandateOf } from "@/lib/subscriptions/mandate-queries";
import {
  type AnchorRow,
  anchorsOf,
  type Counts,
  type CycleView,
  countsOf,
  findSettings,
  type SubscriptionRow,
  type SubscriptionSettingsRow,
  withTries,
} from "@/lib/subscriptions/queries";

export const SUBSCRIPTIONS_PER_PAGE = 25;
/** Of which one is open, if any is. */
const MOST_CYCLES = 24;

export interface ListedSubscription {
  row: SubscriptionRow;
  buyer: Buyer | undefined;
  /** Of the cycle that is being retried, or whose failure made it unpaid; 0 where nothing is open. */
  atRisk: number;
  nextRetryOn: string | null;
}

export interface SubscriptionPage {
  items: ListedSubscription[];
  previous: string | undefined;
  next: string | undefined;
}

interface Asked {
  status?: string | undefined;
  merchantId?: string | undefined;
  customerId?: string | undefined;
  sessionId?: string | undefined;
  /** An id, the merchant's own key, a part of the name, or a buyer. */
  search?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

export const statusIn = (given: string | undefined): SubscriptionStatus | undefined =>
  SUBSCRIPTION_STATUSES.find((one) => one === given);

export async function listSubscriptionsForOperator(
  ctx: Context,
  role: OperatorRole,
  asked: Asked,
): Promise<SubscriptionPage> {
  demand(role, "subscriptions.see");
  const { before, after } = asked;
  const direction = before === undefined ? desc : asc;
  const status = statusIn(asked.status);
  const meant = asked.search?.trim() ? await subscriptionsMeant(ctx, role, asked.search) : undefined;
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select({ row: subscriptions, customer: customers, open: OPEN_AMOUNT, nextRetryOn: NEXT_RETRY })
      .from(subscriptions)
      .leftJoin(customers, eq(customers.id, subscriptions.customerId))
      .where(
        and(
          eq(subscriptions.clientId, account.id),
          status ? eq(subscriptions.status, status) : undefined,
          asked.merchantId && isUuid(asked.merchantId) ? eq(subscriptions.merchantId, asked.merchantId) : undefined,
          asked.customerId && isUuid(asked.customerId) ? eq(subscriptions.customerId, asked.customerId) : undefined,
          asked.sessionId ? eq(subscriptions.sessionId, asked.sessionId) : undefined,
          meant,
          beyond(before ?? after, before !== undefined),
        ),
      )
      .orderBy(direction(subscriptions.createdAt), direction(subscriptions.id))
      .limit(SUBSCRIPTIONS_PER_PAGE + 1),
  );
  const isMore = rows.length > SUBSCRIPTIONS_PER_PAGE;
  const shown = rows.slice(0, SUBSCRIPTIONS_PER_PAGE);
  if (before !== undefined) shown.reverse();
  const [first, last] = [shown[0]?.row, shown.at(-1)?.row];
  return {
    items: shown.map(({ row, customer, open, nextRetryOn }) => ({
      row,
      buyer: shownBuyer(role, customer),
      atRisk: Number(open ?? 0),
      nextRetryOn,
    })),
    previous: first && (before === undefined ? after !== undefined : isMore) ? positionOf(first) : undefined,
    next: last && (before !== undefined || isMore) ? positionOf(last) : undefined,
  };
}

export const AT_RISK = sql`k.status = 'retrying' or (k.status = 'failed' and s.status = 'unpaid')`;
const OPEN_AMOUNT = sql<string | null>`(
  select coalesce(k.amount, ${subscriptions.amount}) from subscription_cycles k, (select ${subscriptions.status} as status) s
   where k.subscription_id = ${subscriptions.id} and (${AT_RISK}) order by k.cycle desc limit 1)`;
const NEXT_RETRY = sql<string | null>`(
  select k.next_retry_on::text from subscription_cycles k
   where k.subscription_id = ${subscriptions.id} and k.status = 'retrying')`;

const positionOf = (row: { createdAt: Date; id: string }): string => `${row.createdAt.toISOString()}_${row.id}`;

function beyond(position: string | undefined, isBackward: boolean): SQL | undefined {
  const [at = "", id = ""] = position?.split("_") ?? [];
  if (Number.isNaN(Date.parse(at)) || !isUuid(id)) return undefined;
  const place = sql`(${new Date(at).toISOString()}::timestamptz, ${id}::uuid)`;
  const own = sql`(${subscriptions.createdAt}, ${subscriptions.id})`;
  return isBackward ? sql`${own} > ${place}` : sql`${own} < ${place}`;
}

export interface SubscriptionFigures {
  active: number;
  unpaid: number;
  retrying: number;
  /** Open amounts of cycles that are being retried or whose failure made a subscription unpaid. */
  atRisk: number;
  /** Per month, active ones alone: weekly ones half up × 52 / 12, the others ÷ their months (rulings 31). */
  monthly: number;
}

export async function subscriptionFiguresOf(ctx: Context, role: OperatorRole): Promise<SubscriptionFigures> {
  demand(role, "subscriptions.see");
  return inSnapshot(ctx, subscriptionFiguresWithin);
}

/** Of subscription `s`. */
export const MONTHLY = sql.raw(`round(s.amount::numeric * case s.interval when 'weekly' then 52 else 1 end
  / case s.interval when 'weekly' then 12 when 'monthly' then 1
    when 'quarterly' then 3 when 'yearly' then 12 when 'biennial' then 24 else 36 end)`);

export async function subscriptionFiguresWithin({ db, account }: Context): Promise<SubscriptionFigures> {
  // Equal ones are worked out once, and only a cycle without an amount of its own, or that failed, asks its subscription.
  const [row] = await db.execute<{
    active: number;
    unpaid: number;
    retrying: number;
    atRisk: string;
    monthly: string;
  }>(sql`
    select coalesce(sum(s.many), 0)::int as active, coalesce(sum(s.many * ${MONTHLY}), 0)::text as monthly,
           (select count(*)::int from subscriptions u where u.client_id = ${account.id} and u.status = 'unpaid') as unpaid,
           r.retrying, (r.amount + r.failed)::text as "atRisk"
      from (select a.interval, a.amount, count(*) as many
              from subscriptions a where a.client_id = ${account.id} and a.status = 'active'
             group by a.interval, a.amount) s
     right join (
       select (select count(*)::int from subscription_cycles k
                where k.client_id = ${account.id} and k.status = 'retrying') as retrying,
              (select coalesce(sum(k.amount), 0) from subscription_cycles k
                where k.client_id = ${account.id} and k.status = 'retrying' and k.amount is not null)
              + (select coalesce(sum(s.amount), 0) from subscription_cycles k join subscriptions s on s.id = k.subscription_id
                  where k.client_id = ${account.id} and k.status = 'retrying' and k.amount is null) as amount,
              (select coalesce(sum(k.amount), 0) from subscription_cycles k join subscriptions s on s.id = k.subscription_id
                where k.client_id = ${account.id} and k.status = 'failed' and k.amount is not null
                  and s.client_id = ${account.id} and s.status = 'unpaid')
              + (select coalesce(sum(s.amount), 0) from subscription_cycles k join subscriptions s on s.id = k.subscription_id
                  where k.client_id = ${account.id} and k.status = 'failed' and k.amount is null
                    and s.client_id = ${account.id} and s.status = 'unpaid') as failed) r on true
     group by r.retrying, r.amount, r.failed`);
  return {
    active: row?.active ?? 0,
    unpaid: row?.unpaid ?? 0,
    retrying: row?.retrying ?? 0,
    atRisk: Number(row?.atRisk ?? 0),
    monthly: Number(row?.monthly ?? 0),
  };
}

export interface SubscriptionOverview {
  row: SubscriptionRow;
  buyer: Buyer | undefined;
  merchant: string | null;
  /** Of one that its buyer's bank pays. */
  mandate: MandateRow | undefined;
  card: { brand: string; last4digits: string; expirationMonth: string; expirationYear: string } | undefined;
  anchors: AnchorRow[];
  counts: Counts;
  /** Newest first; what is being charged now is among them. */
  cycles: CycleView[];
  settings: SubscriptionSettingsRow | undefined;
}

export async function overviewOf(ctx: Context, role: OperatorRole, id: string): Promise<SubscriptionOverview> {
  demand(role, "subscriptions.see");
  if (!isUuid(id)) throw notFound("subscription");
  return inSnapshot(ctx, async (inside) => {
    const { db, account } = inside;
    const [base] = await db
      .select({ row: subscriptions, customer: customers, merchant: merchants.name, card: cards })
      .from(subscriptions)
      .leftJoin(customers, eq(customers.id, subscriptions.customerId))
      .leftJoin(merchants, eq(merchants.id, subscriptions.merchantId))
      .leftJoin(cards, eq(cards.id, subscriptions.cardId))
      .where(and(eq(subscriptions.clientId, account.id), eq(subscriptions.id, id)));
    if (!base) throw notFound("subscription");
    const rows = await db
      .select()
      .from(subscriptionCycles)
      .where(eq(subscriptionCycles.subscriptionId, id))
      .orderBy(desc(subscriptionCycles.cycle))
      .limit(MOST_CYCLES);
    const cycles: CycleView[] = [];
    for (const cycle of rows) cycles.push(await withTries(inside, cycle));
    return {
      row: base.row,
      buyer: shownBuyer(role, base.customer),
      merchant: base.merchant,
      mandate: base.row.method === "pix_automatic" ? await mandateOf(inside, id) : undefined,
      card: base.card ?? undefined,
      anchors: await anchorsOf(inside, id),
      counts: await countsOf(inside, id),
      cycles,
      settings: await findSettings(inside),
    };
  });
}
