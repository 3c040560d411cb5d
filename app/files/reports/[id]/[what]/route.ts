import { fileResponse } from "@/app/files/reports/reply";
import { DomainError, RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { openLinkedReport, openReportArchive, openReportFile } from "@/lib/reports/download";

const PAGE = /^[1-9]\d{0,5}$/;
const nothing = (status: number): Response =>
  new Response(null, { status, headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" } });

/** The links of a report's e-mail: they open its files without signing in. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ id: string; what: string }> },
): Promise<Response> {
  const { id, what } = await params;
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const isAll = what === "files.zip";
  const linked = isUuid(id) && (isAll || PAGE.test(what)) ? await openLinkedReport(id, token) : undefined;
  if (!linked) return nothing(404);
  try {
    return fileResponse(
      await (isAll ? openReportArchive(linked.ctx, id) : openReportFile(linked.ctx, id, Number(what))),
    );
  } catch (thrown) {
    if (thrown instanceof DomainError || thrown instanceof RequestError) return nothing(thrown.status);
    throw thrown;
  }
}
