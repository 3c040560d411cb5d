import { endpoint } from "@/app/api/endpoint";
import { getReport } from "@/lib/reports/queries";
import { reportBody, reportParams } from "@/lib/reports/schema";
import { serializeReport } from "@/lib/reports/serializer";
import { cancelReport } from "@/lib/reports/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/reports/{id}",
  tag: "Reports",
  summary: "Read a report's state",
  access: ["reports"],
  params: reportParams,
  reply: reportBody,
  status: 200,
  examples: { one: { summary: "One report" } },
  handle: async (ctx, { params }) => serializeReport(await getReport(ctx, params.id)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/reports/{id}",
  tag: "Reports",
  summary: "Cancel a report that waits or runs",
  description: "One that is over stays as it is.",
  access: "secret",
  params: reportParams,
  reply: "empty",
  status: 204,
  handle: (ctx, { params }) => cancelReport(ctx, params.id),
});
