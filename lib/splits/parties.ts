import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { type SplitParty, splitTermsOf } from "@/lib/splits/terms";

/** What no rate is asked for by. */
const NO_METHOD = "";

/**
 * Those of the sellers named that may have a part in a payment of this merchant: its own, active or partial
 * (spec/settlement.md section 3).
 */
export const partiesOf = async (
  ctx: Context,
  merchantId: string,
  rules: readonly { sellerId: string }[],
): Promise<Map<string, SplitParty>> => (await splitTermsOf(ctx, merchantId, rules, NO_METHOD)).parties;

/** What the route of a payment depends on: who shares it, and where all of them are known. */
export function routedAmong(parties: ReadonlyMap<string, SplitParty>): { sellers: string[]; splitAt: string[] } {
  const all = [...parties.values()];
  const [first, ...others] = all;
  const isAt = ({ places }: SplitParty, providerId: string) => places.some((place) => place.providerId === providerId);
  const splitAt = (first?.places ?? []).flatMap(({ providerId }) =>
    others.every((party) => isAt(party, providerId)) ? [providerId] : [],
  );
  return { sellers: all.map(({ id }) => id), splitAt };
}

/** What each provider calls those of them that it knows. */
export type RecipientIds = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function recipientsOf(parties: ReadonlyMap<string, SplitParty>): RecipientIds {
  const known = new Map<string, Map<string, string>>();
  for (const { id, places } of parties.values()) {
    for (const { providerId, externalId } of places) {
      known.set(providerId, (known.get(providerId) ?? new Map<string, string>()).set(id, externalId));
    }
  }
  return known;
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
