import { endpoint } from "@/app/api/endpoint";
import { getCycle } from "@/lib/subscriptions/queries";
import { cycleBody, cycleParams } from "@/lib/subscriptions/schema";
import { serializeCycle } from "@/lib/subscriptions/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subscriptions/{id}/cycles/{cycleId}",
  tag: "Subscriptions",
  summary: "Read a cycle",
  access: ["subscriptions"],
  params: cycleParams,
  reply: cycleBody,
  status: 200,
  examples: { one: { summary: "One cycle, with each of its tries" } },
  handle: async (ctx, { params }) => serializeCycle(await getCycle(ctx, params.id, params.cycleId)),
});
