import { endpoint } from "@/app/api/endpoint";
import { linkCard, listCustomerCards } from "@/lib/cards/links";
import { cardLink, customerCards, customerCardsQuery } from "@/lib/cards/schema";
import { customerParams } from "@/lib/customers/schema";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sessions/customers/{id}/cards",
  tag: "Sessions",
  summary: "Link a card to a customer with a session's key",
  access: "session",
  session: true,
  params: customerParams,
  body: cardLink,
  reply: "empty",
  status: 204,
  errors: ["card_not_found", "card_not_usable", "card_already_linked"],
  examples: { link: { summary: "Link a card", body: { cardId: "{{cardId}}" } } },
  handle: (ctx, { params, body }) => linkCard(ctx, params.id, body),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/sessions/customers/{id}/cards",
  tag: "Sessions",
  summary: "List the cards of a customer with a session's key",
  description:
    "Without `page` and `limit` the bare array of all cards, newest first; with either of them the usual list.",
  access: "session",
  session: true,
  params: customerParams,
  query: customerCardsQuery,
  reply: customerCards,
  status: 200,
  examples: {
    all: { summary: "All cards, as an array" },
    page: { summary: "One page", query: { page: "1", limit: "20" } },
  },
  handle: (ctx, { params, query }) => listCustomerCards(ctx, params.id, query),
});
