import { endpoint } from "@/app/api/endpoint";
import { captchaChallengeFor, challengeBody, challengeQuery } from "@/lib/velocity/captcha-challenge";

export const GET = endpoint({
  method: "GET",
  path: "/v1/captcha",
  tag: "Client keys",
  summary: "Ask for a captcha",
  description:
    "For a public key, bound to it and to the address that asks. A payment by card needs one after a refused card of the same key and address within 24 hours, and on a session with `captchaEnabled`; it is used once, within five minutes. While card testing is seen at the merchant only a hard one is taken.",
  access: ["charges", "sessions"],
  query: challengeQuery,
  reply: challengeBody,
  status: 200,
  examples: { plain: { summary: "The question to solve" } },
  handle: (ctx, { query }) => captchaChallengeFor(ctx, query),
});
