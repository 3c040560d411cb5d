import { CheckCircle2, Download } from "lucide-react";
import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { cancelReplayAction } from "@/app/(dashboard)/dashboard/flows/[id]/replay/actions";
import { LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { DataList } from "@/components/dashboard/data-list";
import { Facts } from "@/components/dashboard/facts";
import { brandText } from "@/components/flows/words";
import { TaskButton } from "@/components/tasks/task-button";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { formatCents } from "@/components/ui/money-format";
import { serializeReplay } from "@/lib/flows/replays/schema";
import { type ReplayRow, replayResultOf } from "@/lib/flows/replays/service";

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
  const { different, reproduced = 0, moved, examples } = replayResultOf(replay);
  const byPriority = found.total - reproduced;
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
          {reproduced > 0 ? (
            <p className="flex items-center gap-2 px-5 pt-4 text-sm text-success">
              <CheckCircle2 aria-hidden className="size-4 shrink-0" />
              {t("replayIdentity", { count: reproduced })}
            </p>
          ) : null}
          {byPriority > 0 ? (
            <p className="px-5 pt-4 text-ink-2 text-sm">{t("replayByPriority", { count: byPriority })}</p>
          ) : null}
          <Facts
            facts={[
              {
                name: t("replayChanged"),
                value: changedText(),
              },
              {
                name: t("replayKnown"),
                value: t("replayShare", { count: found.known.n, share: percent(found.known.share) }),
              },
              {
                name: t("replayUnknown"),
                value: t("replayShare", { count: found.unknown.n, share: percent(found.unknown.share) }),
              },
              {
                name: t("replayObserved"),
                value:
                  found.known.n > 0 ? t("replayRate", { rate: percent(found.observed.rate) }) : t("replayRateNone"),
              },
              {
                name: t("replayEstimate"),
                value: estimated(found.estimate),
              },
              {
                name: t("replayCost"),
                value: costText(),
              },
            ]}
          />
          <p className="px-5 pb-4 text-ink-3 text-xs">{t("replayLimits")}</p>
        </>
      ) : null}
      {replay.status === "done" && examples.length > 0 ? (
        <>
          <PhoneTitle text={t("replayExamples")} />
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
        </>
      ) : null}
      {replay.status === "done" && found.worst.length > 0 ? (
        <>
          <PhoneTitle text={t("replayWorst")} />
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
                t("replaySegment", {
                  brand: brand ? brandText(t, brand) : t("replayAnyBrand"),
                  band: BANDS[installments] ?? "1",
                }),
                id === "" ? t("replayNobody") : provider(id),
                format.number(payments),
              ],
            }))}
          />
        </>
      ) : null}
    </Card>
  );

  function changedText(): string {
    const { n: count, share } = found.changed;
    if (moved === undefined) return t("replayShare", { count, share: percent(share) });
    return t("replayChangedShare", { count, share: percent(share), moved });
  }

  function costText(): string {
    const { costDifference, known, unknown } = found;
    if (costDifference === null) return t(known.n > 0 ? "replayCostUnknown" : "replayNoEstimate");
    const amount = formatCents(costDifference, "BRL", locale);
    return unknown.n > 0 ? t("replayCostOfKnown", { amount }) : amount;
  }

  function estimated(estimate: typeof found.estimate): string {
    if (!estimate) return t("replayNoEstimate");
    const { low, high } = estimate;
    if (low === high) {
      return t(found.unknown.n > 0 ? "replayNothingEstimatedOfKnown" : "replayNothingEstimated", {
        rate: percent(low),
      });
    }
    return t("replayInterval", { low: percent(low), high: percent(high) });
  }
}

/** A table says by its first column what it lists; cards have none. */
const PhoneTitle = ({ text }: { text: string }) => (
  <h3 className="border-line border-t px-5 pt-4 font-medium text-ink text-sm md:hidden">{text}</h3>
);

const BANDS: Readonly<Record<number, string>> = { 1: "1", 2: "2–6", 7: "7–12", 13: "13+" };
