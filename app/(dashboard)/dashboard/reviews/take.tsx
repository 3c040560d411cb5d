import { Hand } from "lucide-react";
import { useTranslations } from "next-intl";
import { releaseReviewAction, takeReviewAction } from "@/app/(dashboard)/dashboard/reviews/actions";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import type { Take } from "@/lib/insights/takes";

/** Who looks after it: others see that somebody does. */
export function TakenBy({ take }: { take: Take | undefined }) {
  const t = useTranslations("reviews");
  if (!take) return <span className="text-ink-3">{t("takenByNobody")}</span>;
  return (
    <Badge tone={take.isOwn ? "info" : "neutral"} icon={Hand}>
      {take.isOwn ? t("takenByYou") : (take.name ?? t("proposalSomebody"))}
    </Badge>
  );
}

interface TakeButtonProps {
  id: string;
  kind: "charge" | "purchase";
  take: Take | undefined;
  /** On the page of one purchase, which is shown again. */
  isOnPage?: boolean;
}

export function TakeButton({ id, kind, take, isOnPage }: TakeButtonProps) {
  const t = useTranslations("reviews");
  const hidden = { id, kind, back: isOnPage ? "page" : "list" };
  return take?.isOwn ? (
    <TaskButton text={t("release")} hidden={hidden} onAct={releaseReviewAction} size="sm" tone="quiet" />
  ) : (
    <TaskButton
      text={take ? t("takeOver") : t("take")}
      hidden={hidden}
      onAct={takeReviewAction}
      size="sm"
      tone="quiet"
    />
  );
}
