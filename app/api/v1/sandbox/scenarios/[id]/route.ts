import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { uuid } from "@/lib/http/fields";
import { removeScenario } from "@/lib/providers/sandbox/api/scenarios";

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/sandbox/scenarios/{id}",
  tag: "Sandbox",
  summary: "Forget a stored scenario",
  access: "secret",
  sandboxOnly: true,
  params: z.object({ id: uuid }),
  reply: "empty",
  status: 204,
  handle: (ctx, { params }) => removeScenario(ctx, params.id),
});
