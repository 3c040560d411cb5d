import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { jobWords } from "@/app/(dashboard)/dashboard/developers/sandbox/words";
import type { ClockProgress } from "@/components/dashboard/live-clock";
import { formatCents } from "@/components/ui/money-format";
import type { Context } from "@/lib/context";
import { dueNext } from "@/lib/insights/due-next";
import { happenedBetween, type LastMove, type MoveResult } from "@/lib/providers/sandbox/api/clock-moves";
import { readClock } from "@/lib/scheduler/clock";
import { DAY_SECONDS } from "@/lib/time";

/** Kinds of what fell due that are named; of more, how many there were. */
const MOST_NAMED = 3;
const DAY_MS = DAY_SECONDS * 1_000;
const HOURS_PER_DAY = 24;
const daysBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / DAY_MS;

/** How far a move has come, and what is worked on. */
export async function progressOf(ctx: Context, { from, to }: LastMove): Promise<ClockProgress> {
  const [t, jobs, format, due] = await Promise.all([
    getTranslations("sandbox"),
    jobWords(),
    getFormatter(),
    dueNext(ctx),
  ]);
  const total = daysBetween(from, to);
  const gone = Math.max(0, Math.min(total, daysBetween(from, readClock(ctx.account).now)));
  const target = format.dateTime(to, { dateStyle: "medium", timeStyle: "short" });
  const [first] = due;
  return {
    said:
      total >= 1
        ? t("movingDays", { day: Math.min(Math.floor(gone) + 1, Math.ceil(total)), total: Math.ceil(total), target })
        : t("movingTo", { target }),
    work: first && first.dueAt <= to ? t("movingWork", { what: jobs(first.kind) }) : t("movingEnd"),
    share: total === 0 ? 1 : gone / total,
  };
}

/** What a move came to, in one sentence each. */
export async function moveTexts(ctx: Context, move: LastMove): Promise<{ title: string; results: string[] }> {
  const [t, jobs, format, locale, result] = await Promise.all([
    getTranslations("sandbox"),
    jobWords(),
    getFormatter(),
    getLocale(),
    happenedBetween(ctx, move),
  ]);
  const { from, to, jobsRun, kindsRun } = move;
  const wholeHours = Math.floor(daysBetween(from, to) * HOURS_PER_DAY);
  const [days, hours] = [Math.floor(wholeHours / HOURS_PER_DAY), wholeHours % HOURS_PER_DAY];
  const moment = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "short" });
  const span = { from: moment(from), to: moment(to) };
  const counts = COUNTED.flatMap((name) => (result[name] > 0 ? [t(RESULT_TEXTS[name], { count: result[name] })] : []));
  const isNamed = kindsRun.length > 0 && kindsRun.length <= MOST_NAMED;
  const what = format.list(kindsRun.map(jobs), { type: "unit" });
  const fellDue = (count: number): string =>
    isNamed ? t("movedJobsNamed", { count, what }) : t("movedJobs", { count });
  return {
    title: days > 0 ? t("movedDays", { count: days, hours, ...span }) : t("movedHours", span),
    results: [
      ...(jobsRun === null ? [] : [fellDue(jobsRun)]),
      ...(result.paid > 0
        ? [t("movedPaid", { count: result.paid, amount: formatCents(result.paidAmount, "BRL", locale) })]
        : []),
      ...counts,
    ],
  };
}

type Counted = Exclude<keyof MoveResult, "paid" | "paidAmount">;
const COUNTED: readonly Counted[] = ["declined", "unpaid", "refunded", "unpaidSubscriptions", "payouts"];
const RESULT_TEXTS = {
  declined: "movedDeclined",
  unpaid: "movedUnpaid",
  refunded: "movedRefunded",
  unpaidSubscriptions: "movedSubscriptions",
  payouts: "movedPayouts",
} as const satisfies Record<Counted, string>;
