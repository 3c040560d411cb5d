import { endpoint } from "@/app/api/endpoint";
import { readCard } from "@/lib/cards/read";
import { cardBody, cardParams } from "@/lib/cards/schema";
import { deleteCard } from "@/lib/cards/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/cards/{id}",
  tag: "Cards",
  summary: "Read a card",
  description: "With its customer and its zero-amount checks.",
  access: ["cards"],
  params: cardParams,
  reply: cardBody,
  status: 200,
  examples: { one: { summary: "One card" } },
  handle: (ctx, { params }) => readCard(ctx, params.id),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/cards/{id}",
  tag: "Cards",
  summary: "Delete a card",
  description: "The card is unlinked; subscriptions that use it fail at their next cycle.",
  access: "secret",
  params: cardParams,
  reply: "empty",
  status: 204,
  handle: (ctx, { params }) => deleteCard(ctx, params.id),
});
