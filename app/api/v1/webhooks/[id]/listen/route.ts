import { endpoint } from "@/app/api/endpoint";
import { listen } from "@/lib/webhooks/listen";
import { listenBody, listenInput, webhookParams } from "@/lib/webhooks/schema";

export const POST = endpoint({
  method: "POST",
  path: "/v1/webhooks/{id}/listen",
  tag: "Webhooks",
  summary: "Take the events of a listener",
  description:
    "For a webhook whose endpoint is `listener:<name>`: tells what came of the deliveries taken before, and takes those " +
    "that wait, with the headers and the text that an endpoint would have been sent. Nothing that is not answered for is " +
    "lost: it is there again after 90 seconds. Failures are tried again on the usual schedule, and resend and replay " +
    "work as for every webhook. `npx trilho listen` is a reader of this kind.",
  access: "secret",
  inBand: true,
  idempotency: "none",
  params: webhookParams,
  body: listenInput,
  reply: listenBody,
  status: 200,
  errors: ["webhook_disabled"],
  examples: {
    first: { summary: "The first turn of a reader", body: { restart: true, waitSeconds: 1 } },
    next: {
      summary: "What came of one delivery, and the next ones",
      body: {
        results: [
          {
            deliveryId: "0192f230-0000-7000-8000-000000000001",
            receipt: "1.1763647387515",
            durationMs: 12,
            statusCode: 200,
          },
        ],
      },
    },
  },
  handle: (_, { params, body }, answer) =>
    answer.held(async (inside) => ({ items: await listen(inside, params.id, body) })),
});
