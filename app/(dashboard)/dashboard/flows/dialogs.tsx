import { getTranslations } from "next-intl/server";
import { createFlowAction, pauseProviderAction } from "@/app/(dashboard)/dashboard/flows/actions";
import { TEMPLATE_NAMES, type TemplateName } from "@/app/(dashboard)/dashboard/flows/templates";
import { flowWords, LIST, providerNames } from "@/app/(dashboard)/dashboard/flows/words";
import { orNotFound } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { EffectText } from "@/components/flows/effect-text";
import { TaskForm } from "@/components/tasks/task-form";
import { FLOW_METHODS } from "@/db/schema/flows";
import { type Context, inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { effectOfPause, type PauseEffect, REHEARSED_DAYS } from "@/lib/flows/effects";
import { isUuid } from "@/lib/ids";
import type { MerchantView } from "@/lib/merchants/queries";
import { reaching } from "@/lib/operators/reach";
import { flowsNaming } from "@/lib/payments/routing/choices";

const START_TEXTS = {
  empty: "startEmpty",
  priority: "startPriority",
  large: "startLarge",
  half: "startHalf",
  best: "startBest",
} as const satisfies Record<TemplateName, string>;

export async function CreateDialog({ merchants }: { merchants: readonly MerchantView[] }) {
  const words = await flowWords();
  const t = await getTranslations("flows");
  return (
    <ActionDialog title={t("createTitle")} text={t("createText")} closeHref={LIST}>
      <TaskForm
        onAct={createFlowAction}
        closeHref={LIST}
        texts={await taskTexts(t("createButton"))}
        fields={[
          { name: "name", label: t("name"), hint: t("nameHint"), isRequired: true },
          {
            name: "method",
            label: t("method"),
            kind: "choice",
            options: FLOW_METHODS.map((one) => ({ value: one, label: words.method(one) })),
            initial: "credit",
          },
          {
            name: "merchants",
            label: t("merchants"),
            kind: "choices",
            options: merchants.map(({ merchant }) => ({ value: merchant.id, label: merchant.name ?? merchant.id })),
            initial: merchants.length === 1 ? merchants[0]?.merchant.id : undefined,
          },
          {
            name: "start",
            label: t("startFrom"),
            kind: "choice",
            options: TEMPLATE_NAMES.map((one) => ({ value: one, label: t(START_TEXTS[one]) })),
            initial: "priority",
          },
        ]}
      />
    </ActionDialog>
  );
}

/** A flow of other merchants too may decide now: of it nothing but its effect is told to somebody limited to some. */
async function pauseSeen(ctx: Context, providerId: string): Promise<PauseEffect> {
  if (!isUuid(providerId)) throw notFound("provider");
  const own = await reaching(ctx, "provider", providerId);
  return inSnapshot(own, (inside) => effectOfPause(inside, providerId, FLOW_METHODS));
}

interface PauseDialogProps {
  ctx: Context;
  providerId: string;
}

/** One click, with what it would have meant for the last payments told before it. */
export async function PauseDialog({ ctx, providerId }: PauseDialogProps) {
  const words = await flowWords();
  const t = await getTranslations("flows");
  const { provider, methods } = await orNotFound(pauseSeen(ctx, providerId));
  const naming = await inSnapshot(ctx, (inside) => flowsNaming(inside, providerId));
  const { merchantId, isPaused } = provider;
  const names = await inSnapshot(ctx, (inside) => providerNames(inside, { merchantIds: [merchantId] }));
  const name = names[providerId] ?? provider.name;
  const flows = naming.map((flow) => flow.name).join(", ");
  return (
    <ActionDialog
      title={isPaused ? t("resumeTitle", { name }) : t("pauseTitle", { name })}
      text={isPaused ? t("resumeText") : t("pauseText")}
      closeHref={LIST}
    >
      <TaskForm
        hidden={{ provider: providerId, how: isPaused ? "resume" : "pause" }}
        onAct={pauseProviderAction}
        closeHref={LIST}
        texts={await taskTexts(isPaused ? t("resumeButton") : t("pauseButton"))}
        fields={[{ name: "why", label: t("why"), hint: t("pauseWhyHint") }]}
      >
        <p className="text-ink-2 text-sm">{naming.length > 0 ? t("namedIn", { flows }) : t("namedInNone")}</p>
        {methods.map(({ method, effect }) => (
          <section key={method} aria-label={words.method(method)} className="rounded-md border border-line p-3">
            <h3 className="mb-1 font-medium text-ink text-sm">{words.method(method)}</h3>
            <EffectText effect={effect} providers={names} days={REHEARSED_DAYS} />
          </section>
        ))}
        {methods.length === 0 ? (
          <p className="text-ink-2 text-sm">{t("effectNone", { days: REHEARSED_DAYS })}</p>
        ) : null}
      </TaskForm>
    </ActionDialog>
  );
}
