import { endpoint } from "@/app/api/endpoint";
import { flowReplayBody, newFlowReplay, serializeReplay } from "@/lib/flows/replays/schema";
import { requestReplay } from "@/lib/flows/replays/service";
import { flowParams } from "@/lib/flows/schema";

export const POST = endpoint({
  method: "POST",
  path: "/v1/flows/{id}/replays",
  tag: "Flows",
  summary: "Replay a flow",
  description:
    "Holds a version against payments that were decided before: first that their own versions come to the same decisions again, then what this one would have changed. What nobody can know is called unknown.",
  access: "secret",
  params: flowParams,
  body: newFlowReplay,
  reply: flowReplayBody,
  status: 202,
  examples: {
    month: {
      summary: "Over the payments of a month",
      body: { since: "2026-10-01T00:00:00Z", until: "2026-11-01T00:00:00Z", sample: 10_000 },
    },
  },
  handle: async (ctx, { params, body }) => serializeReplay(await requestReplay(ctx, params.id, body)),
});
