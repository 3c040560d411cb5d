import { and, desc, eq } from "drizzle-orm";
import { payoutBatches } from "@/db/schema/payouts";
import { inSnapshot } from "@/lib/context";
import type { Cents } from "@/lib/money";
import type { EnteredSeller } from "@/lib/seller-access/sessions";
import {
  balancesOfSellers,
  type CalendarDay,
  calendarOf,
  documentsOfSeller,
  NOTHING,
  type SellerBalance,
  type SellerLine,
  type ShownDocument,
  sellerLinesOf,
  transferFeesOf,
} from "@/lib/sellers/own-figures";
import { type ReviewRow, reviewsOf, type SellerRow } from "@/lib/sellers/queries";
import { sellerAt } from "@/lib/sellers/service";
import { lookOfShop, type ShopLook } from "@/lib/settings/brand";

export type OwnPayout = Pick<
  typeof payoutBatches.$inferSelect,
  "id" | "status" | "finalBalance" | "withdrawalFeeAmount" | "paymentDate" | "payoutDate"
>;

/** All that a seller's own page shows; nothing of anybody else's, and nothing of buyers. */
export interface OwnPage {
  shop: ShopLook;
  row: SellerRow;
  balance: SellerBalance;
  /** Taken already of what is on its way. */
  transferFees: Cents;
  calendar: CalendarDay[];
  payouts: OwnPayout[];
  lines: SellerLine[];
  reviews: ReviewRow[];
  documents: ShownDocument[];
}

const MOST_PAYOUTS = 20;

export async function ownPage({ ctx, sellerId }: EnteredSeller): Promise<OwnPage> {
  const page = await inSnapshot(ctx, async (inside) => {
    const { row } = await sellerAt(inside, sellerId);
    return {
      row,
      balance: (await balancesOfSellers(inside, [row])).get(sellerId) ?? NOTHING,
      transferFees: await transferFeesOf(inside, sellerId),
      calendar: await calendarOf(inside, sellerId),
      payouts: await inside.db
        .select({
          id: payoutBatches.id,
          status: payoutBatches.status,
          finalBalance: payoutBatches.finalBalance,
          withdrawalFeeAmount: payoutBatches.withdrawalFeeAmount,
          paymentDate: payoutBatches.paymentDate,
          payoutDate: payoutBatches.payoutDate,
        })
        .from(payoutBatches)
        .where(and(eq(payoutBatches.clientId, inside.account.id), eq(payoutBatches.sellerId, sellerId)))
        .orderBy(desc(payoutBatches.createdAt), desc(payoutBatches.id))
        .limit(MOST_PAYOUTS),
      lines: await sellerLinesOf(inside, sellerId),
      reviews: await reviewsOf(inside, sellerId),
      documents: await documentsOfSeller(inside, sellerId),
    };
  });
  return { ...page, shop: await lookOfShop(ctx, page.row.merchantId) };
}
