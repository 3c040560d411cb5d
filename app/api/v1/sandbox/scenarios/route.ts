import { endpoint } from "@/app/api/endpoint";
import { envelope, listOf, pageQuery } from "@/lib/http/pagination";
import { addScenario, pageOfScenarios } from "@/lib/providers/sandbox/api/scenarios";
import { newScenario, scenarioBody } from "@/lib/providers/sandbox/api/schema";

const PATH = "/v1/sandbox/scenarios";
const TAG = "Sandbox";

export const POST = endpoint({
  method: "POST",
  path: PATH,
  tag: TAG,
  summary: "Store a scenario",
  description: "For payments that no request makes; the oldest stored one is used first.",
  access: "secret",
  sandboxOnly: true,
  body: newScenario,
  reply: scenarioBody,
  status: 201,
  errors: ["card_not_found", "customer_not_found", "merchant_not_found"],
  examples: {
    customer: {
      summary: "The next two payments of a customer are refused",
      body: { target: { customerId: "{{customerId}}" }, scenario: "outcome=106;times=2" },
    },
    card: {
      summary: "The next payment by a card is never answered",
      body: { target: { cardId: "{{cardId}}" }, scenario: "fault=drop_response" },
    },
  },
  handle: (ctx, { body }) => addScenario(ctx, body),
});

export const GET = endpoint({
  method: "GET",
  path: PATH,
  tag: TAG,
  summary: "List the stored scenarios",
  access: "secret",
  sandboxOnly: true,
  query: pageQuery,
  reply: listOf(scenarioBody),
  status: 200,
  examples: { oldest: { summary: "In the order of their use", query: { order: "asc" } } },
  handle: async (ctx, { query }) => envelope(query, await pageOfScenarios(ctx, query)),
});
