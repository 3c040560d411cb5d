import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { listMerchants } from "@/lib/merchants/queries";
import { merchantBody, merchantFilters, merchantList, newMerchant } from "@/lib/merchants/schema";
import { serializeMerchant } from "@/lib/merchants/serializer";
import { createMerchant } from "@/lib/merchants/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/merchants",
  tag: "Merchants",
  summary: "Create a merchant",
  description: "Its providers may come with it; they are tried by priority, equal ones older first.",
  access: "secret",
  body: newMerchant,
  reply: merchantBody,
  status: 201,
  errors: ["provider_credentials_invalid", "sandbox_and_live_providers_mixed", "provider_kind_not_available"],
  examples: {
    simulator: {
      summary: "A merchant whose payments are simulated",
      body: {
        mcc: "5411",
        name: "Mercado Central",
        merchantName: "Mercado Central",
        merchantUrl: "https://mercado.example",
        providers: [
          {
            name: "Simulator",
            priority: 1,
            credentials: { type: "SANDBOX", apiKey: "any text" },
            options: { type: "SANDBOX", delaySeconds: 5 },
          },
        ],
      },
    },
    inactive: {
      summary: "A merchant that takes no payments yet",
      body: { mcc: "5812", name: "Padaria Aurora", status: false },
    },
  },
  handle: async (ctx, { body }) => serializeMerchant(await createMerchant(ctx, body)),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/merchants",
  tag: "Merchants",
  summary: "List merchants",
  access: "secret",
  query: merchantFilters,
  reply: merchantList,
  status: 200,
  examples: { active: { summary: "Merchants that take payments", query: { status: "true", limit: "20" } } },
  handle: async (ctx, { query }) => {
    const { items, totalItems } = await listMerchants(ctx, query);
    return envelope(query, { items: items.map(serializeMerchant), totalItems });
  },
});
