import { endpoint } from "@/app/api/endpoint";
import { fileReply } from "@/app/files/reports/reply";
import { openReportFile } from "@/lib/reports/download";
import { reportFileParams } from "@/lib/reports/schema";

export const GET = endpoint({
  method: "GET",
  path: "/v1/reports/{id}/files/{pageNumber}",
  tag: "Reports",
  summary: "Download one file",
  description:
    "The first download makes the report `opened`. An installation may answer 302 with an address of its file store instead, which holds for five minutes.",
  access: ["reports"],
  params: reportFileParams,
  inBand: true,
  reply: "file",
  produces: "text/csv",
  status: 200,
  errors: ["report_not_ready", "report_expired"],
  handle: async (ctx, { params }) => fileReply(await openReportFile(ctx, params.id, params.pageNumber)),
});
