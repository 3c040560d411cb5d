import { endpoint } from "@/app/api/endpoint";
import { merchantBody, merchantChanges, merchantParams } from "@/lib/merchants/schema";
import { serializeMerchant } from "@/lib/merchants/serializer";
import { deleteMerchant, getMerchant, updateMerchant } from "@/lib/merchants/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/merchants/{id}",
  tag: "Merchants",
  summary: "Read a merchant",
  access: "secret",
  params: merchantParams,
  reply: merchantBody,
  status: 200,
  handle: async (ctx, { params }) => serializeMerchant(await getMerchant(ctx, params.id)),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/merchants/{id}",
  tag: "Merchants",
  summary: "Update a merchant",
  description: "Changes the members sent and no others. Providers have calls of their own.",
  access: "secret",
  params: merchantParams,
  body: merchantChanges,
  reply: merchantBody,
  status: 200,
  errors: ["provider_kind_not_available"],
  examples: {
    rename: { summary: "Another name and category", body: { name: "Mercado Central 2", mcc: "5499" } },
    stop: { summary: "No new payments", body: { status: false } },
  },
  handle: async (ctx, { params, body }) => serializeMerchant(await updateMerchant(ctx, params.id, body)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/merchants/{id}",
  tag: "Merchants",
  summary: "Delete a merchant",
  description: "Refused while payments are pending or cards are held. Its payment links stop; webhooks stay.",
  access: "secret",
  params: merchantParams,
  reply: "empty",
  status: 204,
  errors: ["merchant_in_use"],
  handle: (ctx, { params }) => deleteMerchant(ctx, params.id),
});
