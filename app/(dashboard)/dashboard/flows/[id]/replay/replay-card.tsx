import { CheckCircle2, Download } from "lucide-react";
import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { cancelReplayAction } from "@/app/(dashboard)/dashboard/flows/[id]/replay/actions";
import { LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { DataList } from "@/components/dashboard/data-list";
import { Facts } from "@/components/dashboard/facts";
import { TaskButton } from "@/components/tasks/task-button";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { formatCents } from "@/components/ui/money-format";
import { serializeReplay } from "@/lib/flows/replays/schema";
import { examplesOf, type ReplayRow } from "@/lib/flows/replays/service";

const STATUS_TEXTS = {
  queued: "replayQueued",
  running: "replayRunning",
  done: "replayFinished",
  failed: "replayFailed",
  canceled: "replayCanceled",
} as const;

interface ReplayCardProps {
  replay: ReplayRow;
  /** The version was changed since: what was found is of what it was. */
  isOutdated: boolean;
  names: Readonly<Record<string, string>>;
  mayCancel: boolean;
}

/** What one replay found: what is known, what is not, and never a single number made of both. */
export async function ReplayCard({ replay, isOutdated, names, mayCancel }: ReplayCardProps) {
  const [t, format, locale] = await Promise.all([getTranslations("flows"), getFormatter(), getLocale()]);
  const found = serializeReplay(replay);
  const percent = (rate: number) => format.number(rate, { style: "percent", maximumFractionDigits: 1 });
  const day = (at: Date) => format.dateTime(at, { dateStyle: "medium" });
  const isOpen = replay.status === "queued" || replay.status === "running";
  const provider = (id: string) => names[id] ?? t("otherProvider");
  const { different, examples } = examplesOf(replay);
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t(STATUS_TEXTS[replay.status])}
        description={t("replayWindow", { from: day(replay.since), until: day(replay.until) })}
        actions={
          isOpen && mayCancel ? (
            <TaskButton
              text={t("replayCancel")}
              hidden={{ id: replay.flowId, replay: replay.id }}
              onAct={cancelReplayAction}
              size="sm"
            />
          ) : replay.status === "done" && found.changed.n > 0 && !isOutdated ? (
            <Button asChild size="sm">
              <a href={`${LIST}/export?${new URLSearchParams({ flow: replay.flowId, replay: replay.id })}`} download>
                <Download aria-hidden />
                {t("replayCsv")}
              </a>
            </Button>
          ) : null
        }
      />
      {isOpen ? (
        <div className="grid gap-2 px-5 py-4 text-ink-2 text-sm">
          <progress max={1} value={found.progress} aria-label={t("replayProgress")} className="w-full" />
          <p>{t("replayDoneOf", { done: replay.done, total: replay.total })}</p>
        </div>
      ) : null}
      {replay.status === "failed" ? (
        <p className="px-5 py-4 text-danger text-sm">
          {different === undefined ? t("replayBroke") : t("replayDifferent", { count: different })}
        </p>
      ) : null}
      {replay.status === "done" && isOutdated ? (
        <p className="px-5 pt-4 text-sm text-warning">{t("replayOutdated")}</p>
      ) : null}
      {replay.status === "done" && found.total === 0 ? (
        <p className="px-5 py-4 text-ink-2 text-sm">{t("replayNothing")}</p>
      ) : null}
      {replay.status === "done" && found.total > 0 ? (
        <>
          <p className="flex items-center gap-2 px-5 pt-4 text-sm text-success">
            <CheckCircle2 aria-hidden className="size-4 shrink-0" />
            {t("replayIdentity", { count: found.total })}
          </p>
          <Facts
            facts={[
              {
                name: t("replayChanged"),
                value: t("replayShare", { count: found.changed.n, share: percent(found.changed.share) }),
              },
              {
                name: t("replayKnown"),
                value: t("replayShare", { count: found.known.n, share: percent(found.known.share) }),
              },
              {
                name: t("replayUnknown"),
                value: t("replayShare", { count: found.unknown.n, share: percent(found.unknown.share) }),
              },
              { name: t("replayObserved"), value: t("replayRate", { rate: percent(found.observed.rate) }) },
              {
                name: t("replayEstimate"),
                value: found.estimate
                  ? t("replayInterval", { low: percent(found.estimate.low), high: percent(found.estimate.high) })
                  : t("replayNoEstimate"),
              },
              {
                name: t("replayCost"),
                value:
                  found.costDifference === null
                    ? t("replayCostUnknown")
                    : formatCents(found.costDifference, "BRL", locale),
              },
            ]}
          />
          <p className="px-5 pb-4 text-ink-3 text-xs">{t("replayLimits")}</p>
        </>
      ) : null}
      {replay.status === "done" && examples.length > 0 ? (
        <DataList
          caption={t("replayExamples")}
          columns={[
            { key: "payment", title: t("replayExamples") },
            { key: "before", title: t("replayBefore") },
            { key: "after", title: t("replayAfter") },
          ]}
          rows={examples.map(({ chargeId, amount, before, after }) => ({
            id: chargeId,
            cells: [
              <Link
                key="payment"
                href={`/dashboard/payments/${chargeId}`}
                className="text-accent-ink underline underline-offset-2"
              >
                {formatCents(amount, "BRL", locale)}
              </Link>,
              before.map(provider).join(" → ") || t("replayNobody"),
              after.map(provider).join(" → ") || t("replayNobody"),
            ],
          }))}
        />
      ) : null}
      {replay.status === "done" && found.worst.length > 0 ? (
        <DataList
          caption={t("replayWorst")}
          columns={[
            { key: "segment", title: t("replayWorst") },
            { key: "provider", title: t("provider") },
            { key: "payments", title: t("payments"), isNumeric: true },
          ]}
          rows={found.worst.map(({ brand, installments, provider: id, payments }) => ({
            id: `${brand} ${installments} ${id}`,
            cells: [
              t("replaySegment", { brand: brand || t("replayAnyBrand"), band: BANDS[installments] ?? "1" }),
              id === "" ? t("replayNobody") : provider(id),
              format.number(payments),
            ],
          }))}
        />
      ) : null}
    </Card>
  );
}

const BANDS: Readonly<Record<number, string>> = { 1: "1", 2: "2–6", 7: "7–12", 13: "13+" };
