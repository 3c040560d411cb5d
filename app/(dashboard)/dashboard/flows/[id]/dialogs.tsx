import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import { TestsNote } from "@/app/(dashboard)/dashboard/flows/[id]/saved-tests-card";
import {
  activateFlowAction,
  archiveFlowAction,
  changeMerchantsAction,
  discardDraftAction,
  restoreFlowAction,
} from "@/app/(dashboard)/dashboard/flows/actions";
import { flowWords, LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { EffectText } from "@/components/flows/effect-text";
import { UnroutedNote } from "@/components/flows/unrouted-note";
import { TaskForm } from "@/components/tasks/task-form";
import { LinkButton } from "@/components/ui/link-button";
import { type Context, inSnapshot } from "@/lib/context";
import { effectOfActivation, effectOfArchival, leavingOf, REHEARSED_DAYS } from "@/lib/flows/effects";
import { listReplays, merchantChoices, outdatedBefore } from "@/lib/flows/family";
import { decidersOf, type FlowRow, rootOf, versionOf } from "@/lib/flows/queries";
import { serializeReplay } from "@/lib/flows/replays/schema";
import { replayResultOf } from "@/lib/flows/replays/service";
import { runTests } from "@/lib/flows/saved-tests";
import { may } from "@/lib/operators/permissions";
import { reaching } from "@/lib/operators/reach";
import type { OperatorRole } from "@/lib/operators/sessions";

interface FlowDialogProps {
  ctx: Context;
  role: OperatorRole;
  flow: FlowRow;
  doing: string | undefined;
  merchants: ReadonlyMap<string, string>;
  providers: Readonly<Record<string, string>>;
}

/** The confirmation that the address asks for, with what it would have meant told before. */
export async function FlowDialog(props: FlowDialogProps) {
  const { role, flow, doing } = props;
  const isActivator = may(role, "flows.activate");
  if (doing === "activate" && flow.status === "draft" && isActivator) return <ActivateDialog {...props} />;
  if (doing === "archive" && flow.status === "active" && isActivator) return <ArchiveDialog {...props} />;
  if (doing === "archive" && flow.status === "draft" && may(role, "flows.edit")) return <DiscardDialog {...props} />;
  if (doing === "merchants" && flow.status === "draft" && may(role, "flows.edit"))
    return <MerchantsDialog {...props} />;
  if (doing === "restore" && isActivator) return <RestoreDialog {...props} />;
  return null;
}

async function ActivateDialog({ ctx, flow, merchants, providers }: FlowDialogProps) {
  const [words, format] = [await flowWords(), await getFormatter()];
  const t = await getTranslations("flows");
  // A flow of other merchants too may decide now: somebody limited to some is told of it, but not which it is.
  const own = await reaching(ctx, "flow", flow.id);
  const { effect, unseen } = await inSnapshot(own, async (inside) => ({
    effect: await effectOfActivation(inside, flow),
    unseen: await leavingOf(inside, flow),
  }));
  const { leaving, deciders, replay, outdated, tests } = await inSnapshot(ctx, async (inside) => ({
    leaving: await leavingOf(inside, flow),
    deciders: await decidersOf(inside, flow),
    replay: (await listReplays(inside, flow.id, 1))[0],
    outdated: await outdatedBefore(inside, flow.id),
    tests: await runTests(inside, flow),
  }));
  const path = `${LIST}/${flow.id}`;
  const found = replay?.status === "done" && replay.createdAt >= outdated ? serializeReplay(replay) : undefined;
  const moved = replay && replayResultOf(replay).moved;
  const title = t("activateTitle", { name: flow.name, version: versionOf(flow) });
  const text = t("activateText", { method: words.method(flow.paymentMethod) });
  if (tests.some(({ isMet }) => !isMet)) {
    const back = await getTranslations("tasks");
    return (
      <ActionDialog title={title} text={text} closeHref={path}>
        <div className="grid gap-4 px-5 pt-4 pb-5">
          <TestsNote results={tests} path={path} />
          <LinkButton href={path} replace scroll={false} className="h-11 justify-self-end sm:h-9">
            {back("back")}
          </LinkButton>
        </div>
      </ActionDialog>
    );
  }
  return (
    <ActionDialog title={title} text={text} closeHref={path}>
      <TaskForm
        hidden={{ id: flow.id, version: versionOf(flow), deciders }}
        onAct={activateFlowAction}
        closeHref={path}
        texts={await taskTexts(t("activate"))}
        fields={[{ name: "why", label: t("why"), hint: t("whyHint") }]}
      >
        <ul className="grid gap-0.5 text-ink text-sm">
          {flow.merchantIds.map((id) => {
            const former = leaving.find(({ merchantId }) => merchantId === id)?.flow;
            const merchant = merchants.get(id) ?? id;
            const hasUnseen = unseen.some(({ merchantId }) => merchantId === id);
            return (
              <li key={id}>
                {former
                  ? t("leaves", { merchant, flow: former.name, version: versionOf(former) })
                  : t(hasUnseen ? "leavesUnseen" : "leavesPriority", { merchant })}
              </li>
            );
          })}
        </ul>
        <UnroutedNote root={rootOf(flow)} />
        <EffectText effect={effect} providers={providers} days={REHEARSED_DAYS} />
        <TestsNote results={tests} path={path} />
        {found && replay && moved !== undefined ? (
          <p className="text-ink-2 text-sm">
            {t("replayDone", {
              when: format.dateTime(replay.createdAt, { dateStyle: "medium", timeStyle: "short" }),
              share: format.number(found.changed.share, { style: "percent", maximumFractionDigits: 1 }),
              count: found.total,
              moved,
            })}
          </p>
        ) : (
          <p className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning">
            {t("replayFirst")}{" "}
            <Link href={`${path}/replay`} className="font-medium underline underline-offset-2">
              {t("replay")}
            </Link>
          </p>
        )}
      </TaskForm>
    </ActionDialog>
  );
}

async function ArchiveDialog({ ctx, flow, providers }: FlowDialogProps) {
  const t = await getTranslations("flows");
  const path = `${LIST}/${flow.id}`;
  const effect = await inSnapshot(ctx, (inside) => effectOfArchival(inside, flow));
  return (
    <ActionDialog title={t("archiveTitle", { name: flow.name })} text={t("archiveText")} closeHref={path}>
      <TaskForm
        hidden={{ id: flow.id, version: versionOf(flow) }}
        isDangerous
        onAct={archiveFlowAction}
        closeHref={path}
        texts={await taskTexts(t("archive"))}
        fields={[{ name: "why", label: t("why"), hint: t("whyHint") }]}
      >
        <EffectText effect={effect} providers={providers} days={REHEARSED_DAYS} />
      </TaskForm>
    </ActionDialog>
  );
}

async function DiscardDialog({ flow }: FlowDialogProps) {
  const t = await getTranslations("flows");
  const path = `${LIST}/${flow.id}`;
  return (
    <ActionDialog title={t("archiveTitle", { name: flow.name })} text={t("archiveDraftText")} closeHref={path}>
      <TaskForm
        hidden={{ id: flow.id }}
        onAct={discardDraftAction}
        closeHref={path}
        texts={await taskTexts(t("archive"))}
        fields={[{ name: "why", label: t("why"), hint: t("whyHint") }]}
      />
    </ActionDialog>
  );
}

async function MerchantsDialog({ ctx, flow }: FlowDialogProps) {
  const t = await getTranslations("flows");
  const path = `${LIST}/${flow.id}`;
  const options = await inSnapshot(ctx, (inside) => merchantChoices(inside, flow.merchantIds));
  return (
    <ActionDialog title={t("merchants")} text={t("merchantsText")} closeHref={path}>
      <TaskForm
        hidden={{ id: flow.id, version: versionOf(flow) }}
        onAct={changeMerchantsAction}
        closeHref={path}
        texts={await taskTexts(t("merchantsSave"))}
        fields={[
          {
            name: "merchants",
            label: t("merchants"),
            kind: "choices",
            options,
            initial: flow.merchantIds.join(","),
          },
        ]}
      />
    </ActionDialog>
  );
}

/** For one merchant at a time; it is asked for only where there are several. */
async function RestoreDialog({ flow, merchants }: FlowDialogProps) {
  const t = await getTranslations("flows");
  const path = `${LIST}/${flow.id}`;
  const [first = "", ...others] = flow.merchantIds;
  const isOnly = others.length === 0;
  return (
    <ActionDialog
      title={t("restoreTitle", { name: flow.name, version: versionOf(flow) })}
      text={t("restoreText")}
      closeHref={path}
    >
      <TaskForm
        hidden={{ id: flow.id, ...(isOnly ? { merchant: first } : {}) }}
        onAct={restoreFlowAction}
        closeHref={path}
        texts={await taskTexts(t("restoreButton"))}
        fields={[
          ...(isOnly
            ? []
            : [
                {
                  name: "merchant",
                  label: t("merchant"),
                  hint: t("restoreMerchantHint"),
                  kind: "choice" as const,
                  options: flow.merchantIds.map((id) => ({ value: id, label: merchants.get(id) ?? id })),
                  initial: first,
                },
              ]),
          { name: "why", label: t("why"), hint: t("whyHint") },
        ]}
      />
    </ActionDialog>
  );
}
