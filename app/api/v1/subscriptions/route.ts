import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { CREATE_KIND, subscriptionReply } from "@/lib/subscriptions/answer";
import { createSubscription } from "@/lib/subscriptions/create";
import { listSubscriptions } from "@/lib/subscriptions/queries";
import { newSubscription, subscriptionBody, subscriptionFilters, subscriptionList } from "@/lib/subscriptions/schema";
import { serializeSummary } from "@/lib/subscriptions/serializer";

const PLAN = {
  merchantId: "{{merchantId}}",
  customerId: "{{customerId}}",
  name: "Plano Ouro",
  items: [{ name: "Ouro", amount: 4990, quantity: 1 }],
};

export const POST = endpoint({
  method: "POST",
  path: "/v1/subscriptions",
  tag: "Subscriptions",
  summary: "Create a subscription",
  description:
    "A card charged at each interval, from 09:00 UTC of the day. Starting today, its first cycle is charged within this call: `lastCycle` shows the result, 201 also when it was declined. Days are UTC calendar days; the 31st is cut to shorter months and comes back in longer ones. A public key subscribes a card that another key saved only with its CVV and a start today; where it charges at once it needs `X-Captcha-Token` after a refused card of the same key and address (`GET /v1/captcha`).",
  access: ["subscriptions"],
  limit: "payments",
  scenario: true,
  captcha: true,
  inBand: true,
  kind: CREATE_KIND,
  body: newSubscription,
  reply: subscriptionBody,
  status: 201,
  errors: [
    "merchant_not_found",
    "customer_not_found",
    "card_not_found",
    "card_not_usable",
    "cvv_required",
    "captcha_required",
    "captcha_invalid",
    "provider_not_available",
    "seller_not_found",
    "split_rules_mixed",
    "split_total_exceeded",
    "idempotency_key_payload_mismatch",
    "idempotency_key_in_progress",
  ],
  examples: {
    monthly: {
      summary: "Twelve months, the first charged now",
      body: {
        ...PLAN,
        recurrence: { interval: "monthly", cycles: 12 },
        paymentMethod: { type: "credit", card: { cardId: "{{cardId}}" } },
        referenceKey: "assinatura-1001",
      },
    },
    trial: {
      summary: "A trial until the end of 2030, then yearly until it is canceled",
      body: {
        ...PLAN,
        recurrence: { interval: "yearly" },
        trial: { endAt: "2030-12-31" },
        paymentMethod: { type: "credit", card: { cardId: "{{cardId}}" }, installments: 12 },
      },
    },
  },
  handle: async (ctx, { body, headers }, answer) =>
    answer.as(subscriptionReply(ctx, await createSubscription(ctx, body, headers.get("x-captcha-token")), 201)),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/subscriptions",
  tag: "Subscriptions",
  summary: "List subscriptions",
  description: "A public key sees what it created. Items, card and cycles are on the subscription itself.",
  access: ["subscriptions"],
  query: subscriptionFilters,
  reply: subscriptionList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    unpaid: { summary: "Those that wait for another card", query: { status: "unpaid" } },
    reference: { summary: "By your own key", query: { referenceKey: "assinatura-1001" } },
  },
  handle: async (ctx, { query }) => {
    const { items, totalItems } = await listSubscriptions(ctx, query);
    return envelope(query, { items: items.map((row) => serializeSummary(ctx, row)), totalItems });
  },
});
