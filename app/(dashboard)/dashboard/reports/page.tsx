import { FileSpreadsheet, Plus } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { deleteDefinitionAction, runDefinitionAction } from "@/app/(dashboard)/dashboard/reports/actions";
import { EditDialog } from "@/app/(dashboard)/dashboard/reports/edit-dialog";
import { reportTypeIn } from "@/app/(dashboard)/dashboard/reports/fields";
import { firstOf } from "@/app/(dashboard)/dashboard/reports/schedule";
import { ReportState } from "@/app/(dashboard)/dashboard/reports/state";
import { cityOf, reportWords } from "@/app/(dashboard)/dashboard/reports/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { LiveRefresh } from "@/components/dashboard/live-refresh";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { TaskButton } from "@/components/tasks/task-button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { systemDb } from "@/db/client";
import { operatorIn } from "@/lib/audit";
import { inTransaction } from "@/lib/context";
import { namesOf } from "@/lib/operators/names";
import { listDefinitions } from "@/lib/reports/definitions";
import { listReports } from "@/lib/reports/queries";
import { mayReport, typesFor } from "@/lib/reports/rights";

const PATH = "/dashboard/reports";
const ROWS = 25;
const DONE = { scheduled: "doneScheduled", changed: "doneChanged", deleted: "doneDeleted" } as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("reports");
  return { title: t("title") };
}

export default async function ReportsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PATH, given, {}), "reports.create");
  const page = Math.max(1, Math.trunc(Number(oneOf(given, "page"))) || 1);
  const [t, format, words, { items, totalItems }, allKept] = await Promise.all([
    getTranslations("reports"),
    getFormatter(),
    reportWords(),
    inTransaction(ctx, (inside) => listReports(inside, { page, limit: ROWS, type: typesFor(role) })),
    inTransaction(ctx, listDefinitions),
  ]);
  const kept = allKept.filter(({ request }) => mayReport(role, reportTypeIn(String(request.type))));
  const people = await namesOf(
    systemDb(),
    ctx.account.id,
    items.flatMap(({ actor }) => operatorIn(actor) ?? []),
  );
  const whoOf = (actor: string): string => {
    const operatorId = operatorIn(actor);
    if (operatorId !== undefined) return people.get(operatorId) ?? t("whoGone");
    return actor === "system" ? t("whoSchedule") : t("whoKey");
  };
  const done = oneOf(given, "done");
  const doing = oneOf(given, "do");
  const edited = kept.find(({ id }) => id === oneOf(given, "kept"));
  const first = firstOf(kept, oneOf(given, "kept"));
  const moment = ({ at, timeZone }: { at: Date; timeZone: string }) =>
    format.dateTime(at, { dateStyle: "medium", timeStyle: "short", timeZone });
  const pageAt = (at: number) =>
    withParameters(PATH, given, {
      page: at > 1 ? String(at) : undefined,
      done: undefined,
      do: undefined,
      kept: undefined,
    });
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("description")}
        action={
          <LinkButton href={`${PATH}/new`} tone="primary">
            <Plus aria-hidden />
            {t("new")}
          </LinkButton>
        }
      />
      {done === "scheduled" || done === "changed" || done === "deleted" ? (
        <DoneNote
          text={first && done === "scheduled" ? t("doneScheduledAt", { when: moment(first) }) : t(DONE[done])}
        />
      ) : null}
      {kept.length > 0 ? (
        <Card className="mb-6 overflow-hidden">
          <h2 className="px-5 pt-4 pb-2 font-semibold text-ink">{t("keptTitle")}</h2>
          <DataList
            caption={t("keptTitle")}
            actions={t("actions")}
            columns={[
              { key: "name", title: t("columnName"), isFlexible: true },
              { key: "type", title: t("columnType"), isFolded: true },
              { key: "when", title: t("columnWhen"), isFolded: true },
              { key: "to", title: t("columnTo"), isFlexible: true },
              { key: "next", title: t("columnNext"), isNumeric: true, isFolded: true },
            ]}
            rows={kept.map((row) => ({
              id: row.id,
              cells: [
                row.name,
                words.type(reportTypeIn(String(row.request.type))),
                row.cron && row.time
                  ? t("cronAt", { cron: words.cron(row.cron), time: row.time, zone: cityOf(row.timezone) })
                  : t("cronNever"),
                String(row.request.sendTo),
                row.nextAt ? moment({ at: row.nextAt, timeZone: row.timezone }) : "–",
              ],
              actions: (
                <>
                  <LinkButton href={`${PATH}?do=edit&kept=${row.id}`} scroll={false} size="sm">
                    {t("edit")}
                  </LinkButton>
                  <TaskButton text={t("makeNow")} hidden={{ id: row.id }} onAct={runDefinitionAction} size="sm" />
                  <TaskButton
                    text={t("delete")}
                    hidden={{ id: row.id }}
                    onAct={deleteDefinitionAction}
                    size="sm"
                    tone="quiet"
                  />
                </>
              ),
            }))}
          />
        </Card>
      ) : null}
      <Card className="overflow-hidden">
        {items.length > 0 ? (
          <>
            <DataList
              caption={t("caption")}
              columns={[
                { key: "type", title: t("columnType") },
                { key: "state", title: t("columnState") },
                { key: "rows", title: t("columnRows"), isNumeric: true },
                { key: "who", title: t("columnWho"), isMinor: true, isFlexible: true },
                { key: "to", title: t("columnTo"), isMinor: true, isFlexible: true },
                { key: "at", title: t("columnDate"), isNumeric: true, isFolded: true },
              ]}
              rows={items.map((row) => ({
                id: row.id,
                href: `${PATH}/${row.id}`,
                cells: [
                  words.type(row.type),
                  <ReportState key="state" status={row.status} />,
                  words.rows(row),
                  whoOf(row.actor),
                  row.email,
                  <Moment
                    key="at"
                    at={row.createdAt}
                    text={format.dateTime(row.createdAt, { dateStyle: "medium", timeStyle: "short" })}
                  />,
                ],
              }))}
            />
            <div className="border-line border-t px-5 py-3 empty:hidden">
              <PageLinks
                label={t("pages")}
                previous={{ href: page > 1 ? pageAt(page - 1) : undefined, text: t("newer") }}
                next={{ href: page * ROWS < totalItems ? pageAt(page + 1) : undefined, text: t("older") }}
              />
            </div>
          </>
        ) : (
          <EmptyState
            icon={FileSpreadsheet}
            title={t("emptyTitle")}
            action={<LinkButton href={`${PATH}/new`}>{t("new")}</LinkButton>}
          >
            {t("emptyText")}
          </EmptyState>
        )}
      </Card>
      <LiveRefresh />
      {doing === "edit" && edited ? <EditDialog kept={edited} path={PATH} /> : null}
    </>
  );
}
