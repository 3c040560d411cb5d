import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { sellerReply } from "@/lib/sellers/answer";
import { sellerBody, sellerList } from "@/lib/sellers/answer-schema";
import { createSeller } from "@/lib/sellers/create";
import { listSellers } from "@/lib/sellers/queries";
import { newSeller, sellerChangeWithAccount, sellerDeletion, sellerFilters, sellerQuery } from "@/lib/sellers/schema";
import { serializeSeller } from "@/lib/sellers/serializer";
import { deleteSeller, updateSeller } from "@/lib/sellers/service";

const ADDRESS = {
  street: "Rua A",
  streetNumber: "10",
  zipCode: "01001000",
  country: "BR",
  state: "SP",
  city: "São Paulo",
  district: "Sé",
};
const OWNER = {
  name: "Ana Souza",
  email: "ana@example.com",
  phoneNumber: "+5511999990000",
  birthdate: "1990-04-01",
  document: { type: "cpf", number: "52998224725", country: "BR" },
  address: ADDRESS,
};
const ACCOUNT = {
  holderName: "Ana Souza",
  holderDocument: "52998224725",
  bank: "341",
  branchNumber: "1234",
  accountNumber: "56789",
  accountCheckDigit: "7",
  type: "conta_corrente",
};

export const POST = endpoint({
  method: "POST",
  path: "/v1/sellers",
  tag: "Sellers",
  summary: "Create a seller",
  description:
    "A person, or with `business` a company. It is registered at every provider of the merchant that splits payments; the answer waits for them, at most 25 seconds. With `createAsync` it comes at once. The seller is unique in its merchant by the document of the business, else of the owner.",
  access: ["sellers"],
  inBand: true,
  body: newSeller,
  reply: sellerBody,
  status: 201,
  errors: [
    "merchant_not_found",
    "plan_not_found",
    "document_not_found",
    "seller_already_exists",
    "provider_kind_not_available",
  ],
  examples: {
    person: {
      summary: "A person, paid each Monday",
      body: { merchantId: "{{merchantId}}", mcc: "5712", owner: OWNER, bankAccount: ACCOUNT },
    },
    company: {
      summary: "A company, registered afterwards",
      body: {
        merchantId: "{{merchantId}}",
        mcc: 5712,
        owner: OWNER,
        business: {
          name: "Móveis da Serra Ltda",
          email: "contato@moveisdaserra.example",
          phoneNumber: "+5554999990000",
          document: { type: "cnpj", number: "12.345.107/0001-50" },
          address: ADDRESS,
        },
        bankAccount: { ...ACCOUNT, holderDocument: "12345107000150", holdeType: "company" },
        transferPolicy: { transferInterval: "monthly", transferDay: 5, transferEnabled: true },
        processingFee: true,
        liable: true,
        createAsync: true,
      },
    },
  },
  handle: async (ctx, { body }, answer) => answer.as(sellerReply(await createSeller(ctx, body))),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/sellers",
  tag: "Sellers",
  summary: "List sellers",
  description: "A public key sees what it created.",
  access: ["sellers"],
  query: sellerFilters,
  reply: sellerList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    usable: { summary: "Those that may receive", query: { status: "active,partial" } },
    name: { summary: "By a part of the company's name", query: { businessName: "serra" } },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listSellers(ctx, query);
    return envelope(query, { items: items.map(serializeSeller), totalItems });
  },
});

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/sellers",
  tag: "Sellers",
  summary: "Update a seller named in the query",
  description:
    "As `PATCH /v1/sellers/{id}`, with a bank account that must be sent. `providers`, `merchantId` and `clientId` cannot change and are ignored.",
  access: "secret",
  query: sellerQuery,
  body: sellerChangeWithAccount,
  reply: sellerBody,
  status: 200,
  errors: ["plan_not_found", "document_not_found", "seller_already_exists", "invalid_status_transition"],
  examples: {
    account: {
      summary: "Another account",
      query: { id: "{{sellerId}}" },
      body: { bankAccount: { accountNumber: "98765", accountCheckDigit: "1" } },
    },
  },
  handle: async (ctx, { query, body }) => serializeSeller(await updateSeller(ctx, query.id, body)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/sellers",
  tag: "Sellers",
  summary: "Delete a seller named in the query",
  access: "secret",
  query: sellerQuery,
  body: sellerDeletion,
  reply: "empty",
  status: 200,
  errors: ["merchant_not_found", "seller_has_balance"],
  examples: { one: { summary: "One seller", query: { id: "{{sellerId}}" }, body: { merchantId: "{{merchantId}}" } } },
  handle: (ctx, { query, body }) => deleteSeller(ctx, query.id, body.merchantId),
});
