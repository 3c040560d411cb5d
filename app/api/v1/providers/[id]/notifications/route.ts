import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { plainReply } from "@/lib/http/answering";
import { uuid } from "@/lib/http/fields";
import { receiveNotification } from "@/lib/provider-webhooks/receive";

const params = z.object({ id: uuid });

export const POST = endpoint({
  method: "POST",
  path: "/v1/providers/{id}/notifications",
  tag: "Providers",
  summary: "Receive a provider's own notification",
  description: "Signed by the provider. It moves nothing: the payment it speaks of is asked about.",
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
  path: "/v1/providers/{id}/notifications",
  tag: "Providers",
  summary: "Check the notifications address",
  description: "Answers 200 without a body, also to HEAD: some providers look before they use an address.",
  access: "none",
  params,
  reply: "raw",
  produces: null,
  status: 200,
  handle: async () => plainReply({ status: 200 }),
});
