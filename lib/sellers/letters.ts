import { and, eq, isNull } from "drizzle-orm";
import { sellerAccesses } from "@/db/schema/seller-access";
import { sellers } from "@/db/schema/sellers";
import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { queueMail } from "@/lib/mail/queue";
import type { ReviewRow } from "@/lib/sellers/queries";
import { endOfReview } from "@/lib/sellers/review-days";

const PAGE = "/seller";

/**
 * Tells those who were invited to the seller's own page what a provider wants, or how it ended; in the transaction that
 * says so. Who has no page to answer on is written nothing: the shop answers for them.
 */
export async function writeOfReview(ctx: Context, review: ReviewRow, isReminder = false): Promise<void> {
  const { status } = review;
  if (status === "submitted") return;
  const people = await ctx.db
    .select({
      email: sellerAccesses.email,
      locale: sellerAccesses.locale,
      merchantId: sellers.merchantId,
      ownerName: sellers.ownerName,
      businessName: sellers.businessName,
    })
    .from(sellerAccesses)
    .innerJoin(sellers, eq(sellers.id, sellerAccesses.sellerId))
    .where(
      and(
        eq(sellerAccesses.clientId, ctx.account.id),
        eq(sellerAccesses.sellerId, review.sellerId),
        isNull(sellerAccesses.revokedAt),
      ),
    );
  for (const { email: to, locale, merchantId, ownerName, businessName } of people) {
    const letter = { to, locale, merchantId };
    const data = { sellerName: businessName ?? ownerName, url: `${env().BASE_URL}${PAGE}` };
    if (status === "opened") {
      const deadline = endOfReview(review).toISOString();
      await queueMail(ctx, { ...letter, template: "seller-review-due", data: { ...data, deadline, isReminder } });
    } else await queueMail(ctx, { ...letter, template: "seller-review-closed", data: { ...data, outcome: status } });
  }
}
