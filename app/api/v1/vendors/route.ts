import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { listVendors } from "@/lib/vendors/queries";
import { newVendor, vendorBody, vendorFilters, vendorList } from "@/lib/vendors/schema";
import { serializeVendor } from "@/lib/vendors/serializer";
import { createVendor } from "@/lib/vendors/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/vendors",
  tag: "Vendors",
  summary: "Create a vendor",
  description: "Charges and sessions name it as `vendor.id`. Its referenceId is unique in the account.",
  access: "secret",
  body: newVendor,
  reply: vendorBody,
  status: 201,
  errors: ["vendor_already_exists"],
  examples: {
    company: {
      summary: "A company",
      body: {
        referenceId: "loja-12",
        identityType: "CNPJ",
        identity: "12.345.107/0001-50",
        mcc: "5712",
        name: "Móveis da Serra Ltda",
        email: "contato@moveisdaserra.example",
        phoneNumber: "5554999990000",
        address: {
          country: "BR",
          state: "RS",
          city: "Gramado",
          district: "Centro",
          zipCode: "95670-000",
          street: "Rua das Hortênsias",
          streetNumber: "120",
        },
      },
    },
  },
  handle: async (ctx, { body }) => serializeVendor(await createVendor(ctx, body)),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/vendors",
  tag: "Vendors",
  summary: "List vendors",
  access: "secret",
  query: vendorFilters,
  reply: vendorList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    reference: { summary: "By your own reference", query: { referenceId: "loja-12" } },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listVendors(ctx, query);
    return envelope(query, { items: items.map(serializeVendor), totalItems });
  },
});
