import type { Context } from "@/lib/context";
import { emit } from "@/lib/events";
import { reviewBody, sellerEventData } from "@/lib/sellers/answer-schema";
import type { RegistrationRow, ReviewRow, Seller } from "@/lib/sellers/queries";
import { serializeReview, serializeSeller } from "@/lib/sellers/serializer";

/** In the transaction that holds the seller's row. */
export const announceSeller = (ctx: Context, seller: Seller, cause: RegistrationRow | undefined): Promise<unknown> =>
  emit(ctx, {
    object: "seller",
    event: seller.row.status,
    entityId: seller.row.id,
    data: sellerEventData.parse({
      origin: cause
        ? { provider: cause.providerType, providerId: cause.providerId, status: cause.externalStatus ?? cause.status }
        : null,
      seller: serializeSeller(seller),
    }),
  });

export const announceReview = (ctx: Context, review: ReviewRow): Promise<unknown> =>
  emit(ctx, {
    object: "seller.registration_review",
    event: review.status,
    entityId: review.id,
    data: reviewBody.parse(serializeReview(review)),
  });
