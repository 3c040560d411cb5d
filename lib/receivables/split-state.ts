import { sql } from "drizzle-orm";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import { accountOf, type Party } from "@/lib/ledger/accounts";
import { balancesOf } from "@/lib/ledger/checkpoints";
import type { Cents } from "@/lib/money";
import type { BookedCharge } from "@/lib/receivables/movements";

/** What a party has of a charge that was not refunded yet. */
export interface SplitStanding {
  /** Got, less what refunds gave back of it, whoever paid for that, and less what disputes took. */
  open: Cents;
  refunded: Cents;
  /** Lost to disputes that are not won back. */
  disputed: Cents;
}

/** Of a refund's parts, those that fell on the merchant stay parts of their sellers' shares. */
export async function standingsOf({ db }: Context, chargeId: string): Promise<Map<Party, SplitStanding>> {
  const rows = await db.execute<SplitStanding & { sellerId: Party } & Record<string, unknown>>(sql`
    with moved as (
      select seller_id, coalesce(sum(gross) filter (where type = 'credit'), 0) as got,
             coalesce(-sum(gross) filter (where type in ('refund', 'refund_reversal')), 0) as refunded,
             coalesce(-sum(gross) filter (where type in ('chargeback', 'chargeback_refund')), 0) as disputed
        from receivables where charge_id = ${chargeId} group by seller_id),
    given as (select seller_id, sum(refunded_share) as refunded from split_rules where charge_id = ${chargeId} group by seller_id),
    parts as (
      select m.seller_id, m.got, m.disputed,
             coalesce(g.refunded, (select sum(a.refunded) from moved a) - (select coalesce(sum(b.refunded), 0) from given b)) as refunded
        from moved m left join given g on g.seller_id = m.seller_id)
    select seller_id as "sellerId", (got - refunded - disputed)::float8 as open, refunded::float8 as refunded,
           disputed::float8 as disputed from parts`);
  return new Map([...rows].map(({ sellerId, ...standing }) => [sellerId, standing]));
}

/** How far a refund may reach into what a seller has. */
export interface Position {
  /** Of what is available, down to the least that it may owe. */
  room: Cents;
  maxRefundDays: number | null;
}

const uuids = (ids: readonly string[]): string => `{${[...ids].sort().join(",")}}`;

/**
 * Whoever takes from sellers locks their positions first, then receivables by charge, instalment and id: two who take
 * from the same money wait for each other, and never each for the other.
 */
export async function holdPositions(ctx: Context, merchantId: string, sellerIds: readonly string[]): Promise<void> {
  const { id: clientId } = ctx.account;
  const ids = uuids(sellerIds);
  await ctx.db.execute(sql`
    insert into seller_positions (client_id, merchant_id, seller_id)
    select client_id, merchant_id, id from sellers
     where client_id = ${clientId} and merchant_id = ${merchantId} and id = any(${ids}::uuid[])
     order by id on conflict do nothing`);
  await ctx.db.execute(sql`
    select 1 from seller_positions where merchant_id = ${merchantId} and seller_id = any(${ids}::uuid[])
     order by seller_id for update`);
}

/** Locked until the transaction ends: two refunds never count the same money. The caller holds the charge. */
export async function lockPositions(
  ctx: Context,
  { row }: BookedCharge,
  sellerIds: readonly string[],
): Promise<Map<string, Position>> {
  await holdPositions(ctx, row.merchantId, sellerIds);
  const { id: clientId } = ctx.account;
  const rows = await ctx.db.execute<{ id: string; least: number; maxRefundDays: number | null }>(sql`
    select p.seller_id as id, s.min_negative_balance::float8 as least, s.max_refund_days as "maxRefundDays"
      from seller_positions p join sellers s on s.id = p.seller_id
     where p.merchant_id = ${row.merchantId} and p.seller_id = any(${uuids(sellerIds)}::uuid[])`);
  const books = { clientId, merchantId: row.merchantId, currency: row.currency };
  const accountIdOf = (sellerId: string) => accountOf(books, { kind: "seller_available", sellerId }).id;
  const balances = await balancesOf(
    ctx,
    [...rows].map(({ id }) => accountIdOf(id)),
  );
  return new Map(
    [...rows].map(({ id, least, maxRefundDays }) => {
      const available = -(balances.get(accountIdOf(id)) ?? 0);
      return [id, { room: Math.max(0, available + least), maxRefundDays }];
    }),
  );
}

/** Asked on a day after the last on which the seller gives anything back. */
export const isTooLate = (maxRefundDays: number | null, capturedAt: Date, askedAt: Date): boolean =>
  maxRefundDays !== null && saoPauloDay(askedAt) > addDays(saoPauloDay(capturedAt), maxRefundDays);
