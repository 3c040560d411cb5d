import { endpoint } from "@/app/api/endpoint";
import { simulation, simulationBody } from "@/lib/flows/schema-simulation";
import { serializeSimulation } from "@/lib/flows/serializer";
import { simulateFlow } from "@/lib/flows/simulate";

export const POST = endpoint({
  method: "POST",
  path: "/v1/flows/simulations",
  tag: "Flows",
  summary: "Try a flow on a payment",
  description: "One that is described, or one that was made. Nothing is written and no provider is asked.",
  access: "secret",
  idempotency: "none",
  body: simulation,
  reply: simulationBody,
  status: 200,
  errors: ["flow_not_found", "flow_invalid", "provider_kind_not_available", "merchant_not_found"],
  examples: {
    described: {
      summary: "A payment in ten parts",
      body: { flowId: "{{flowId}}", facts: { amount: 60_000, installments: 10, brand: "visa" } },
    },
  },
  handle: async (ctx, { body }) => serializeSimulation(await simulateFlow(ctx, body)),
});
