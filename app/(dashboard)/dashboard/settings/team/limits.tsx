import { getLocale, getTranslations } from "next-intl/server";
import {
  approveLimitsAction,
  changeLimitsAction,
  endLimitsAction,
} from "@/app/(dashboard)/dashboard/settings/team/limit-actions";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { formatCents } from "@/components/ui/money-format";
import type { LimitsProposal } from "@/lib/operators/alone-limits";
import type { AloneLimits } from "@/lib/operators/second-person";

const PAGE = "/dashboard/settings/team";
const CENTS = 100;

async function saidLimits({ reviews, refunds }: AloneLimits): Promise<{ reviews: string; refunds: string }> {
  const locale = await getLocale();
  return { reviews: formatCents(reviews, "BRL", locale), refunds: formatCents(refunds, "BRL", locale) };
}

/** What one owner asked for and another one agrees to. */
export async function LimitsProposed({ proposal }: { proposal: LimitsProposal }) {
  const t = await getTranslations("team");
  const { id, by, isOwn, limits } = proposal;
  const said = await saidLimits(limits);
  return (
    <div className="grid gap-3 border-line border-b px-5 py-4 text-sm">
      <p className="text-ink">
        {isOwn ? t("limitsOwnWaits", said) : t("limitsOtherWaits", { ...said, name: by.name })}
      </p>
      <div className="flex flex-wrap gap-2">
        {isOwn ? null : (
          <TaskButton text={t("limitsApprove")} hidden={{ id }} onAct={approveLimitsAction} size="sm" tone="primary" />
        )}
        <TaskButton
          text={t(isOwn ? "limitsWithdraw" : "limitsRefuse")}
          hidden={{ id }}
          onAct={endLimitsAction}
          size="sm"
          tone="quiet"
        />
      </div>
    </div>
  );
}

interface LimitsDialogProps {
  doing: string | undefined;
  limits: AloneLimits;
  needsTwo: boolean;
}

/** The form that the address asks for. */
export async function LimitsDialog({ doing, limits, needsTwo }: LimitsDialogProps) {
  const t = await getTranslations("team");
  if (doing === "limits") {
    const written = new Intl.NumberFormat(await getLocale(), { minimumFractionDigits: 2, useGrouping: false });
    return (
      <ActionDialog title={t("limitsTitle")} text={t(needsTwo ? "limitsTextTwo" : "limitsText")} closeHref={PAGE}>
        <TaskForm
          onAct={changeLimitsAction}
          closeHref={PAGE}
          texts={await taskTexts(t("limitsButton"))}
          fields={[
            {
              name: "reviews",
              label: t("limitsReviews"),
              hint: t("limitsReviewsHint"),
              initial: written.format(limits.reviews / CENTS),
              isRequired: true,
            },
            {
              name: "refunds",
              label: t("limitsRefunds"),
              hint: t("limitsRefundsHint"),
              initial: written.format(limits.refunds / CENTS),
              isRequired: true,
            },
          ]}
        />
      </ActionDialog>
    );
  }
  return null;
}
