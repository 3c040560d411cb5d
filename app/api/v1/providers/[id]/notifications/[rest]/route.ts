import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { plainReply } from "@/lib/http/answering";
import { uuid } from "@/lib/http/fields";
import { receiveNotification } from "@/lib/provider-webhooks/receive";

/** Banks append one of these to the address that they were given for Pix. */
const params = z.object({ id: uuid, rest: z.enum(["pix", "rec", "cobr"]) });

export const POST = endpoint({
  method: "POST",
  path: "/v1/providers/{id}/notifications/{rest}",
  tag: "Providers",
  summary: "Receive a bank's Pix notification",
  description: "The same as without the last segment, which banks append by themselves.",
  access: "none",
  params,
  reply: "raw",
  produces: "application/json",
  status: 200,
  idempotency: "none",
  async handle({ requestId, bytes }, { params, headers }) {
    await receiveNotification(requestId, params.id, headers, bytes);
    return plainReply({ status: 200, body: { received: true } });
  },
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/providers/{id}/notifications/{rest}",
  tag: "Providers",
  summary: "Check a bank's Pix notifications address",
  description: "Answers 200 without a body, also to HEAD.",
  access: "none",
  params,
  reply: "raw",
  produces: null,
  status: 200,
  handle: async () => plainReply({ status: 200 }),
});
