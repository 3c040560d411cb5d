import { endpoint } from "@/app/api/endpoint";
import { reviewBody } from "@/lib/sellers/answer-schema";
import { reviewAt, reviewParams } from "@/lib/sellers/reviews";
import { serializeReview } from "@/lib/sellers/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sellers/{id}/registration-reviews/{reviewId}",
  tag: "Sellers",
  summary: "Read a registration review",
  access: ["sellers"],
  params: reviewParams,
  reply: reviewBody,
  status: 200,
  examples: { one: { summary: "One review" } },
  handle: async (ctx, { params }) => serializeReview(await reviewAt(ctx, params.id, params.reviewId)),
});
