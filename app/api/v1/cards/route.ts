import { endpoint } from "@/app/api/endpoint";
import { cardReply } from "@/lib/cards/answer";
import { createCard } from "@/lib/cards/create";
import { listCards } from "@/lib/cards/queries";
import { cardBody, cardFilters, cardList, newCard } from "@/lib/cards/schema";
import { serializeCard } from "@/lib/cards/serializer";
import { envelope } from "@/lib/http/pagination";

export const POST = endpoint({
  method: "POST",
  path: "/v1/cards",
  tag: "Cards",
  summary: "Save a card from a token",
  description:
    "The token is used up. With `merchantId` and a secret key the card is checked by an authorisation of zero at the first provider of the merchant that can do it: approved makes it active, refused failed, no answer leaves it pending. The same members are read from `zeroDollar`.",
  access: ["cards"],
  inBand: true,
  scenario: true,
  body: newCard,
  reply: cardBody,
  status: 201,
  errors: ["token_not_usable", "merchant_not_found", "card_validation_failed"],
  examples: {
    saved: { summary: "Save a card", body: { tokenId: "{{tokenId}}" } },
    checked: {
      summary: "Save a card and check it by an authorisation of zero",
      body: { tokenId: "{{tokenId}}", merchantId: "{{merchantId}}" },
    },
    unchecked: {
      summary: "Save a card of a merchant without checking it: it stays pending",
      body: { tokenId: "{{tokenId}}", zeroDollar: { merchantId: "{{merchantId}}", cvvCheck: false } },
    },
  },
  handle: async (ctx, { body }, answer) => answer.as(cardReply(await createCard(ctx, body))),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/cards",
  tag: "Cards",
  summary: "List cards",
  description: "A public key sees what it created.",
  access: ["cards"],
  query: cardFilters,
  reply: cardList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    usable: { summary: "Cards that can be used", query: { status: "active,pending" } },
    customer: { summary: "Cards of one customer", query: { customerId: "{{customerId}}" } },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listCards(ctx, query);
    return envelope(query, { items: items.map((card) => serializeCard(card)), totalItems });
  },
});
