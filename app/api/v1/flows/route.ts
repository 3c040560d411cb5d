import { endpoint } from "@/app/api/endpoint";
import { listFlows } from "@/lib/flows/queries";
import { flowBody, flowFilters, flowList, newFlow } from "@/lib/flows/schema";
import { serializeFlow } from "@/lib/flows/serializer";
import { createFlow } from "@/lib/flows/service";
import { envelope } from "@/lib/http/pagination";

export const POST = endpoint({
  method: "POST",
  path: "/v1/flows",
  tag: "Flows",
  summary: "Create a flow",
  description:
    "A draft, or active at once. With `parentId` it is the next version of that flow. Everything that is wrong with its nodes is told at once, each by its place.",
  access: "secret",
  body: newFlow,
  reply: flowBody,
  status: 201,
  errors: ["flow_invalid", "provider_kind_not_available", "merchant_not_found", "flow_not_found"],
  examples: {
    large: {
      summary: "Large amounts in parts are analysed nowhere and tried at one provider; half of the others draw lots",
      body: {
        name: "Cards",
        paymentMethod: "credit",
        merchantId: "{{merchantId}}",
        flow: {
          root: [
            {
              rule: "condition",
              id: "large",
              if: {
                all: [
                  { field: "amount", operator: "gte", value: 50_000 },
                  { field: "installments", operator: "gte", value: 7 },
                ],
              },
              then: [{ rule: "provider", id: "{{providerId}}" }],
              else: [
                {
                  rule: "share",
                  id: "half",
                  by: "bucket",
                  weights: [
                    { weight: 50, then: [{ rule: "provider", id: "{{providerId}}" }] },
                    { weight: 50, then: [] },
                  ],
                },
              ],
            },
          ],
        },
      },
    },
    active: {
      summary: "Decides at once",
      body: {
        name: "Cards",
        paymentMethod: "credit",
        merchants: [{ merchantId: "{{merchantId}}" }],
        status: "active",
        flow: { root: [{ rule: "provider", id: "{{providerId}}" }] },
      },
    },
  },
  handle: async (ctx, { body }) => serializeFlow(await createFlow(ctx, body)),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/flows",
  tag: "Flows",
  summary: "List flows",
  access: ["flows"],
  query: flowFilters,
  reply: flowList,
  status: 200,
  examples: {
    active: { summary: "Flows that decide for cards", query: { paymentMethod: "credit", status: "active" } },
  },
  handle: async (ctx, { query }) => {
    const { items, totalItems } = await listFlows(ctx, query);
    return envelope(query, { items: items.map(serializeFlow), totalItems });
  },
});
