import { endpoint } from "@/app/api/endpoint";
import { newToken, tokenBody } from "@/lib/tokens/schema";
import { createToken } from "@/lib/tokens/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sessions/tokens",
  tag: "Sessions",
  summary: "Tokenise a card or a CVV with a session's key",
  access: "session",
  session: true,
  limit: "tokens",
  body: newToken,
  cardAt: ["cardNumber"],
  reply: tokenBody,
  status: 201,
  examples: {
    card: {
      summary: "A card",
      body: {
        cardHolderName: "Ana Souza",
        cardNumber: "4111 2200 0000 0002",
        cardCvv: "120",
        cardExpirationDate: "12/2039",
      },
    },
    cvv: { summary: "The CVV of a card that is saved already", body: { cvvUpdate: "120" } },
  },
  handle: (ctx, { body }) => createToken(ctx, body),
});
