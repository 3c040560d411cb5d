import { endpoint } from "@/app/api/endpoint";
import { getReport } from "@/lib/reports/queries";
import { manifestBody, reportParams } from "@/lib/reports/schema";
import { serializeManifest } from "@/lib/reports/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/reports/{id}/manifest",
  tag: "Reports",
  summary: "Read what a report states of its files",
  description:
    "Rows, sums of every amount column, a SHA-256 of each file, and the position in the ledger they are of, signed.",
  access: ["reports"],
  params: reportParams,
  reply: manifestBody,
  status: 200,
  errors: ["report_not_ready"],
  handle: async (ctx, { params }) => serializeManifest(await getReport(ctx, params.id)),
});
