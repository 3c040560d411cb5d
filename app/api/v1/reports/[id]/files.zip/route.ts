import { endpoint } from "@/app/api/endpoint";
import { fileReply } from "@/app/files/reports/reply";
import { openReportArchive } from "@/lib/reports/download";
import { reportParams } from "@/lib/reports/schema";

export const GET = endpoint({
  method: "GET",
  path: "/v1/reports/{id}/files.zip",
  tag: "Reports",
  summary: "Download all files in one archive",
  description: "The digests of the manifest are of the files in it.",
  access: ["reports"],
  params: reportParams,
  inBand: true,
  reply: "file",
  produces: "application/zip",
  status: 200,
  errors: ["report_not_ready", "report_expired"],
  handle: async (ctx, { params }) => fileReply(await openReportArchive(ctx, params.id)),
});
