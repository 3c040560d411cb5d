import { endpoint } from "@/app/api/endpoint";
import { cardReply } from "@/lib/cards/answer";
import { createCard } from "@/lib/cards/create";
import { cardBody, newCard } from "@/lib/cards/schema";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sessions/cards",
  tag: "Sessions",
  summary: "Save a card with a session's key",
  description: "Never checked by an authorisation of zero: that takes the secret key.",
  access: "session",
  session: true,
  inBand: true,
  scenario: true,
  body: newCard,
  reply: cardBody,
  status: 201,
  errors: ["token_not_usable"],
  examples: { saved: { summary: "Save a card", body: { tokenId: "{{tokenId}}" } } },
  handle: async (ctx, { body }, answer) => answer.as(cardReply(await createCard(ctx, body))),
});
