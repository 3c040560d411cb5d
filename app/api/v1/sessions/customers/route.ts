import { endpoint } from "@/app/api/endpoint";
import { createQuery, customerBody, newCustomer } from "@/lib/customers/schema";
import { serializeCustomer } from "@/lib/customers/serializer";
import { createCustomer } from "@/lib/customers/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sessions/customers",
  tag: "Sessions",
  summary: "Create a customer with a session's key",
  access: "session",
  session: true,
  query: createQuery,
  body: newCustomer,
  reply: customerBody,
  status: 201,
  errors: ["customer_already_exists"],
  examples: {
    person: {
      summary: "A person with a CPF",
      query: { force: "true" },
      body: {
        name: "Ana Souza",
        email: "ana.souza@cliente.example",
        phoneNumber: "+55 11 91234-5678",
        document: { type: "CPF", number: "529.982.247-25" },
      },
    },
  },
  handle: async (ctx, { query, body }) => serializeCustomer(await createCustomer(ctx, body, query)),
});
