import type { Database } from "@/db/client";
import { runText } from "@/db/driver/run-text";
import type { Refundable } from "@/db/schema/sale-plans";
import type { Context } from "@/lib/context";
import type { PlatformRule } from "@/lib/platform-fees/fee";
import { type PricedRate, rateMethodOf } from "@/lib/sale-plans/rates";
import type { SellerTerms } from "@/lib/splits/rows";

/** A seller as a split payment needs it. */
export interface SplitParty extends SellerTerms {
  id: string;
  /** Providers at which it is registered and active, with their name of it. */
  places: { providerId: string; externalId: string }[];
}

/** What the fees of a split payment are made from. */
export interface Prices {
  faresOnRefund: Refundable;
  /** Of the merchant's platform fee; none where it is off. */
  platform: PlatformRule[];
  /** The plan of each seller. */
  plans: { sellerId: string; planId: string | null }[];
  /** Of these plans, for the method of the payment. */
  rates: PricedRate[];
}

export interface SplitTerms {
  /** Those of the sellers named that may have a part: the merchant's own, active or partial. */
  parties: Map<string, SplitParty>;
  prices: Prices;
}

const EMPTY: SplitTerms = {
  parties: new Map(),
  prices: { faresOnRefund: "mdr", platform: [], plans: [], rates: [] },
};

type NamedSeller = SplitParty & { mayShare: boolean; planId: string | null };

/**
 * $2 merchant, $3 sellers, $4 method of the rates. Each row by its key, so that no plan depends on statistics. The list is
 * selected first: by its length a plan for one call would look cheaper than the kept one, each time.
 */
const TEXT = `
  with who as materialized (select set_config('app.client_id', $1, true)::uuid as client_id),
  merchant as materialized (
    select m.* from who, lateral (
      select id, platform_fee_enabled, fares_on_refund from merchants
       where client_id = who.client_id and id = $2::uuid offset 0) m),
  standard as materialized (
    select p.id from who, lateral (
      select id from sale_plans where client_id = who.client_id and is_default offset 0) p),
  named as materialized (
    select s.*, coalesce(s.plan_id, (select id from standard)) as own_plan, r.places
      from who, unnest((select $3::uuid[])) asked (id), lateral (
        select id, plan_id, processing_fee, liable, fare_mdr_bps, fare_fee,
               deleted_at is null and status in ('active', 'partial') as may_share
          from sellers where client_id = who.client_id and merchant_id = $2::uuid and id = asked.id offset 0) s, lateral (
        select coalesce(json_agg(json_build_object('providerId', provider_id, 'externalId', external_id)), '[]') as places
          from seller_registrations
         where seller_id = asked.id and client_id = who.client_id and status = 'active' offset 0) r),
  rates as materialized (
    select r.* from who, (select distinct own_plan from named) n, lateral (
      select id, plan_id, payment_method, brand, installment_from, installment_to, percentage_bps, fixed_amount,
             refundable, effective_from, is_retired
        from sale_plan_rates
       where plan_id = n.own_plan and client_id = who.client_id and payment_method in ($4, 'default') offset 0) r
     order by id),
  fees as materialized (
    select f.* from who, merchant m, lateral (
      select id, payment_method, band, installment, percentage_bps, fixed_amount, refundable, created_at
        from platform_fee_rules
       where merchant_id = m.id and client_id = who.client_id and deleted_at is null offset 0) f
     where m.platform_fee_enabled order by created_at, payment_method, band)
  select (select fares_on_refund from merchant),
         (select json_agg(json_build_object('id', id, 'processingFee', processing_fee, 'liable', liable,
            'fareMdrBps', fare_mdr_bps, 'fareFee', fare_fee, 'places', places, 'mayShare', may_share,
            'planId', own_plan))::text from named),
         (select json_agg(json_build_object('id', id, 'planId', plan_id, 'paymentMethod', payment_method, 'brand', brand,
            'installmentFrom', installment_from, 'installmentTo', installment_to, 'percentageBps', percentage_bps,
            'fixedAmount', fixed_amount, 'refundable', refundable, 'effectiveFrom', effective_from,
            'isRetired', is_retired))::text from rates),
         (select json_agg(json_build_object('id', id, 'paymentMethod', payment_method, 'band', band,
            'installment', installment, 'percentageBps', percentage_bps, 'fixedAmount', fixed_amount,
            'refundable', refundable))::text from fees)`;

/**
 * In one statement, inside a transaction or as one of its own: it names the client to row security before it looks at
 * anything.
 */
export async function splitTermsOf(
  { db, account }: Context,
  merchantId: string,
  rules: readonly { sellerId: string }[],
  paymentType: string,
): Promise<SplitTerms> {
  if (rules.length === 0) return EMPTY;
  return read(db, [account.id, merchantId, `{${sellersOf(rules).join(",")}}`, rateMethodOf(paymentType)]);
}

const sellersOf = (rules: readonly { sellerId: string }[]): string[] => [
  ...new Set(rules.map(({ sellerId }) => sellerId)),
];

// Guarantee: `termsOf` makes it.
const read = async (db: Database, params: string[]): Promise<SplitTerms> =>
  (await runText(db, TEXT, params, ([row]) => termsOf(row ?? []))) as SplitTerms;

function termsOf([faresOnRefund, sellers, rates, platform]: unknown[]): SplitTerms {
  const named = list<NamedSeller>(sellers);
  return {
    parties: new Map(
      named.flatMap(({ mayShare, planId: _priced, ...party }) => (mayShare ? [[party.id, party] as const] : [])),
    ),
    prices: {
      // Guarantee: the column's own values.
      faresOnRefund: (faresOnRefund as Refundable | null) ?? "mdr",
      platform: list<PlatformRule>(platform),
      plans: named.map(({ id, planId }) => ({ sellerId: id, planId })),
      rates: list<PricedRate>(rates),
    },
  };
}

// Guarantee: the statement names the members.
const list = <T>(text: unknown): T[] => (typeof text === "string" ? (JSON.parse(text) as T[]) : []);
