import { endpoint } from "@/app/api/endpoint";
import { linkCard, listCustomerCards } from "@/lib/cards/links";
import { cardLink, customerCards, customerCardsQuery } from "@/lib/cards/schema";
import { customerCardsParams } from "@/lib/customers/schema";

export const POST = endpoint({
  method: "POST",
  path: "/v1/customers/{customer_id}/cards",
  tag: "Customers",
  summary: "Link a card to a customer",
  description: "Linking twice changes nothing; with `default` the card becomes the one payments of the customer use.",
  access: ["customers", "cards"],
  params: customerCardsParams,
  body: cardLink,
  reply: "empty",
  status: 204,
  errors: ["card_not_found", "card_not_usable", "card_already_linked"],
  examples: {
    link: { summary: "Link a card", body: { cardId: "{{cardId}}" } },
    default: { summary: "Link a card as the default", body: { cardId: "{{cardId}}", default: true } },
  },
  handle: (ctx, { params, body }) => linkCard(ctx, params.customer_id, body),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/customers/{customer_id}/cards",
  tag: "Customers",
  summary: "List the cards of a customer",
  description:
    "Without `page` and `limit` the bare array of all cards, newest first; with either of them the usual list. A public key sees what it created.",
  access: ["customers", "cards"],
  params: customerCardsParams,
  query: customerCardsQuery,
  reply: customerCards,
  status: 200,
  examples: {
    all: { summary: "All cards, as an array" },
    page: { summary: "One page", query: { page: "1", limit: "20" } },
  },
  handle: (ctx, { params, query }) => listCustomerCards(ctx, params.customer_id, query),
});
