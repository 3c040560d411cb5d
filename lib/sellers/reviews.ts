import { and, asc, desc, eq, inArray, type SQL } from "drizzle-orm";
import { z } from "zod";
import { REVIEW_STATUSES, sellerReviews } from "@/db/schema/sellers";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { commaList, optional, uuid } from "@/lib/http/fields";
import { directionOf, offsetOf, type Paged, pageQuery } from "@/lib/http/pagination";
import { documentTypesOf } from "@/lib/sellers/documents";
import { writeOfReview } from "@/lib/sellers/letters";
import { followUp, moveReview } from "@/lib/sellers/news";
import type { ShownDocument } from "@/lib/sellers/own-figures";
import { findSeller, type ReviewRow } from "@/lib/sellers/queries";
import { daysLeft, endOfReview, nextMoment, REMINDER_DAYS } from "@/lib/sellers/review-days";
import { businessChange, ownerChange } from "@/lib/sellers/schema";
import { sellerAt, updateSeller } from "@/lib/sellers/service";

export const reviewFilters = pageQuery.extend({ status: commaList(REVIEW_STATUSES).optional() });
export type ReviewFilters = z.output<typeof reviewFilters>;
export const reviewsParams = z.object({ id: uuid });
export const reviewParams = z.object({ id: uuid, reviewId: uuid });

export const submission = z
  .object({
    owner: optional(ownerChange),
    business: optional(businessChange),
    documents: optional(z.array(uuid).max(50)),
  })
  .meta({ id: "ReviewSubmission", description: "At least one member that the review asks for" });
export type Submission = z.output<typeof submission>;

const ofSeller = (ctx: Context, sellerId: string): SQL | undefined =>
  and(eq(sellerReviews.clientId, ctx.account.id), eq(sellerReviews.sellerId, sellerId));

export async function listReviews(ctx: Context, sellerId: string, filters: ReviewFilters): Promise<Paged<ReviewRow>> {
  await sellerAt(ctx, sellerId);
  const where = and(ofSeller(ctx, sellerId), filters.status && inArray(sellerReviews.status, filters.status));
  const order = directionOf(filters) === "asc" ? asc : desc;
  const items = await ctx.db
    .select()
    .from(sellerReviews)
    .where(where)
    .orderBy(order(sellerReviews.createdAt), order(sellerReviews.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return { items, totalItems: await ctx.db.$count(sellerReviews, where) };
}

export async function reviewAt(ctx: Context, sellerId: string, reviewId: string): Promise<ReviewRow> {
  await sellerAt(ctx, sellerId);
  const [review] = await ctx.db
    .select()
    .from(sellerReviews)
    .where(and(ofSeller(ctx, sellerId), eq(sellerReviews.id, reviewId)));
  if (!review) throw notFound("registration review");
  return review;
}

/** One that still takes an answer. */
export async function openReviewAt(ctx: Context, sellerId: string, reviewId: string): Promise<ReviewRow> {
  const review = await reviewAt(ctx, sellerId, reviewId);
  if (review.status !== "opened" || endOfReview(review) < now(ctx)) {
    throw new DomainError("review_not_open", `the review is ${review.status}`);
  }
  return review;
}

/** Documents of a type that came after the provider asked, or asked again: nobody has to send them twice. */
export const cameSince = <D extends Pick<ShownDocument, "createdAt" | "erasedAt">>(
  { createdAt, submittedAt }: Pick<ReviewRow, "createdAt" | "submittedAt">,
  documents: readonly D[],
): D[] => {
  const askedAt = submittedAt && submittedAt > createdAt ? submittedAt : createdAt;
  return documents.filter((document) => document.erasedAt === null && document.createdAt > askedAt);
};

/** Writes what was asked for onto the seller and sends it; may be done again until the provider has seen it. */
export async function submitReview(
  ctx: Context,
  sellerId: string,
  reviewId: string,
  input: Submission,
): Promise<ReviewRow> {
  const seller = await sellerAt(ctx, sellerId, "update");
  const review = await openReviewAt(ctx, sellerId, reviewId);
  const answered = await answeredPaths(ctx, input);
  if (!review.requestedFields.some((field) => answered.some((path) => isAnswer(field, path)))) {
    throw invalid(...review.requestedFields.map((field) => `${field}: is asked for`));
  }
  const { owner, business, documents } = input;
  await updateSeller(ctx, seller.row.id, { owner, business, documents });
  const moved = await moveReview(ctx, review, "review.submitted");
  await schedule(ctx, "registration.query", review.registrationId, now(ctx));
  return moved;
}

/** A requested path counts when it, or anything below it, is sent. */
const isAnswer = (field: string, path: string): boolean => path === field || path.startsWith(`${field}.`);

async function answeredPaths(ctx: Context, { owner, business, documents = [] }: Submission): Promise<string[]> {
  const types = await documentTypesOf(ctx, documents);
  return [...pathsIn("owner", owner), ...pathsIn("business", business), ...types.map((type) => `documents.${type}`)];
}

function pathsIn(at: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "object") return [at];
  return Object.entries(value).flatMap(([name, inner]) => pathsIn(`${at}.${name}`, inner));
}

/** Reminds of an open review; when its time is over it is expired, and the seller blocked. */
export async function reviewDue(ctx: Context, reviewId: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const [found] = await inside.db
      .select({ sellerId: sellerReviews.sellerId })
      .from(sellerReviews)
      .where(and(eq(sellerReviews.clientId, inside.account.id), eq(sellerReviews.id, reviewId)));
    const seller = found && (await findSeller(inside, found.sellerId, "update"));
    if (!seller) return;
    const review = await reviewAt(inside, seller.row.id, reviewId);
    if (review.status !== "opened") return;
    const at = now(inside);
    if (endOfReview(review) < at) {
      await moveReview(inside, review, "review.expired");
      const registration = seller.registrations.find(({ id }) => id === review.registrationId);
      await followUp(inside, seller, registration);
      return;
    }
    const left = daysLeft(review, at);
    const reminded = REMINDER_DAYS.filter((days) => left <= days).at(-1);
    const isNew = reminded !== undefined && (review.remindedDays === null || reminded < review.remindedDays);
    const changed = isNew ? { ...review, remindedDays: reminded } : review;
    // The notice is written by a trigger, in this transaction.
    if (isNew) {
      await inside.db
        .update(sellerReviews)
        .set({ remindedDays: reminded, updatedAt: at })
        .where(eq(sellerReviews.id, reviewId));
      await writeOfReview(inside, changed, true);
    }
    await schedule(inside, "review.deadline", reviewId, nextMoment(changed, at));
  });
}
