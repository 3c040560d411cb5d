import { endpoint } from "@/app/api/endpoint";
import { subscriptionReply } from "@/lib/subscriptions/answer";
import { getSubscription, viewOf } from "@/lib/subscriptions/queries";
import { subscriptionBody, subscriptionChanges, subscriptionParams } from "@/lib/subscriptions/schema";
import { serializeSubscription } from "@/lib/subscriptions/serializer";
import { updateSubscription } from "@/lib/subscriptions/update";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subscriptions/{id}",
  tag: "Subscriptions",
  summary: "Read a subscription",
  access: ["subscriptions"],
  params: subscriptionParams,
  reply: subscriptionBody,
  status: 200,
  examples: { one: { summary: "One subscription, with its last cycle" } },
  handle: async (ctx, { params }) =>
    serializeSubscription(ctx, await viewOf(ctx, await getSubscription(ctx, params.id))),
});

export const PUT = endpoint({
  method: "PUT",
  path: "/v1/subscriptions/{id}",
  tag: "Subscriptions",
  summary: "Change a subscription",
  description:
    "Only the members sent change, from the next cycle that was not charged; nothing is prorated, and a cycle that is being retried keeps its amount. Another interval counts from the next due date. Another card is tried at once where a cycle waits for it. `cancelAtPeriodEnd` ends it on the next due date, before any charge of that day.",
  access: "secret",
  scenario: true,
  inBand: true,
  params: subscriptionParams,
  body: subscriptionChanges,
  reply: subscriptionBody,
  status: 200,
  errors: [
    "subscription_invalid_state",
    "merchant_not_found",
    "card_not_found",
    "card_not_usable",
    "provider_not_available",
    "seller_not_found",
    "split_rules_mixed",
    "split_total_exceeded",
  ],
  examples: {
    card: { summary: "Another card", body: { paymentMethod: { card: { cardId: "{{cardId}}" } } } },
    price: {
      summary: "Another price from the next cycle",
      body: { items: [{ name: "Ouro", amount: 5990, quantity: 1 }] },
    },
    end: { summary: "End it with the period that is paid", body: { cancelAtPeriodEnd: true } },
  },
  handle: async (ctx, { params, body }, answer) =>
    answer.as(subscriptionReply(ctx, await updateSubscription(ctx, params.id, body), 200)),
});
