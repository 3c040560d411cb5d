import { endpoint } from "@/app/api/endpoint";
import { vendorBody, vendorChange, vendorParams } from "@/lib/vendors/schema";
import { serializeVendor } from "@/lib/vendors/serializer";
import { deleteVendor, updateVendor, vendorAt } from "@/lib/vendors/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/vendors/{id}",
  tag: "Vendors",
  summary: "Read a vendor",
  access: "secret",
  params: vendorParams,
  reply: vendorBody,
  status: 200,
  examples: { one: { summary: "One vendor" } },
  handle: async (ctx, { params }) => serializeVendor(await vendorAt(ctx, params.id)),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/vendors/{id}",
  tag: "Vendors",
  summary: "Update a vendor",
  description: "Only the members sent change, those of the address too.",
  access: "secret",
  params: vendorParams,
  body: vendorChange,
  reply: vendorBody,
  status: 200,
  errors: ["vendor_already_exists"],
  examples: {
    moved: { summary: "Another street", body: { address: { street: "Avenida Borges", streetNumber: "9" } } },
  },
  handle: async (ctx, { params, body }) => serializeVendor(await updateVendor(ctx, params.id, body)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/vendors/{id}",
  tag: "Vendors",
  summary: "Delete a vendor",
  description: "Payments that name it stay as they are; its referenceId is free again.",
  access: "secret",
  params: vendorParams,
  reply: "empty",
  status: 204,
  handle: (ctx, { params }) => deleteVendor(ctx, params.id),
});
