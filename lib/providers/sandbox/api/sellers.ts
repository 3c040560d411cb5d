import { z } from "zod";
import { DOCUMENT_TYPES } from "@/db/schema/sellers";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { instantIn, optional, text } from "@/lib/http/fields";
import { openRecipientReview } from "@/lib/providers/sandbox/recipients";
import { type ReviewRow, reviewsOf } from "@/lib/sellers/queries";
import { workOn } from "@/lib/sellers/registration";
import { usualDeadline } from "@/lib/sellers/review-days";
import { ASKABLE_PATHS } from "@/lib/sellers/schema";
import { sellerAt } from "@/lib/sellers/service";

const EXPECTED = `must be a path such as owner.address, or a document: ${DOCUMENT_TYPES.map((type) => `documents.${type}`).join(", ")}`;

export const newReview = z
  .object({
    requestedFields: z.array(z.enum(ASKABLE_PATHS, EXPECTED)).min(1).max(50),
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
