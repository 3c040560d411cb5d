import { type SQL, sql } from "drizzle-orm";
import { type Context, inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { paidSince } from "@/lib/insights/figures";
import { isHandled, isUnhandled } from "@/lib/insights/unhandled-disputes";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import type { AttemptRow } from "@/lib/payments/attempts";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/**
 * A card: taken by its holder's bank, or brought back, the two ends a provider tells of. A Pix: given back by the
 * payer's bank through the Central Bank's special return (MED), at once and for good.
 */
export const DISPUTE_STAGES = ["open", "won", "returned"] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

export interface Dispute {
  /** Of the notice that its charge got of it. */
  id: string;
  chargeId: string;
  /** The page of the payment: the purchase's, for a card of one. */
  paymentId: string;
  stage: DisputeStage;
  /** As the provider wrote it; null where it told none. */
  reason: string | null;
  amount: number;
  currency: string;
  openedAt: Date;
  wonAt: Date | null;
  provider: string;
  merchant: string | null;
  method: string;
  brand: string | null;
  lastFour: string | null;
  orderId: string | null;
  /** Those whom the split holds liable, or who give their share of a Pix back; nobody is the merchant itself. */
  sellers: string[];
  notes: number;
  /** Somebody called it handled. */
  isHandled: boolean;
}

export interface DisputeSum {
  stage: DisputeStage;
  count: number;
  /** Of those in reais. */
  amount: number;
}

export const DISPUTES_PER_PAGE = 25;
const RATE_DAYS = 90;

interface DisputeRow extends Record<string, unknown>, Omit<Dispute, "amount" | "openedAt" | "wonAt"> {
  amount: string;
  openedAt: string;
  wonAt: string | null;
}

/** A charge that was won back may be taken again: each time is a chargeback of its own, ended by the next return. */
const END = sql.raw(`left join lateral (
  select w.created_at from transaction_requests w
   where n.request_type = 'charge_back' and w.charge_id = n.charge_id and w.request_type = 'dispute_closed'
     and w.created_at >= n.created_at
   order by w.created_at limit 1) w on true`);

const STAGE = sql.raw(`case when n.request_type <> 'charge_back' then 'returned'
  when w.created_at is null then 'open' else 'won' end`);

const selected = (ctx: Context): SQL => sql`
  select n.id, n.charge_id as "chargeId", coalesce(c.purchase_id, c.id) as "paymentId",
         ${STAGE} as stage, n.details->>'disputeReason' as reason, n.amount::text, c.currency,
         n.created_at as "openedAt", w.created_at as "wonAt", n.provider_type as provider, m.name as merchant,
         c.payment_type as method, k.brand, k.last4digits as "lastFour", c.order_id as "orderId",
         array(select s.seller_id from split_rules s where s.charge_id = c.id
                  and (s.liable or n.request_type <> 'charge_back') order by s.position) as sellers,
         (select count(*)::int from dispute_notes d where d.client_id = n.client_id and d.dispute_id = n.id and d.mark is null) as notes,
         ${isHandled(ctx)} as "isHandled"
    from transaction_requests n
    join charges c on c.id = n.charge_id
    left join merchants m on m.id = c.merchant_id
    left join cards k on k.id = c.card_id
    ${END}`;

/** In the words of its index, and then: what a provider gave back of a card by itself is no dispute. */
const IS_DISPUTE = sql.raw(`(n.request_type = 'charge_back' or n.request_status_reason = 'forced_by_payer_bank')
  and (n.request_type = 'charge_back' or c.payment_type = 'pix')`);
/** The same of a payment that was read already. */
export const isDispute = (
  { paymentType }: { paymentType: string },
  { requestType, requestStatusReason }: Pick<AttemptRow, "requestType" | "requestStatusReason">,
): boolean =>
  requestType === "charge_back" || (requestStatusReason === "forced_by_payer_bank" && paymentType === "pix");
const isIn = (stage: DisputeStage | undefined): SQL =>
  stage === undefined ? sql.raw("true") : sql`${STAGE} = ${stage}`;

const shaped = (row: DisputeRow): Dispute => ({
  ...row,
  amount: Number(row.amount),
  openedAt: new Date(row.openedAt),
  wonAt: row.wonAt === null ? null : new Date(row.wonAt),
});

interface SumRow extends Record<string, unknown> {
  stage: DisputeStage;
  count: number;
  amount: string;
  unhandled: number;
  unhandledAmount: string;
}

export interface DisputePage {
  items: Dispute[];
  sums: DisputeSum[];
  /** Those that wait for somebody, whatever their stage. */
  unhandled: Omit<DisputeSum, "stage">;
  /** Where the next page begins. */
  next: string | undefined;
}

/** Newest first. */
export async function listDisputes(
  ctx: Context,
  role: OperatorRole,
  {
    stage,
    isUnhandled: isNew = false,
    after,
  }: { stage?: DisputeStage | undefined; isUnhandled?: boolean; after?: string | undefined },
): Promise<DisputePage> {
  demand(role, "disputes.see");
  const client = ctx.account.id;
  return inSnapshot(ctx, async ({ db }) => {
    const rows = await db.execute<DisputeRow>(sql`${selected(ctx)}
      where n.client_id = ${client} and ${IS_DISPUTE} and ${isIn(stage)}
        and ${isNew ? isUnhandled(ctx) : sql.raw("true")} and ${beyond(after)}
      order by n.created_at desc, n.id desc limit ${DISPUTES_PER_PAGE + 1}`);
    const sums = await db.execute<SumRow>(sql`
      select ${STAGE} as stage, count(*)::int as count,
             coalesce(sum(n.amount) filter (where c.currency = 'BRL'), 0)::text as amount,
             count(*) filter (where ${isUnhandled(ctx)})::int as unhandled,
             coalesce(sum(n.amount) filter (where c.currency = 'BRL' and ${isUnhandled(ctx)}), 0)::text as "unhandledAmount"
        from transaction_requests n join charges c on c.id = n.charge_id ${END} where n.client_id = ${client} and ${IS_DISPUTE} group by 1`);
    const items = rows.slice(0, DISPUTES_PER_PAGE).map(shaped);
    const last = items.at(-1);
    return {
      items,
      sums: DISPUTE_STAGES.map((each) => {
        const sum = sums.find((row) => row.stage === each);
        return { stage: each, count: sum?.count ?? 0, amount: Number(sum?.amount ?? 0) };
      }),
      unhandled: {
        count: sums.reduce((sum, row) => sum + row.unhandled, 0),
        amount: sums.reduce((sum, row) => sum + Number(row.unhandledAmount), 0),
      },
      next: rows.length > items.length && last ? `${last.openedAt.toISOString()}_${last.id}` : undefined,
    };
  });
}

function beyond(position: string | undefined): SQL {
  const [at = "", id = ""] = position?.split("_") ?? [];
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime()) || !isUuid(id)) return sql.raw("true");
  return sql`(n.created_at, n.id) < (${moment.toISOString()}::timestamptz, ${id}::uuid)`;
}

export async function findDispute(ctx: Context, role: OperatorRole, id: string): Promise<Dispute> {
  demand(role, "disputes.see");
  if (!isUuid(id)) throw notFound("dispute");
  const [row] = await inSnapshot(ctx, ({ db }) =>
    db.execute<DisputeRow>(
      sql`${selected(ctx)} where n.client_id = ${ctx.account.id} and n.id = ${id} and ${IS_DISPUTE}`,
    ),
  );
  if (!row) throw notFound("dispute");
  return shaped(row);
}

/** How many of the payments of the last ninety days were taken back. */
export async function disputeRate(ctx: Context, role: OperatorRole): Promise<{ disputes: number; paid: number }> {
  demand(role, "disputes.see");
  const since = addSeconds(now(ctx), -RATE_DAYS * DAY_SECONDS);
  const paid = await paidSince(ctx, since);
  const [row] = await inSnapshot(ctx, ({ db }) =>
    db.execute<{ count: number }>(sql`
      select count(*)::int as count from transaction_requests n join charges c on c.id = n.charge_id
       where n.client_id = ${ctx.account.id} and ${IS_DISPUTE} and n.created_at >= ${since.toISOString()}::timestamptz`),
  );
  return { disputes: row?.count ?? 0, paid };
}
