import { endpoint } from "@/app/api/endpoint";
import { customerBody, customerParams } from "@/lib/customers/schema";
import { serializeCustomer } from "@/lib/customers/serializer";
import { customerAt } from "@/lib/customers/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sessions/customers/{id}",
  tag: "Sessions",
  summary: "Read a customer with a session's key",
  description: "One that was created with this key, or the one the session is bound to.",
  access: "session",
  session: true,
  params: customerParams,
  reply: customerBody,
  status: 200,
  examples: { one: { summary: "One customer" } },
  handle: async (ctx, { params }) => serializeCustomer(await customerAt(ctx, params.id)),
});
