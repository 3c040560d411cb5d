import { endpoint } from "@/app/api/endpoint";
import { newSetup, setupBody } from "@/lib/three-ds/schema";
import { setUp } from "@/lib/three-ds/setup";

export const POST = endpoint({
  method: "POST",
  path: "/v1/charges/3ds/setup",
  tag: "Charges",
  summary: "Start the collection of device data for 3-D Secure",
  description: "The browser posts `token` as the form field JWT to `collectUrl` in a hidden frame, before the charge.",
  access: ["charges"],
  session: true,
  body: newSetup,
  reply: setupBody,
  status: 201,
  errors: ["card_not_found", "card_not_usable", "token_not_usable"],
  examples: {
    card: { summary: "A saved card", body: { sourceType: "card", cardId: "{{cardId}}" } },
  },
  handle: (ctx, { body }) => setUp(ctx, body),
});
