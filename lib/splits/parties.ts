import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { SellerTerms } from "@/lib/splits/rows";

/** A seller as a split payment needs it. */
export interface SplitParty extends SellerTerms {
  id: string;
  /** Providers at which it is registered and active. */
  places: string[];
}

/**
 * Those of the sellers named that may have a part in a payment of this merchant: its own, active or partial
 * (spec/settlement.md section 3).
 */
export async function partiesOf(
  ctx: Context,
  merchantId: string,
  rules: readonly { sellerId: string }[],
): Promise<Map<string, SplitParty>> {
  if (rules.length === 0) return new Map();
  const ids = [...new Set(rules.map(({ sellerId }) => sellerId))];
  const rows = await ctx.db.execute<SplitParty & Record<string, unknown>>(sql`
    select s.id, s.processing_fee as "processingFee", s.liable, s.fare_mdr_bps as "fareMdrBps",
           s.fare_fee::float8 as "fareFee",
           array(select r.provider_id from seller_registrations r
                  where r.seller_id = s.id and r.status = 'active') as places
      from sellers s
     where s.client_id = ${ctx.account.id} and s.merchant_id = ${merchantId} and s.deleted_at is null
       and s.status in ('active', 'partial') and s.id = any(${`{${ids.join(",")}}`}::uuid[])`);
  return new Map([...rows].map((row) => [row.id, row]));
}

/** What the route of a payment depends on: who shares it, and where all of them are known. */
export function routedAmong(parties: ReadonlyMap<string, SplitParty>): { sellers: string[]; splitAt: string[] } {
  const all = [...parties.values()];
  const [first, ...others] = all;
  const splitAt = (first?.places ?? []).filter((place) => others.every(({ places }) => places.includes(place)));
  return { sellers: all.map(({ id }) => id), splitAt };
}

/** What a provider calls these sellers. */
export async function recipientIdsAt(
  ctx: Context,
  providerId: string,
  rules: readonly { sellerId: string }[],
): Promise<Map<string, string>> {
  const ids = rules.map(({ sellerId }) => sellerId);
  const rows = await ctx.db.execute<{ sellerId: string; externalId: string }>(sql`
    select seller_id as "sellerId", external_id as "externalId" from seller_registrations
     where client_id = ${ctx.account.id} and provider_id = ${providerId} and external_id is not null
       and seller_id = any(${`{${ids.join(",")}}`}::uuid[])`);
  return new Map([...rows].map(({ sellerId, externalId }) => [sellerId, externalId]));
}
