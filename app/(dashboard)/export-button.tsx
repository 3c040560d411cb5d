import { getTranslations } from "next-intl/server";
import { type GivenParameters, withParameters } from "@/app/(dashboard)/list-url";
import { LinkButton } from "@/components/ui/link-button";
import type { ReportType } from "@/db/schema/reports";
import type { OperatorRole } from "@/lib/operators/sessions";
import { mayReport } from "@/lib/reports/rights";

interface ExportButtonProps {
  role: OperatorRole;
  type: ReportType;
  /** The filters of the list, by the names that the form of reports has for them. */
  filters?: GivenParameters;
  /** The list is narrowed by what no report can be: it would hold other rows. */
  isNarrower: boolean;
}

/** Makes a report of the list, with its filters. */
export async function ExportButton({ role, type, filters = {}, isNarrower }: ExportButtonProps) {
  if (isNarrower || !mayReport(role, type)) return null;
  const t = await getTranslations("reports");
  return (
    <LinkButton href={withParameters("/dashboard/reports/new", { ...filters, type }, {})}>{t("export")}</LinkButton>
  );
}
