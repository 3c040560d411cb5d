import { and, eq, inArray } from "drizzle-orm";
import { sellerRegistrations, sellerReviews, sellers } from "@/db/schema/sellers";
import { insertReturning } from "@/db/statements";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { ProviderReview, RecipientState } from "@/lib/providers/recipients";
import { announceReview, announceSeller } from "@/lib/sellers/events";
import { writeOfReview } from "@/lib/sellers/letters";
import { type ReviewStatus, reviewMachine } from "@/lib/sellers/machine";
import { findSeller, type RegistrationRow, type ReviewRow, reviewsOf, type Seller } from "@/lib/sellers/queries";
import { deadlineAfterMore, remindOf, usualDeadline } from "@/lib/sellers/review-days";
import { statusOf } from "@/lib/sellers/status";

/** What a provider says of a seller now. */
export interface SellerNews extends Partial<RecipientState> {
  externalId?: string;
  reviews?: readonly ProviderReview[];
}

/** Writes what became known of a registration, and what follows from it for the seller. */
export async function takeNews(ctx: Context, registration: RegistrationRow, news: SellerNews): Promise<void> {
  const seller = await lockedSeller(ctx, registration.sellerId);
  if (!seller) return;
  const changed = await moveRegistration(ctx, registration, news);
  for (const review of news.reviews ?? []) await takeReview(ctx, changed, review);
  await followUp(ctx, seller, changed);
}

/** The deleted one's providers may still say something: nobody asks any more. */
const lockedSeller = (ctx: Context, id: string): Promise<Seller | undefined> => findSeller(ctx, id, "update");

async function moveRegistration(ctx: Context, before: RegistrationRow, news: SellerNews): Promise<RegistrationRow> {
  const after = {
    externalId: news.externalId ?? before.externalId,
    status: news.status ?? before.status,
    externalStatus: news.externalStatus ?? before.externalStatus,
    externalStatusReason: news.status === undefined ? before.externalStatusReason : (news.reason ?? null),
  };
  // Guarantee: the keys of `after` are columns of the row.
  const isNews = Object.entries(after).some(([name, value]) => before[name as keyof typeof after] !== value);
  if (!isNews) return before;
  const [changed] = await ctx.db
    .update(sellerRegistrations)
    .set({ ...after, updatedAt: now(ctx) })
    .where(and(eq(sellerRegistrations.clientId, ctx.account.id), eq(sellerRegistrations.id, before.id)))
    .returning();
  if (!changed) throw new Error("the registration is gone");
  return changed;
}

const FACTS: Readonly<Record<string, string>> = {
  "opened submitted": "review.submitted",
  "submitted opened": "review.reopened",
  "submitted approved": "review.approved",
  "submitted rejected": "review.rejected",
  "submitted expired": "review.rejected",
  "opened approved": "review.approved",
  "opened rejected": "review.rejected",
  "opened expired": "review.expired",
};

async function takeReview(ctx: Context, registration: RegistrationRow, told: ProviderReview): Promise<void> {
  const [known] = await ctx.db
    .select()
    .from(sellerReviews)
    .where(and(eq(sellerReviews.registrationId, registration.id), eq(sellerReviews.externalId, told.externalId)));
  const review = known ?? (await openReview(ctx, registration, told));
  const isClosed = review.closedAt !== null;
  if (isClosed || review.status === told.status) return;
  // The provider has not seen the submission yet: it would say when it was submitted.
  if (review.status === "submitted" && told.status === "opened" && told.submittedAt === undefined) return;
  const fact = FACTS[`${review.status} ${told.status}`];
  if (!fact) return;
  await moveReview(ctx, review, fact, told);
}

async function openReview(ctx: Context, registration: RegistrationRow, told: ProviderReview): Promise<ReviewRow> {
  const at = now(ctx);
  const [review] = await insertReturning(ctx.db, sellerReviews, [
    {
      id: newId(),
      clientId: ctx.account.id,
      sellerId: registration.sellerId,
      registrationId: registration.id,
      externalId: told.externalId,
      status: "opened",
      requestedFields: [...told.requestedFields],
      reason: told.reason ?? null,
      deadline: told.deadline ? new Date(told.deadline) : usualDeadline(at),
      createdAt: at,
      updatedAt: at,
    },
  ]);
  if (!review) throw new Error("the review was not written");
  await remindOf(ctx, review);
  await announceReview(ctx, review);
  await writeOfReview(ctx, review);
  return review;
}

const CLOSED: ReadonlySet<ReviewStatus> = new Set(["approved", "rejected", "expired"]);

/** Moves a review and says so; the caller holds the seller's row. */
export async function moveReview(
  ctx: Context,
  review: ReviewRow,
  fact: string,
  told: Partial<Pick<ProviderReview, "requestedFields" | "reason" | "deadline">> = {},
): Promise<ReviewRow> {
  const at = now(ctx);
  const status = reviewMachine.next(review.status, fact);
  const [moved] = await ctx.db
    .update(sellerReviews)
    .set({
      status,
      ...(status === "submitted" ? { submittedAt: at } : {}),
      ...(CLOSED.has(status) ? { closedAt: at } : {}),
      ...(status === "opened"
        ? {
            deadline: told.deadline ? new Date(told.deadline) : deadlineAfterMore(review.deadline, at),
            requestedFields: [...(told.requestedFields ?? review.requestedFields)],
            reason: told.reason ?? review.reason,
            remindedDays: null,
          }
        : {}),
      updatedAt: at,
    })
    .where(and(eq(sellerReviews.id, review.id), eq(sellerReviews.status, review.status)))
    .returning();
  if (!moved) throw new Error("a review was moved past its seller's lock");
  await remindOf(ctx, moved);
  await announceReview(ctx, moved);
  await writeOfReview(ctx, moved);
  return moved;
}

/** The seller's status as it follows now; a change is told with the registration that caused it. */
export async function followUp(ctx: Context, before: Seller, cause: RegistrationRow | undefined): Promise<Seller> {
  const seller = await findSeller(ctx, before.row.id);
  if (!seller) throw new Error("a locked seller is gone");
  const reviews = await reviewsOf(ctx, seller.row.id);
  const status = statusOf({
    registrations: seller.registrations,
    reviews,
    isSwitchedOff: seller.row.isSwitchedOff,
  });
  if (status === seller.row.status) return seller;
  const [row] = await ctx.db
    .update(sellers)
    .set({ status, updatedAt: now(ctx) })
    .where(and(inArray(sellers.id, [seller.row.id]), eq(sellers.status, seller.row.status)))
    .returning();
  if (!row) throw new Error("a locked seller was not moved");
  const moved = { ...seller, row };
  await announceSeller(ctx, moved, cause);
  return moved;
}
