import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { newReview, openReviewByHand } from "@/lib/providers/sandbox/api/sellers";
import { reviewBody, reviewList } from "@/lib/sellers/answer-schema";
import { listReviews, reviewFilters, reviewsParams } from "@/lib/sellers/reviews";
import { serializeReview } from "@/lib/sellers/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sellers/{id}/registration-reviews",
  tag: "Sellers",
  summary: "List registration reviews of a seller",
  access: ["sellers"],
  params: reviewsParams,
  query: reviewFilters,
  reply: reviewList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    open: { summary: "Those that wait for an answer", query: { status: "opened" } },
  },
  async handle(ctx, { params, query }) {
    const { items, totalItems } = await listReviews(ctx, params.id, query);
    return envelope(query, { items: items.map(serializeReview), totalItems });
  },
});

export const POST = endpoint({
  method: "POST",
  path: "/v1/sellers/{id}/registration-reviews",
  tag: "Sellers",
  summary: "Open a registration review, as the provider",
  description:
    "Sandbox accounts only. What is submitted is approved after the delay; rejected with `reason` `reject`, sent back once for more with `more`.",
  access: "secret",
  sandboxOnly: true,
  inBand: true,
  params: reviewsParams,
  body: newReview,
  reply: reviewBody,
  status: 201,
  errors: ["invalid_status_transition"],
  examples: { selfie: { summary: "A picture is asked for", body: { requestedFields: ["documents.SELFIE"] } } },
  handle: (_, { params, body }, answer) =>
    answer.held(async (inside) => serializeReview(await openReviewByHand(inside, params.id, body))),
});
