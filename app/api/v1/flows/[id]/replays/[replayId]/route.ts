import { endpoint } from "@/app/api/endpoint";
import { flowReplayBody, replayParams, serializeReplay } from "@/lib/flows/replays/schema";
import { cancelReplay, getReplay } from "@/lib/flows/replays/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/flows/{id}/replays/{replayId}",
  tag: "Flows",
  summary: "Read a replay",
  description: "How far it is, and what it found.",
  access: "secret",
  params: replayParams,
  reply: flowReplayBody,
  status: 200,
  handle: async (ctx, { params }) => serializeReplay(await getReplay(ctx, params.id, params.replayId)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/flows/{id}/replays/{replayId}",
  tag: "Flows",
  summary: "Cancel a replay",
  access: "secret",
  params: replayParams,
  reply: "empty",
  status: 204,
  handle: (ctx, { params }) => cancelReplay(ctx, params.id, params.replayId),
});
