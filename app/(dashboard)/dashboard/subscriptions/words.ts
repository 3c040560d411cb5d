import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  Flag,
  type LucideIcon,
  PauseCircle,
  Repeat,
} from "lucide-react";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import type { ComponentProps } from "react";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import type { Badge } from "@/components/ui/badge";
import { formatCents } from "@/components/ui/money-format";
import type { CycleStatus, Interval, MandateRetry, MandateStatus, SubscriptionStatus } from "@/db/schema/subscriptions";
import { beginOf, lastRetryDay, utcDayOf } from "@/lib/subscriptions/calendar";
import type { SubscriptionOverview } from "@/lib/subscriptions/operator-queries";
import type { SubscriptionRow } from "@/lib/subscriptions/queries";
import type { OwnReason } from "@/lib/subscriptions/reasons";

export const LIST = "/dashboard/subscriptions";

type Look = { icon: LucideIcon; tone: ComponentProps<typeof Badge>["tone"] };

/** Many buyers have a plan of one name. */
export const subscriptionSubject = ({ row, buyer }: SubscriptionOverview): string =>
  buyer ? `${row.name}, ${buyer.name}` : row.name;

export const STATUS_LOOKS: Record<SubscriptionStatus, Look> = {
  created: { icon: CircleDashed, tone: "info" },
  trialing: { icon: Clock, tone: "info" },
  active: { icon: CircleCheck, tone: "success" },
  paused: { icon: PauseCircle, tone: "warning" },
  unpaid: { icon: CircleX, tone: "danger" },
  canceled: { icon: Ban, tone: "neutral" },
  expired: { icon: Flag, tone: "neutral" },
};
export const STATUS_TEXTS = {
  created: "statusCreated",
  trialing: "statusTrialing",
  active: "statusActive",
  paused: "statusPaused",
  unpaid: "statusUnpaid",
  canceled: "statusCanceled",
  expired: "statusExpired",
} as const satisfies Record<SubscriptionStatus, string>;

export const CYCLE_LOOKS: Record<CycleStatus, Look> = {
  scheduled: { icon: Clock, tone: "neutral" },
  pending: { icon: CircleDashed, tone: "info" },
  authorized: { icon: CircleCheck, tone: "success" },
  retrying: { icon: Repeat, tone: "warning" },
  failed: { icon: CircleX, tone: "danger" },
  canceled: { icon: Ban, tone: "neutral" },
};
export const CYCLE_TEXTS = {
  scheduled: "cycleScheduled",
  pending: "cyclePending",
  authorized: "cycleAuthorized",
  retrying: "cycleRetrying",
  failed: "cycleFailed",
  canceled: "cycleCanceled",
} as const satisfies Record<CycleStatus, string>;

const PLAN_TEXTS = {
  weekly: "planWeekly",
  monthly: "planMonthly",
  quarterly: "planQuarterly",
  yearly: "planYearly",
  biennial: "planBiennial",
  triennial: "planTriennial",
} as const satisfies Record<Interval, string>;

/** Why no charge could be made, or is made; declines have words of their own. */
const IMPOSSIBLE_TEXTS = {
  card_not_found: "errorCard",
  customer_not_found: "errorCustomer",
  merchant_inactive: "errorMerchant",
  seller_not_found: "errorSeller",
  taken_back: "errorTakenBack",
} as const;

export const MANDATE_LOOKS: Record<MandateStatus, Look> = {
  created: { icon: Clock, tone: "info" },
  approved: { icon: CircleCheck, tone: "success" },
  rejected: { icon: CircleX, tone: "danger" },
  expired: { icon: Flag, tone: "neutral" },
  canceled: { icon: Ban, tone: "neutral" },
};
export const MANDATE_TEXTS = {
  created: "mandateCreated",
  approved: "mandateApproved",
  rejected: "mandateRejected",
  expired: "mandateExpired",
  canceled: "mandateCanceled",
} as const satisfies Record<MandateStatus, string>;
export const MANDATE_RETRY_TEXTS = {
  none: "mandateRetryNone",
  three_in_seven_days: "mandateRetryThree",
} as const satisfies Record<MandateRetry, string>;

/** Why one ended, where no person ended it; a person's own reason stands as it was written. */
export const REASON_TEXTS = {
  payer: "reasonPayer",
  payer_refused: "reasonPayerRefused",
  mandate_refused: "reasonMandateRefused",
  mandate_expired: "reasonMandateExpired",
  not_started: "reasonNotStarted",
  card_refused: "reasonCardRefused",
  card_limit: "reasonCardLimit",
  retries_used: "reasonRetriesUsed",
  link_canceled: "reasonLinkCanceled",
  replaced: "reasonReplaced",
  buyer_page: "reasonBuyerPage",
  customer_deleted: "reasonCustomerDeleted",
} as const satisfies Record<OwnReason, string>;

