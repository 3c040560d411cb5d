import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { takeStatementAction } from "@/app/(dashboard)/dashboard/finance/statements/actions";
import { StatementState } from "@/app/(dashboard)/dashboard/finance/statements/state";
import {
  BREAKS,
  financeWords,
  STATEMENTS,
  VERDICT_TEXTS,
  VERDICT_WHYS,
} from "@/app/(dashboard)/dashboard/finance/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { type LineVerdict, VERDICTS } from "@/db/schema/settlement";
import { type StatementView, statementView } from "@/lib/finance/statements";
import { sumOf } from "@/lib/money";
import { may } from "@/lib/operators/permissions";

interface StatementPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const TONES: Partial<Record<LineVerdict, "success" | "neutral" | "warning">> = {
  new: "success",
  known: "neutral",
  foreign: "warning",
};

const read = cache(async (id: string) => {
  const member = await requireRight(`${STATEMENTS}/${id}`, "finance.see");
  return { ...member, view: await orNotFound(statementView(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: StatementPageProps): Promise<Metadata> {
  const [{ view }, t] = await Promise.all([read((await params).id), getTranslations("finance")]);
  return tabTitle(view.file.name, t("statements"));
}

export default async function StatementPage({ params, searchParams }: StatementPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const t = await getTranslations("finance");
  const [{ money, day, moment }, { role, view }] = await Promise.all([financeWords(), read(id)]);
  const { file, lines, total } = view;
  const isTaken = file.takenAt !== null;
  return (
    <>
      <BackLink href={STATEMENTS} text={t("statements")} />
      {isTaken && oneOf(given, "done") === "taken" ? <DoneNote text={t("statementDone")} /> : null}
      <header className="mt-3 mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="break-all font-semibold text-2xl text-ink">{file.name}</h1>
            <StatementState isTaken={isTaken} refused={refusedOf(view)} />
          </div>
          <p className="mt-2 max-w-2xl text-ink-2">
            {isTaken ? t("statementIsTaken") : view.isTakeable ? t("statementIsTakeable") : t("statementIsRefused")}
          </p>
        </div>
        {view.isTakeable && may(role, "finance.settle") ? (
          <TaskButton text={t("statementTake")} hidden={{ id }} onAct={takeStatementAction} tone="primary" />
        ) : null}
      </header>
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card className="h-fit min-w-0 overflow-hidden">
          <CardHeader
            title={t("statementLines")}
            description={lines.length < total ? t("statementFirst", { shown: lines.length, total }) : undefined}
          />
          <DataList
            caption={t("statementLines")}
            columns={[
              { key: "line", title: t("lineId") },
              { key: "verdict", title: t("state") },
              { key: "day", title: t("settledOn"), isNumeric: true },
              { key: "gross", title: t("statementGross"), isNumeric: true },
              { key: "cost", title: t("cost"), isNumeric: true },
              { key: "net", title: t("statementNet"), isNumeric: true },
            ]}
            rows={lines.map(({ number, text, line, verdict, paymentId, breakId }) => ({
              id: String(number),
              href: paymentId ? `/dashboard/payments/${paymentId}` : breakId && `${BREAKS}/${breakId}`,
              cells: [
                <span key="line" className="grid">
                  <span>{t("statementLine", { number })}</span>
                  <span className="truncate font-mono text-ink-3 text-xs">{line?.providerTxId ?? text}</span>
                </span>,
                <Verdict
                  key="verdict"
                  verdict={isTaken && paymentId === undefined ? "foreign" : verdict}
                  isBooked={isTaken && paymentId !== undefined}
                />,
                line ? day(line.settledOn) : t("none"),
                line ? money(line.amount + line.cost) : t("none"),
                line ? money(line.cost) : t("none"),
                line ? money(line.amount) : t("none"),
              ],
            }))}
          />
        </Card>
        <div className="grid min-w-0 content-start gap-5">
          <Card>
            <CardHeader title={t("statementUnderstood")} />
            <Facts
              facts={[
                ...VERDICTS.filter((verdict) => (view.counts[verdict] ?? 0) > 0).map((verdict) => ({
                  name: t(VERDICT_TEXTS[verdict]),
                  value: (
                    <span className="grid">
                      <span className="tabular-nums">{view.counts[verdict]}</span>
                      <span className="text-ink-3 text-xs">{t(VERDICT_WHYS[verdict])}</span>
                    </span>
                  ),
                })),
                ...(isTaken || view.isTakeable
                  ? [{ name: isTaken ? t("statementBooked") : t("statementToBook"), value: money(view.net) }]
                  : []),
              ]}
            />
          </Card>
          <Card>
            <CardHeader title={t("about")} />
            <Facts
              facts={[
                { name: t("statementProvider"), value: view.provider },
                { name: t("merchant"), value: view.merchant ?? t("none") },
                { name: t("statementUploadedAt"), value: moment(file.createdAt) },
                { name: t("statementUploadedBy"), value: view.uploadedBy ?? t("somebody") },
                ...(file.takenAt
                  ? [
                      { name: t("statementTakenAt"), value: moment(file.takenAt) },
                      { name: t("statementTakenBy"), value: view.takenBy ?? t("somebody") },
                    ]
                  : []),
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}

async function Verdict({ verdict, isBooked }: { verdict: LineVerdict; isBooked: boolean }) {
  const t = await getTranslations("finance");
  return (
    <Badge tone={isBooked ? "neutral" : (TONES[verdict] ?? "danger")}>
      {isBooked ? t("statementBooked") : t(VERDICT_TEXTS[verdict])}
    </Badge>
  );
}

const FINE: ReadonlySet<LineVerdict> = new Set(["new", "known", "foreign"]);
const refusedOf = ({ counts }: StatementView): number =>
  sumOf(VERDICTS.filter((verdict) => !FINE.has(verdict)).map((verdict) => counts[verdict] ?? 0));
