import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { BREAKS } from "@/app/(dashboard)/dashboard/finance/words";
import { endReturnAction, takeReturnAction } from "@/app/(dashboard)/dashboard/payouts/files/actions";
import { Waiting } from "@/app/(dashboard)/dashboard/payouts/files/waiting";
import {
  BATCHES,
  PAYOUT_FILES,
  PAYOUT_RETURNS,
  payoutWords,
  REASON_TEXTS,
  RETURN_VERDICT_TEXTS,
} from "@/app/(dashboard)/dashboard/payouts/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { Facts } from "@/components/dashboard/facts";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { returnView } from "@/lib/finance/payout-return";
import { may } from "@/lib/operators/permissions";
import { RETURN_VERDICTS, type ReturnVerdict } from "@/lib/payouts/judged-return";

interface ReturnPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const TONES: Record<ReturnVerdict, "success" | "neutral" | "warning" | "danger"> = {
  contradicts: "danger",
  paid: "success",
  failed: "warning",
  returned: "warning",
  unknown: "warning",
  known: "neutral",
  elsewhere: "neutral",
};

const read = cache(async (id: string) => {
  const member = await requireRight(`${PAYOUT_RETURNS}/${id}`, "payouts.see");
  return { ...member, view: await orNotFound(returnView(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: ReturnPageProps): Promise<Metadata> {
  const [{ view }, t] = await Promise.all([read((await params).id), getTranslations("payouts")]);
  return tabTitle(view.file.name, t("returns"));
}

export default async function ReturnPage({ params, searchParams }: ReturnPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const [{ t, money, moment }, { role, view }] = await Promise.all([payoutWords(), read(id)]);
  const { file, lines, total, waiting } = view;
  const here = `${PAYOUT_RETURNS}/${id}`;
  const isTaken = file.takenAt !== null;
  const canTake = !isTaken && !waiting && may(role, "payouts.mark");
  return (
    <>
      <BackLink href={PAYOUT_FILES} text={t("files")} />
      <header className="mt-3 mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="break-all font-semibold text-2xl text-ink">{file.name}</h1>
            <Badge tone={isTaken ? "success" : waiting ? "warning" : "neutral"}>
              {isTaken ? t("returnTaken") : waiting ? t("returnWaits") : t("returnNotTaken")}
            </Badge>
          </div>
          <p className="mt-2 max-w-2xl text-ink-2">{isTaken ? t("returnIsTaken") : t("returnPreviewText")}</p>
        </div>
        {canTake ? (
          <LinkButton href={`${here}?do=take`} scroll={false} tone="primary" className="max-sm:h-11">
            {t("returnTake")}
          </LinkButton>
        ) : null}
      </header>
      {waiting ? (
        <div className="mb-5">
          <Waiting
            waiting={waiting}
            text={t("returnWaitsText", {
              who: waiting.who ?? t("markSomebody"),
              name: file.name,
              count: file.transfers,
            })}
            onAct={endReturnAction}
          />
        </div>
      ) : null}
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card className="h-fit min-w-0 overflow-hidden">
          <CardHeader
            title={t("returnLines")}
            description={lines.length < total ? t("returnFirst", { shown: lines.length, total }) : undefined}
          />
          <DataList
            caption={t("returnLines")}
            columns={[
              { key: "line", title: t("returnLine") },
              { key: "verdict", title: t("returnSays") },
              { key: "batch", title: t("batch") },
              { key: "amount", title: t("amount"), isNumeric: true },
            ]}
            rows={lines.map(({ payment, transfer, verdict, difference, seller, breakId }) => ({
              id: String(payment.line),
              cells: [
                <span key="line" className="grid">
                  <span>{t("returnLineNumber", { line: payment.line })}</span>
                  <span className="truncate font-mono text-ink-3 text-xs">{payment.ourNumber}</span>
                </span>,
                <span key="verdict" className="grid justify-items-start gap-1">
                  <Badge tone={TONES[verdict]}>{t(RETURN_VERDICT_TEXTS[verdict])}</Badge>
                  {difference ? (
                    <span className="text-ink-2 text-xs">
                      {t("returnDiffers", { here: money(difference.expected), there: money(difference.found) })}
                    </span>
                  ) : "reason" in payment.said ? (
                    <span className="text-ink-2 text-xs">{t(REASON_TEXTS[payment.said.reason])}</span>
                  ) : null}
                  {breakId ? (
                    <a className="text-accent-ink text-xs underline underline-offset-4" href={`${BREAKS}/${breakId}`}>
                      {t("returnBreak")}
                    </a>
                  ) : null}
                </span>,
                transfer ? (
                  <a
                    key="batch"
                    className="text-accent-ink underline underline-offset-4"
                    href={`${BATCHES}/${transfer.batchId}`}
                  >
                    {seller ?? transfer.batchId.slice(-8)}
                  </a>
                ) : (
                  "–"
                ),
                money(payment.amount),
              ],
            }))}
          />
        </Card>
        <div className="grid min-w-0 content-start gap-5">
          <Card>
            <CardHeader title={t("returnUnderstood")} />
            <Facts
              facts={RETURN_VERDICTS.filter((verdict) => (view.counts[verdict] ?? 0) > 0).map((verdict) => ({
                name: t(RETURN_VERDICT_TEXTS[verdict]),
                value: <span className="tabular-nums">{view.counts[verdict]}</span>,
              }))}
            />
          </Card>
          <Card>
            <CardHeader title={t("about")} />
            <Facts
              facts={[
                { name: t("merchant"), value: view.merchant ?? "–" },
                { name: t("returnUploadedAt"), value: moment(file.createdAt) },
                ...(file.takenAt ? [{ name: t("returnTaken"), value: moment(file.takenAt) }] : []),
              ]}
            />
          </Card>
        </div>
      </div>
      {canTake && oneOf(given, "do") === "take" ? (
        <ActionDialog title={t("returnTake")} text={t("returnTakeText")} closeHref={here}>
          <TaskForm
            hidden={{ id }}
            closeHref={here}
            onAct={takeReturnAction}
            texts={await taskTexts(t("returnTake"))}
            fields={[{ name: "reason", label: t("filesReason"), kind: "long", isRequired: true }]}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