export const FACT_TEXTS = {
  changed: "factChanged",
  "trial.ended": "factTrialEnded",
  "charge.approved": "factApproved",
  paused: "factPaused",
  resumed: "factResumed",
  "retries.spent": "factUnpaid",
  "retries.spent_for_good": "factSpent",
  "cycles.completed": "factCompleted",
  canceled: "factCanceled",
} as const;

/** The day of the next charge, where one is to come: what falls due meanwhile is skipped in the other statuses. */
export const chargedNextOn = ({ status, nextDueOn, cancelOn }: SubscriptionRow): string | null => {
  if (status === "paused" || status === "unpaid" || nextDueOn === null) return null;
  return cancelOn !== null && cancelOn <= nextDueOn ? null : nextDueOn;
};

/** Why a try came to nothing. */
export async function tryReasons(): Promise<(error: string) => string> {
  const [t, declined] = await Promise.all([getTranslations("subscriptions"), declineWords()]);
  return (error) =>
    Object.hasOwn(IMPOSSIBLE_TEXTS, error)
      ? // Guarantee: looked up only where the key exists.
        t(IMPOSSIBLE_TEXTS[error as keyof typeof IMPOSSIBLE_TEXTS])
      : declined(error);
}

export async function subscriptionWords() {
  const [t, format, locale] = await Promise.all([getTranslations("subscriptions"), getFormatter(), getLocale()]);
  const money = (cents: number): string => formatCents(cents, "BRL", locale);
  /** A UTC calendar day. */
  const day = (text: string): string => format.dateTime(beginOf(text), { dateStyle: "medium", timeZone: "UTC" });
  return {
    t,
    money,
    day,
    /** A month by its first day. */
    month: (first: string): string =>
      format.dateTime(beginOf(first), { month: "long", year: "numeric", timeZone: "UTC" }),
    share: (part: number, whole: number): string =>
      format.number(part / whole, { style: "percent", maximumFractionDigits: 1 }),
    plan: ({ amount, interval, startAt }: SubscriptionRow): string =>
      t(PLAN_TEXTS[interval], {
        amount: money(amount),
        day: Number(startAt.slice(-2)),
        weekday: format.dateTime(beginOf(startAt), { weekday: "long", timeZone: "UTC" }),
        date: format.dateTime(beginOf(startAt), { day: "numeric", month: "long", timeZone: "UTC" }),
      }),
    next: (overview: SubscriptionOverview): string => nextOf({ t, money, day }, overview),
  };
}

type Words = Pick<Awaited<ReturnType<typeof subscriptionWords>>, "t" | "money" | "day">;

/** What happens next, in one sentence. */
function nextOf({ t, money, day }: Words, { row, cycles, mandate }: SubscriptionOverview): string {
  const amount = money(row.amount);
  const found = cycles.find(({ cycle }) => cycle.status === "pending" || cycle.status === "retrying");
  const open = found?.cycle;
  if (row.status === "canceled" || row.status === "expired") return t("nextOver");
  if (mandate?.status === "created") return t("nextAuthorization", { date: day(utcDayOf(mandate.expiresAt)) });
  const settleOn = found?.tries.at(-1)?.settleOn;
  if (open?.status === "pending" && settleOn)
    return t("nextInstruction", { cycle: open.cycle, amount: money(open.amount ?? row.amount), date: day(settleOn) });
  if (open?.status === "pending")
    return t("nextPending", { cycle: open.cycle, amount: money(open.amount ?? row.amount) });
  if (row.status === "unpaid") return t(mandate ? "nextUnpaidMandate" : "nextUnpaid");
  if (row.status === "paused") {
    if (mandate && open?.status === "retrying" && open.refusedOn === null)
      return t("nextPaused", { date: day(open.dueOn) });
    return row.nextDueOn ? t("nextPaused", { date: day(row.nextDueOn) }) : t("nextPausedLast");
  }
  if (open?.status === "retrying") {
    const last = lastRetryDay(open);
    if (open.waitsForCard) return t("nextCard", { cycle: open.cycle, date: last ? day(last) : "" });
    if (open.nextRetryOn)
      return t(mandate ? "nextRetryMandate" : "nextRetry", {
        cycle: open.cycle,
        date: day(open.nextRetryOn),
        amount: money(open.amount ?? row.amount),
      });
  }
  if (row.cancelOn) return t("nextEnd", { date: day(row.cancelOn) });
  if (row.status === "trialing" && row.trialEndAt) {
    return t("nextTrial", { date: day(row.trialEndAt), start: day(row.startAt), amount });
  }
  return row.nextDueOn ? t("nextCharge", { amount, date: day(row.nextDueOn) }) : t("nextNone");
}
