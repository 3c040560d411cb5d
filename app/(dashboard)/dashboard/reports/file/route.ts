import { redirect } from "next/navigation";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { fileResponse } from "@/app/files/reports/reply";
import { inTransaction } from "@/lib/context";
import { DomainError, RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { openReportFile, type ReportDownload } from "@/lib/reports/download";
import { getReport, holdsPersonal } from "@/lib/reports/queries";
import { mayReport } from "@/lib/reports/rights";

const PAGE = /^[1-9]\d{0,5}$/;

/** A file for a person of the account; with people's data in it for those who may export them. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "reports.create")) return new Response(null, { status: 404 });
  const { searchParams } = new URL(request.url);
  const [id, page] = [searchParams.get("report") ?? "", searchParams.get("page") ?? ""];
  const isAsked = isUuid(id) && PAGE.test(page);
  const file = isAsked ? await opened(ctx, id, Number(page), role) : undefined;
  if (!file) redirect("/dashboard/reports");
  return fileResponse(file);
}

async function opened(
  ctx: Parameters<typeof openReportFile>[0],
  id: string,
  page: number,
  role: OperatorRole,
): Promise<ReportDownload | undefined> {
  try {
    const row = await inTransaction(ctx, (inside) => getReport(inside, id));
    if (!mayReport(role, row.type)) return undefined;
    return holdsPersonal(row) && !may(role, "reports.personal") ? undefined : await openReportFile(ctx, id, page);
  } catch (thrown) {
    if (thrown instanceof DomainError || thrown instanceof RequestError) return undefined;
    throw thrown;
  }
}
