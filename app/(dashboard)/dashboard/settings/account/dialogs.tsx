import { Download } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { closeAction, exportAction, reopenAction } from "@/app/(dashboard)/dashboard/settings/account/actions";
import { reasonWords, stopWords } from "@/app/(dashboard)/dashboard/settings/account/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { TaskField } from "@/components/tasks/task-input";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { type ClosurePlan, REOPEN_DAYS } from "@/lib/accounts/closure";

const PAGE = "/dashboard/settings/account";

interface AccountDialogProps {
  doing: string | undefined;
  name: string;
  /** Of the export that was just allowed. */
  pass: string | undefined;
  plan: ClosurePlan | undefined;
  isClosed: boolean;
  /** A code is asked for beside the password. */
  hasFactor: boolean;
}

/** What the address asks for. */
export async function AccountDialog({ doing, name, pass, plan, isClosed, hasFactor }: AccountDialogProps) {
  const [t, security] = await Promise.all([getTranslations("account"), getTranslations("security")]);
  const proof: TaskField[] = [
    { name: "password", label: security("password"), kind: "current", isRequired: true },
    ...(hasFactor
      ? [{ name: "code", label: security("code"), hint: security("codeHint"), kind: "code", isRequired: true } as const]
      : []),
  ];
  if (doing === "export") {
    return (
      <ActionDialog title={t("exportTitle")} text={t("exportAgain")} closeHref={PAGE}>
        <TaskForm onAct={exportAction} closeHref={PAGE} texts={await taskTexts(t("exportButton"))} fields={proof} />
      </ActionDialog>
    );
  }
  if (doing === "take" && pass) {
    return (
      <ActionDialog title={t("takeTitle")} text={t("takeText")} closeHref={PAGE}>
        <div className="flex flex-wrap justify-end gap-2 px-5 pt-4 pb-5">
          <LinkButton href={PAGE} replace scroll={false} className="h-11 sm:h-9">
            {t("takeClose")}
          </LinkButton>
          <Button asChild tone="primary" className="h-11 sm:h-9">
            <a href={`${PAGE}/export?${new URLSearchParams({ pass })}`} download>
              <Download aria-hidden />
              {t("takeButton")}
            </a>
          </Button>
        </div>
      </ActionDialog>
    );
  }
  if (doing === "reopen" && isClosed) {
    return (
      <ActionDialog title={t("reopenTitle")} text={t("reopenText")} closeHref={PAGE}>
        <TaskForm onAct={reopenAction} closeHref={PAGE} texts={await taskTexts(t("reopenButton"))} fields={proof} />
      </ActionDialog>
    );
  }
  if (doing !== "close" || isClosed || !plan) return null;
  if (plan.reasons.length > 0) {
    const words = await reasonWords();
    return (
      <ActionDialog title={t("cannotTitle")} text={t("cannotText")} closeHref={PAGE}>
        <div className="grid gap-4 px-5 pt-4 pb-5">
          <Lines lines={plan.reasons.map(({ kind, count }) => words(kind, count))} />
          <div className="flex justify-end">
            <LinkButton href={PAGE} replace scroll={false} className="h-11 sm:h-9">
              {t("takeClose")}
            </LinkButton>
          </div>
        </div>
      </ActionDialog>
    );
  }
  const isProposal = plan.needsTwo && !plan.proposedBy;
  return (
    <ActionDialog title={t("closeTitle")} text={t("closeText", { days: REOPEN_DAYS })} closeHref={PAGE}>
      <TaskForm
        isDangerous
        onAct={closeAction}
        closeHref={PAGE}
        texts={await taskTexts(isProposal ? t("proposeButton") : t("closeButton"))}
        fields={[
          { name: "name", label: t("closeName"), hint: t("closeNameHint", { name }), isRequired: true },
          ...proof,
        ]}
      >
        <Lines lines={[...(await stopWords(plan.stops)), t("stopsRefunds"), t("staysData")]} />
        {plan.proposedBy ? (
          <p className="text-ink text-sm">{t("closeProposedBy", { name: plan.proposedBy.name })}</p>
        ) : isProposal ? (
          <p className="text-ink text-sm">{plan.isOwnProposal ? t("closeOwnProposal") : t("closeNeedsTwo")}</p>
        ) : null}
      </TaskForm>
    </ActionDialog>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="grid list-disc gap-1.5 pl-5 text-ink text-sm">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
