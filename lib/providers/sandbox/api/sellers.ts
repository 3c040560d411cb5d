import { z } from "zod";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { instantIn, optional, text } from "@/lib/http/fields";
import { openRecipientReview } from "@/lib/providers/sandbox/recipients";
import { type ReviewRow, reviewsOf } from "@/lib/sellers/queries";
import { workOn } from "@/lib/sellers/registration";
import { usualDeadline } from "@/lib/sellers/review-days";
import { sellerAt } from "@/lib/sellers/service";

const FIELD = /^(?:(?:owner|business|bankAccount)(?:\.[A-Za-z]+){0,2}|documents\.[A-Z_]+)$/;

export const newReview = z
  .object({
    requestedFields: z
      .array(z.string().regex(FIELD, "must be a path such as owner.address or documents.SELFIE"))
      .min(1)
      .max(50),
    reason: optional(text(255)),
    deadline: optional(instantIn),
  })
  .meta({ id: "NewRegistrationReview" });
export type NewReview = z.output<typeof newReview>;

/** The simulated provider asks for something; what it says is then heard as it is from any provider. */
export async function openReviewByHand(ctx: Context, sellerId: string, input: NewReview): Promise<ReviewRow> {
  const { registrations } = await inTransaction(ctx, (inside) => sellerAt(inside, sellerId));
  const place = registrations.find(({ providerType }) => providerType === "SANDBOX");
  const at = now(ctx);
  const isKnown =
    place !== undefined &&
    (await openRecipientReview(ctx.account.id, {
      reference: place.id,
      requestedFields: input.requestedFields,
      reason: input.reason ?? "",
      deadline: input.deadline ?? usualDeadline(at),
      at,
    }));
  if (!isKnown) throw new DomainError("invalid_status_transition", "the simulator does not know this seller");
  await workOn(ctx, place.id);
  const [newest] = await inTransaction(ctx, (inside) => reviewsOf(inside, sellerId));
  if (!newest) throw new Error("the review was not heard of");
  return newest;
}
