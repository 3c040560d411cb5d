import { CircleCheck, TriangleAlert } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { Badge } from "@/components/ui/badge";

/** Taken; not to be taken as it is; or waiting for somebody who takes it. */
export async function StatementState({ isTaken, refused }: { isTaken: boolean; refused: number }) {
  const t = await getTranslations("finance");
  if (isTaken) {
    return (
      <Badge tone="success" icon={CircleCheck}>
        {t("statementTaken")}
      </Badge>
    );
  }
  if (refused === 0) return <Badge tone="neutral">{t("statementWaiting")}</Badge>;
  return (
    <Badge tone="danger" icon={TriangleAlert}>
      {t("statementRefused", { count: refused })}
    </Badge>
  );
}
