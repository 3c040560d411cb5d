import { Download } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { cancelReportAction } from "@/app/(dashboard)/dashboard/reports/actions";
import { ReportState } from "@/app/(dashboard)/dashboard/reports/state";
import { reportWords, zoneText } from "@/app/(dashboard)/dashboard/reports/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { realTime } from "@/app/(dashboard)/real-time";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { type Fact, Facts } from "@/components/dashboard/facts";
import { LiveRefresh } from "@/components/dashboard/live-refresh";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { WhyLink } from "@/components/dashboard/why-link";
import { TaskButton } from "@/components/tasks/task-button";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCents } from "@/components/ui/money-format";
import { systemDb } from "@/db/client";
import { operatorIn } from "@/lib/audit";
import { inTransaction } from "@/lib/context";
import { namesOf } from "@/lib/operators/names";
import { may } from "@/lib/operators/permissions";
import { statesBefore } from "@/lib/reports/machine";
import { nameOfFile, type SumScope, sumScopeOf } from "@/lib/reports/manifest";
import { downloadsOf, getReport, holdsPersonal } from "@/lib/reports/queries";
import { mayReport } from "@/lib/reports/rights";
import { columnName } from "@/lib/reports/types/names";
import { columnOf, sourceOf } from "@/lib/reports/types/registry";

const PATH = "/dashboard/reports";
const KB = 1_024;
const SUM_TEXTS = {
  all_statuses: "sumOfAll",
  chosen_statuses: "sumOfChosen",
  rows: "sumOfRows",
} as const satisfies Record<SumScope, string>;

const read = cache(async (id: string, path: string) => {
  const member = await requireRight(path, "reports.create");
  const [row, downloads] = await orNotFound(
    inTransaction(member.ctx, async (inside) => [await getReport(inside, id), await downloadsOf(inside, id)] as const),
  );
  if (!mayReport(member.role, row.type)) notFound();
  return { ...member, row, downloads };
});

const shownReport = async ({ params, searchParams }: ReportPageProps) => {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  // The letter's link carries the file to download: a sign-in comes back to it.
  return read(id, withParameters(`${PATH}/${id}`, given, {}));
};

export async function generateMetadata(props: ReportPageProps): Promise<Metadata> {
  const [{ row }, t, words] = await Promise.all([shownReport(props), getTranslations("reports"), reportWords()]);
  return tabTitle(words.type(row.type), t("reportTitle"));
}

