import { endpoint } from "@/app/api/endpoint";
import { linkBody, readLink } from "@/lib/sessions/link";
import { sessionParams } from "@/lib/sessions/schema";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sessions/{id}/link",
  tag: "Sessions",
  summary: "Read what the hosted page loads",
  description: "The session and the look of its page: the merchant's settings, else the account's. In every status.",
  access: ["sessions"],
  session: true,
  params: sessionParams,
  reply: linkBody,
  status: 201,
  examples: { one: { summary: "One link" } },
  handle: (ctx, { params }) => readLink(ctx, params.id),
});
