import { getTranslations } from "next-intl/server";
import { TaskButton } from "@/components/tasks/task-button";
import type { TaskAction } from "@/components/tasks/task-form";
import type { WaitingFile } from "@/lib/finance/payout-files";

interface WaitingProps {
  waiting: WaitingFile;
  text: string;
  onAct: TaskAction;
}

/** What a colleague asked for, with the second person's buttons. */
export async function Waiting({ waiting, text, onAct }: WaitingProps) {
  const t = await getTranslations("payouts");
  const hidden = { id: waiting.subjectId, proposal: waiting.id };
  return (
    <div className="grid gap-3 rounded-md bg-warning-soft px-4 py-3 text-sm text-warning">
      <p>
        {text} {t("markBecause", { reason: waiting.reason })}
      </p>
      {waiting.isStale ? <p>{t("filesStale")}</p> : null}
      <div className="flex flex-wrap gap-2">
        {waiting.isOwn || waiting.isStale ? null : (
          <TaskButton text={t("markApprove")} hidden={{ ...hidden, how: "approved" }} onAct={onAct} size="sm" />
        )}
        <TaskButton
          text={waiting.isOwn ? t("markWithdraw") : t("markReject")}
          hidden={{ ...hidden, how: "refused" }}
          onAct={onAct}
          size="sm"
        />
      </div>
    </div>
  );
}
