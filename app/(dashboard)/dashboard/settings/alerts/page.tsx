import { BellRing, Plus } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { createMonitorAction } from "@/app/(dashboard)/dashboard/settings/alerts/actions";
import { monitorFields } from "@/app/(dashboard)/dashboard/settings/alerts/fields";
import { MonitorState } from "@/app/(dashboard)/dashboard/settings/alerts/state";
import { monitorWords } from "@/app/(dashboard)/dashboard/settings/alerts/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { SUGGESTION_NAMES, SUGGESTIONS } from "@/lib/monitors/metrics";
import { listMonitors } from "@/lib/monitors/service";
import { may } from "@/lib/operators/permissions";

const PAGE = "/dashboard/settings/alerts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("alerts");
  return { title: t("title") };
}

export default async function AlertsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "monitors.see");
  const [t, words, format, monitors] = await Promise.all([
    getTranslations("alerts"),
    monitorWords(),
    getFormatter(),
    listMonitors(ctx, role),
  ]);
  const mayEdit = may(role, "monitors.edit");
  const asked = oneOf(given, "from");
  const from = SUGGESTION_NAMES.find((name) => name === asked);
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("description")}
        action={
          mayEdit ? (
            <LinkButton href={`${PAGE}?do=create`} scroll={false} tone="primary" data-new>
              <Plus aria-hidden />
              {t("create")}
            </LinkButton>
          ) : null
        }
      />
      {oneOf(given, "done") === "deleted" ? <DoneNote text={t("doneDeleted")} /> : null}
      <div className="grid grid-cols-1 gap-6">
        <Card className="overflow-hidden">
          {monitors.length === 0 ? (
            <EmptyState icon={BellRing} title={t("emptyTitle")}>
              {mayEdit ? t("emptyText") : t("emptyTextReading")}
            </EmptyState>
          ) : (
            <DataList
              caption={t("title")}
              columns={[
                { key: "name", title: t("name") },
                { key: "state", title: t("state") },
                { key: "rule", title: t("firesWhen") },
                { key: "now", title: t("now"), isNumeric: true },
                { key: "since", title: t("since"), isNumeric: true, isMinor: true },
              ]}
              rows={monitors.map((monitor) => ({
                id: monitor.id,
                href: `${PAGE}/${monitor.id}`,
                cells: [
                  monitor.name,
                  <MonitorState key="state" ctx={ctx} monitor={monitor} />,
                  <span key="rule" className="whitespace-normal">
                    {words.rule(monitor)}
                  </span>,
                  monitor.value === null ? t("none") : words.amount(monitor.metric, monitor.value),
                  monitor.since ? (
                    <Moment
                      key="since"
                      at={monitor.since}
                      text={format.dateTime(monitor.since, { dateStyle: "medium", timeStyle: "short" })}
                    />
                  ) : (
                    t("none")
                  ),
                ],
              }))}
            />
          )}
        </Card>
        {mayEdit ? (
          <Card>
            <CardHeader title={t("suggestions")} description={t("suggestionsText")} />
            <ul className="divide-y divide-line">
              {SUGGESTION_NAMES.map((name) => (
                <li key={name} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3.5">
                  <div className="min-w-0 flex-[1_1_18rem] text-sm">
                    <p className="font-medium text-ink">{words.suggestion(name).name}</p>
                    <p className="mt-0.5 text-ink-2">{words.suggestion(name).why}</p>
                  </div>
                  <LinkButton href={`${PAGE}?do=create&from=${name}`} scroll={false} size="sm">
                    {t("use")}
                    <span className="sr-only">{words.suggestion(name).name}</span>
                  </LinkButton>
                </li>
              ))}
            </ul>
          </Card>
        ) : null}
      </div>
      <ListKeys searchId="" />
      {oneOf(given, "do") === "create" && mayEdit ? (
        <ActionDialog title={t("createTitle")} text={t("createText")} closeHref={PAGE}>
          <TaskForm
            onAct={createMonitorAction}
            closeHref={PAGE}
            texts={await taskTexts(t("createButton"))}
            fields={
              await monitorFields({
                ...SUGGESTIONS[from ?? "approval_drop"],
                name: from ? words.suggestion(from).name : "",
                byEmail: true,
                byWebhook: false,
              })
            }
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
