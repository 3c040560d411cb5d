import { getFormatter, getTranslations } from "next-intl/server";
import { holdPayoutsAction, resumePayoutsAction } from "@/app/(dashboard)/dashboard/payouts/holds/actions";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { Context } from "@/lib/context";
import { holdsOf } from "@/lib/payouts/holds";

interface HoldsCardProps {
  ctx: Context;
  seller: { id: string; name: string };
  path: string;
  doing: string | undefined;
  mayHold: boolean;
}

/** Whether money leaves for the seller, and why not. */
export async function HoldsCard({ ctx, seller, path, doing, mayHold }: HoldsCardProps) {
  const [t, format, holds] = await Promise.all([getTranslations("sellers"), getFormatter(), holdsOf(ctx, seller.id)]);
  const open = holds.filter(({ liftedAt }) => liftedAt === null);
  const isHeld = open.some(({ cause }) => cause === "operator");
  const hold = (
    <LinkButton href={`${path}?do=hold`} scroll={false} size="sm">
      {t("hold")}
    </LinkButton>
  );
  const resume = (
    <TaskButton text={t("resumePayouts")} hidden={{ id: seller.id }} onAct={resumePayoutsAction} size="sm" />
  );
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("payouts")} actions={mayHold ? (isHeld ? resume : hold) : null} />
      {open.length === 0 ? <p className="px-5 py-4 text-ink-2 text-sm">{t("holdsNone")}</p> : null}
      <ul className="divide-y divide-line">
        {open.map(({ id, cause, reason, createdAt }) => {
          const day = format.dateTime(createdAt, { dateStyle: "medium" });
          return (
            <li key={id} className="bg-warning-soft px-5 py-3 text-sm text-warning">
              {cause === "operator" ? t("heldByTeam", { day, reason: reason ?? t("none") }) : t("heldByBank", { day })}
            </li>
          );
        })}
      </ul>
      {mayHold && doing === "hold" && !isHeld ? (
        <ActionDialog title={t("holdTitle")} text={t("holdText", { name: seller.name })} closeHref={path}>
          <TaskForm
            hidden={{ id: seller.id }}
            onAct={holdPayoutsAction}
            closeHref={path}
            texts={await taskTexts(t("hold"))}
            fields={[{ name: "reason", label: t("why"), hint: t("holdReasonHint"), kind: "long", isRequired: true }]}
          />
        </ActionDialog>
      ) : null}
    </Card>
  );
}
