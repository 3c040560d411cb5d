import { endpoint } from "@/app/api/endpoint";
import { createQuery, customerBody, newCustomer } from "@/lib/customers/schema";
import { serializeCustomer } from "@/lib/customers/serializer";
import { createCustomer } from "@/lib/customers/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sessions/customers",
  tag: "Sessions",
  summary: "Create a customer with a session's key",
  description:
    "Always a customer of its own, as with `force=true`: whether another one has the e-mail or the document is neither said nor changed.",
  access: "session",
  session: true,
  query: createQuery,
  body: newCustomer,
  reply: customerBody,
  status: 201,
  examples: {
    person: {
      summary: "A person with a CPF",
      body: {
        name: "Ana Souza",
        email: "ana.souza@cliente.example",
        phoneNumber: "+55 11 91234-5678",
        document: { type: "CPF", number: "529.982.247-25" },
      },
    },
  },
  handle: async (ctx, { body }) => serializeCustomer(await createCustomer(ctx, body, { force: true })),
});
