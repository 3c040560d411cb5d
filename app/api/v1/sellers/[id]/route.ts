import { endpoint } from "@/app/api/endpoint";
import { sellerBody } from "@/lib/sellers/answer-schema";
import { sellerChange, sellerDeletion, sellerParams } from "@/lib/sellers/schema";
import { serializeSeller } from "@/lib/sellers/serializer";
import { deleteSeller, sellerAt, updateSeller } from "@/lib/sellers/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sellers/{id}",
  tag: "Sellers",
  summary: "Read a seller",
  access: ["sellers"],
  params: sellerParams,
  reply: sellerBody,
  status: 200,
  examples: { one: { summary: "One seller" } },
  handle: async (ctx, { params }) => serializeSeller(await sellerAt(ctx, params.id)),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/sellers/{id}",
  tag: "Sellers",
  summary: "Update a seller",
  description:
    "Nested groups merge member by member, and every provider hears of them. A new bank account holds transfers until the next bank day, and for 24 hours at least. `status` switches the seller off and on.",
  access: "secret",
  params: sellerParams,
  body: sellerChange,
  reply: sellerBody,
  status: 200,
  errors: ["plan_not_found", "document_not_found", "seller_already_exists", "invalid_status_transition"],
  examples: {
    off: { summary: "Switched off", body: { status: "inactive", statusReason: "contract ended", reasonType: "other" } },
    moved: { summary: "Another street", body: { owner: { address: { street: "Rua B", streetNumber: "9" } } } },
  },
  handle: async (ctx, { params, body }) => serializeSeller(await updateSeller(ctx, params.id, body)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/sellers/{id}",
  tag: "Sellers",
  summary: "Delete a seller",
  description: "Refused while it has money to receive or to give back. Its documents are erased 30 days later.",
  access: "secret",
  params: sellerParams,
  body: sellerDeletion,
  reply: "empty",
  status: 204,
  errors: ["merchant_not_found", "seller_has_balance"],
  examples: { one: { summary: "One seller", body: { merchantId: "{{merchantId}}" } } },
  handle: (ctx, { params, body }) => deleteSeller(ctx, params.id, body.merchantId),
});
