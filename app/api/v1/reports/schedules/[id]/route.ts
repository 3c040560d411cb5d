import { endpoint } from "@/app/api/endpoint";
import { deleteDefinition } from "@/lib/reports/definitions";
import { reportParams } from "@/lib/reports/schema";

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/reports/schedules/{id}",
  tag: "Reports",
  summary: "End a schedule",
  description: "Reports that were made stay.",
  access: "secret",
  params: reportParams,
  reply: "empty",
  status: 204,
  handle: (ctx, { params }) => deleteDefinition(ctx, params.id),
});
