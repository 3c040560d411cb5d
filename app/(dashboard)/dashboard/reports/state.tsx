import { reportWords } from "@/app/(dashboard)/dashboard/reports/words";
import { Badge } from "@/components/ui/badge";
import type { ReportStatus } from "@/db/schema/reports";

export async function ReportState({ status }: { status: ReportStatus }) {
  const { text, tone, icon } = (await reportWords()).status(status);
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}
