import { sql } from "drizzle-orm";
import { systemSql } from "@/db/client";
import { charges } from "@/db/schema/charges";
import { cards } from "@/db/schema/customers";
import { purchases } from "@/db/schema/purchases";
import type { BrandName } from "@/lib/brazil/card-brand";
import { MOST_COUNTED } from "@/lib/charges/search";
import type { Context } from "@/lib/context";
import { MOST_CARDS } from "@/lib/purchases/checks";
import { fewOr, MOST_NAMED, type Narrowed } from "@/lib/search/few-or";
import { hasSlotOfBrand } from "@/lib/search/purchases";

/** Asked of each row that is walked past. */
export const ofBrand = (brand: BrandName): Narrowed => ({
  charge: sql`exists (select from ${cards} where ${cards.id} = ${charges.cardId} and ${cards.brand} = ${brand} offset 0)`,
  purchase: hasSlotOfBrand(brand),
});

/**
 * Whether surely more are of a brand, and of a merchant if one is given, than anybody counts: payments never vanish and
 * a row of the list has at most so many cards, so that what was rolled up once is enough to say so.
 */
export async function isBeyondCount(ctx: Context, brand: BrandName, merchantId: string | undefined): Promise<boolean> {
  const [row] = await ctx.db.execute<{ charges: number }>(sql`
    select coalesce(sum(charges), 0)::int as charges from payment_stats_daily
     where client_id = ${ctx.account.id} and brand = ${brand}
       and ${merchantId ? sql`merchant_id = ${merchantId}` : sql.raw("true")}`);
  return (row?.charges ?? 0) >= MOST_CARDS * (MOST_COUNTED + 1);
}

interface ByBrand {
  /** For a page of the list, which begins at its end. */
  listed: Narrowed;
  /** For its number, among PAID_WITH. */
  counted: Narrowed;
}

/** Charges beside the brand of their card. As a join each card is read once, however often it paid. */
export const PAID_WITH = sql`${charges} cross join lateral (
  select ${cards.brand} from ${cards} where ${cards.id} = ${charges.cardId} offset 0) paid_with`;

/**
 * Payments by cards of a brand; a purchase when any of its cards is of it. A brand that few paid with would be looked
 * for in vain through the whole list, so its payments are looked up without row security first, and read under it.
 */
export async function idsByBrand(ctx: Context, brand: BrandName): Promise<ByBrand> {
  const client = ctx.account.id;
  const [single, several] = await Promise.all([
    systemSql()<{ id: string }[]>`
      select c.id from cards k join charges c on c.card_id = k.id
       where k.client_id = ${client} and k.brand = ${brand} limit ${MOST_NAMED + 1}`,
    systemSql()<{ id: string }[]>`
      select purchase_id as id from purchase_payments
       where client_id = ${client} and card ->> 'brand' = ${brand} limit ${MOST_NAMED + 1}`,
  ]);
  const walked = ofBrand(brand);
  const purchase = fewOr(purchases.id, several, walked.purchase);
  return {
    listed: { charge: fewOr(charges.id, single, walked.charge), purchase },
    counted: { charge: fewOr(charges.id, single, sql`paid_with.brand = ${brand}`), purchase },
  };
}
