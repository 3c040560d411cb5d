import { endpoint } from "@/app/api/endpoint";
import { customerBody, customerChange, customerParams } from "@/lib/customers/schema";
import { serializeCustomer } from "@/lib/customers/serializer";
import { customerAt, updateCustomer } from "@/lib/customers/service";
import { closeCustomer } from "@/lib/subscriptions/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/customers/{id}",
  tag: "Customers",
  summary: "Read a customer",
  access: ["customers"],
  params: customerParams,
  reply: customerBody,
  status: 200,
  examples: { one: { summary: "One customer" } },
  handle: async (ctx, { params }) => serializeCustomer(await customerAt(ctx, params.id)),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/customers/{id}",
  tag: "Customers",
  summary: "Update a customer",
  description:
    "Only the members sent change; an address is replaced as a whole. E-mail and document cannot change and are ignored. `defaultCardId` takes a linked card that is not failed, or null for none.",
  access: ["customers"],
  params: customerParams,
  body: customerChange,
  reply: customerBody,
  status: 200,
  errors: ["card_not_found", "card_not_usable"],
  examples: {
    phone: { summary: "A new telephone number", body: { phoneNumber: "+55 11 95555-0000" } },
    noDefault: { summary: "No default card", body: { defaultCardId: null } },
  },
  handle: async (ctx, { params, body }) => serializeCustomer(await updateCustomer(ctx, params.id, body)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/customers/{id}",
  tag: "Customers",
  summary: "Delete a customer",
  description: "Frees its e-mail and document, deletes its cards and cancels its subscriptions.",
  access: "secret",
  params: customerParams,
  reply: "empty",
  status: 200,
  handle: (ctx, { params }) => closeCustomer(ctx, params.id),
});