interface ReportPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function ReportPage(props: ReportPageProps) {
  const [{ id }, given] = await Promise.all([props.params, props.searchParams]);
  const path = `${PATH}/${id}`;
  const { ctx, role, row, downloads } = await shownReport(props);
  const [t, format, locale, words] = await Promise.all([
    getTranslations("reports"),
    getFormatter(),
    getLocale(),
    reportWords(),
  ]);
  const people = await namesOf(
    systemDb(),
    ctx.account.id,
    [row.actor, ...downloads.map(({ actor }) => actor)].flatMap((actor) => operatorIn(actor) ?? []),
  );
  const who = (actor: string, ofSystem: string): string => {
    const operatorId = operatorIn(actor);
    if (operatorId !== undefined) return people.get(operatorId) ?? t("whoGone");
    return actor === "system" ? ofSystem : t("whoKey");
  };
  const moment = (at: Date) => (
    <Moment at={at} text={format.dateTime(at, { dateStyle: "medium", timeStyle: "short" })} />
  );
  const real = await realTime(ctx.account.clock);
  const files = row.files ?? [];
  const note = words.note(row.status);
  const mayOpen = row.status !== "expired" && (may(role, "reports.personal") || !holdsPersonal(row));
  const facts: Fact[] = [
    { name: t("columnState"), value: <ReportState status={row.status} /> },
    { name: t("columnRows"), value: words.rows(row) },
    {
      name: t("period"),
      value: format.dateTimeRange(row.since, row.until, {
        dateStyle: "medium",
        timeStyle: "short",
        timeZone: row.timezone,
      }),
    },
    { name: t("zoneName"), value: zoneText(row.timezone, row.until, locale) },
    {
      name: t("columnTo"),
      value: row.awaitsConfirmation ? t("awaiting", { email: row.email }) : row.email,
    },
    { name: t("columnWho"), value: who(row.actor, t("whoSchedule")) },
    { name: t("columnDate"), value: moment(row.createdAt) },
    { name: t("expires"), value: moment(row.expiredAt) },
  ];
  const scope = sumScopeOf(row);
  const sums = Object.entries(row.sums ?? {}).flatMap(([name, byCurrency]) => {
    const column = columnOf(sourceOf(row.type), name);
    return Object.entries(byCurrency).map(([currency, sum]) => ({
      name: t(SUM_TEXTS[scope], {
        column: column ? columnName(column, locale === "en" ? "en" : "pt") : name,
      }),
      value: (
        <WhyLink href={withParameters(path, {}, { why: "report.total", part: name, of: currency })}>
          {formatCents(sum, currency, locale)}
        </WhyLink>
      ),
    }));
  });
  return (
    <>
      <BackLink href={PATH} text={t("title")} />
      <PageHead
        title={words.type(row.type)}
        action={
          statesBefore("canceled").includes(row.status) ? (
            <TaskButton text={t("cancel")} hidden={{ id }} onAct={cancelReportAction} />
          ) : null
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card>
          <Facts facts={facts} />
          {note ? <p className="px-5 pb-4 text-ink-2 text-sm">{note}</p> : null}
        </Card>
        {row.signature ? (
          <Card>
            <h2 className="px-5 pt-4 font-semibold text-ink">{t("manifest")}</h2>
            <p className="px-5 pt-1 text-ink-2 text-sm">{t("manifestText")}</p>
            {scope === "all_statuses" && sums.length > 0 ? (
              <p className="px-5 pt-1 text-ink-2 text-sm">{t("sumsNote")}</p>
            ) : null}
            {row.sums?.transaction__amount ? (
              <p className="px-5 pt-1 text-ink-2 text-sm">{t("sumsNoteAmount")}</p>
            ) : null}
            <Facts
              facts={[
                ...sums,
                {
                  name: t("position"),
                  value: <code className="break-all font-mono text-xs">{row.position?.journalId ?? t("none")}</code>,
                },
              ]}
            />
          </Card>
        ) : null}
      </div>
      {files.length > 0 ? (
        <Card className="mt-6 overflow-hidden">
          <h2 className="px-5 pt-4 pb-2 font-semibold text-ink">{t("files")}</h2>
          {mayOpen ? null : (
            <p className="px-5 pb-3 text-ink-2 text-sm">
              {row.status === "expired" ? t("filesGone") : t("filesPersonal")}
            </p>
          )}
          <ul className="divide-y divide-line border-line border-t">
            {files.map(({ rows, bytes, sha256 }, at) => (
              <li key={sha256} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-sm">
                <div className="mr-auto min-w-0">
                  <p className="break-all font-medium text-ink">{nameOfFile(row, at + 1)}</p>
                  <p className="text-ink-2">{t("fileFacts", { rows, size: format.number(Math.ceil(bytes / KB)) })}</p>
                  <p className="flex items-center gap-1 text-ink-3">
                    <code className="break-all font-mono text-xs">{sha256}</code>
                    <CopyButton text={sha256} label={t("copyDigest")} />
                  </p>
                </div>
                {mayOpen ? (
                  <Button asChild>
                    <a href={`${PATH}/file?report=${id}&page=${at + 1}`} download data-export>
                      <Download aria-hidden />
                      {t("download")}
                    </a>
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {downloads.length > 0 ? (
        <Card className="mt-6">
          <h2 className="px-5 pt-4 font-semibold text-ink">{t("downloads")}</h2>
          <Facts
            facts={downloads.map(({ actor, at }) => ({ name: who(actor, t("whoLink")), value: real.moment(at) }))}
          />
        </Card>
      ) : null}
      {row.signature ? (
        <ExplanationSheet
          ctx={ctx}
          role={role}
          path={path}
          given={given}
          subject={{ reportId: id, column: oneOf(given, "part"), currency: oneOf(given, "of") }}
        />
      ) : null}
      <LiveRefresh />
    </>
  );
}
