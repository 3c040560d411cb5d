import { endpoint } from "@/app/api/endpoint";
import { reviewBody } from "@/lib/sellers/answer-schema";
import { reviewParams, submission, submitReview } from "@/lib/sellers/reviews";
import { serializeReview } from "@/lib/sellers/serializer";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sellers/{id}/registration-reviews/{reviewId}/submit",
  tag: "Sellers",
  summary: "Send what a registration review asks for",
  description: "Updates the seller and answers the review: at least one member that it asks for.",
  access: ["sellers"],
  params: reviewParams,
  body: submission,
  reply: reviewBody,
  status: 200,
  errors: ["review_not_open", "document_not_found"],
  examples: { email: { summary: "Another e-mail address", body: { owner: { email: "ana.souza@example.com" } } } },
  handle: async (ctx, { params, body }) => serializeReview(await submitReview(ctx, params.id, params.reviewId, body)),
});
