import { endpoint } from "@/app/api/endpoint";
import { listCustomers } from "@/lib/customers/queries";
import { createQuery, customerBody, customerFilters, customerList, newCustomer } from "@/lib/customers/schema";
import { serializeCustomer } from "@/lib/customers/serializer";
import { createCustomer } from "@/lib/customers/service";
import { envelope } from "@/lib/http/pagination";

export const POST = endpoint({
  method: "POST",
  path: "/v1/customers",
  tag: "Customers",
  summary: "Create a customer",
  description:
    "E-mail and document are each unique in the account. With `force=true` nothing is compared, and the customer never takes part in a later comparison.",
  access: ["customers"],
  query: createQuery,
  body: newCustomer,
  reply: customerBody,
  status: 201,
  errors: ["customer_already_exists"],
  examples: {
    person: {
      summary: "A person with a CPF",
      body: {
        name: "Ana Souza",
        email: "ana.souza@cliente.example",
        phoneNumber: "+55 11 91234-5678",
        document: { type: "CPF", number: "529.982.247-25" },
        address: {
          street: "Rua das Flores",
          streetNumber: "100",
          zipCode: "01310-100",
          country: "BR",
          state: "SP",
          city: "São Paulo",
          district: "Bela Vista",
        },
      },
    },
    forced: {
      summary: "A company, without the uniqueness check",
      query: { force: "true" },
      body: {
        name: "Loja Azul Ltda",
        email: "compras@lojaazul.example",
        phoneNumber: "11 3000-0000",
        document: { type: "CNPJ", number: "12.ABC.345/01DE-35" },
      },
    },
    foreign: {
      summary: "A buyer without a document",
      body: {
        name: "John Smith",
        email: "john.smith@cliente.example",
        phoneNumber: "+1 555 0100",
        document: { type: "noDocument", country: "US" },
      },
    },
  },
  handle: async (ctx, { query, body }) => serializeCustomer(await createCustomer(ctx, body, query)),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/customers",
  tag: "Customers",
  summary: "List customers",
  description: "A public key sees what it created.",
  access: ["customers"],
  query: customerFilters,
  reply: customerList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    document: {
      summary: "By document, with or without mask",
      query: { "document.type": "CPF", "document.number": "529.982.247-25" },
    },
    email: { summary: "By e-mail, oldest first", query: { email: "ana.souza@cliente.example", order: "ASC" } },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listCustomers(ctx, query);
    return envelope(query, { items: items.map(serializeCustomer), totalItems });
  },
});
