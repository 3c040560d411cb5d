import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { DASHBOARD } from "@/app/(auth)/return-path";
import { STEP_LABELS, type Stretch, stretchAddress } from "@/app/(dashboard)/dashboard/_home/span";
import {
  APPROVED,
  type Figure,
  type PaymentsAddress,
  TAKEN,
  WhyFigure,
} from "@/app/(dashboard)/dashboard/_home/why-figure";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import type { Period } from "@/app/(dashboard)/dashboard/payments/periods";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { type Ranked, Ranking } from "@/components/insights/ranking";
import { type StatProps, Stats } from "@/components/insights/stat";
import { TrendCard } from "@/components/insights/trend-card";
import { formatCents } from "@/components/ui/money-format";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import { DEFAULT_TIME_ZONE, wallIn } from "@/lib/i18n/time-zones";
import {
  type PaymentFigures,
  type PaymentTotals,
  paymentFiguresOf,
  type ShareOfPayments,
  type Span,
} from "@/lib/insights/figures";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds } from "@/lib/time";

const CENTS = 100;
const HOUR_SECONDS = 3_600;
const SMALLEST_CHANGE = 0.0005;
/** A rate of fewer payments than this says little. */
const ENOUGH = 30;

interface FiguresPanelProps {
  ctx: Context;
  role: OperatorRole;
  span: Span;
  stretch: Stretch;
  given: GivenParameters;
}

export async function FiguresPanel({ ctx, role, span, stretch, given }: FiguresPanelProps) {
  const t = await getTranslations("home");
  const [figures, words, reasons, format, locale] = await Promise.all([
    paymentFiguresOf(ctx, role, span),
    paymentWords(),
    declineWords(),
    getFormatter(),
    getLocale(),
  ]);
  const money = (cents: number) => formatCents(cents, "BRL", locale);
  const list: PaymentsAddress = (extra) => {
    const address = new URLSearchParams([
      ...stretchAddress(stretch),
      ...(span.merchantId ? [["merchant", span.merchantId]] : []),
    ]);
    for (const [name, value] of Object.entries(extra)) for (const each of [value].flat()) address.append(name, each);
    return `/dashboard/payments?${address}`;
  };
  const why = (figure: Figure) => withParameters(DASHBOARD, given, { why: figure });
  const approval = (approved: number, declined: number): string => {
    const rate = format.number(approved / (approved + declined), { style: "percent", maximumFractionDigits: 1 });
    const count = approved + declined;
    return count < ENOUGH ? t("methodsFew", { rate, count }) : t("methodsApproval", { rate });
  };
  const { period, range } = stretch;
  const texts = range
    ? {
        now: t("trendPeriod"),
        before: t("trendBeforeRange", { count: range.count }),
        against: t(range.count === 1 ? "trendByHourOfDay" : "trendByDay"),
      }
    : { now: t(NOW_TEXTS[period]), before: t(BEFORE_TEXTS[period]), against: t(AGAINST_TEXTS[period]) };
  const most = Math.max(1, figures.otherDeclines, ...figures.declines.map(({ count }) => count));
  const ranked = (shares: readonly ShareOfPayments[], by: "method" | "brand" | "provider"): Ranked[] => {
    const mostVolume = Math.max(1, ...shares.map(({ volume }) => volume));
    return shares
      .filter(({ approved, declined }) => approved + declined > 0)
      .map((share) => ({
        key: share.name,
        text: by === "method" ? words.method(share.name) : share.name,
        href: list({ ...APPROVED, [by]: share.name }),
        value: money(share.volume),
        detail: approval(share.approved, share.declined),
        isFaint: share.approved + share.declined < ENOUGH,
        share: share.volume / mostVolume,
      }));
  };
  return (
    <>
      <div className="max-sm:order-1 sm:order-2">
        <Stats label={t("figures")} stats={await statsOf(figures, { money, list, why })} />
      </div>
      <div className="order-3">
        <TrendCard
          title={t("trendTitle")}
          description={texts.against}
          asTable={t("asTable")}
          when={t("when")}
          locale={locale}
          texts={{ now: texts.now, before: texts.before, open: t("trendOpen") }}
          points={figures.buckets.map(({ at, volume }, index) => ({
            label: format.dateTime(at, STEP_LABELS[span.step]),
            href: `/dashboard/payments?${bucketAddress(at, span)}`,
            volume: volume / CENTS,
            volumeText: money(volume),
            before: (figures.bucketsBefore[index]?.volume ?? 0) / CENTS,
            beforeText: money(figures.bucketsBefore[index]?.volume ?? 0),
          }))}
        />
      </div>
      <div className="order-4 grid items-start gap-6 empty:hidden md:grid-cols-2 xl:grid-cols-3">
        {figures.declines.length > 0 ? (
          <Ranking
            title={t("declinesTitle")}
            none={t("declinesNone")}
            tone="danger"
            items={[
              ...figures.declines.map(({ code, count, before }) => ({
                key: code,
                text: reasons(code || "generic"),
                href: list({ status: "failed", ...(code ? { decline: code } : {}) }),
                value: format.number(count),
                detail: before > 0 ? t("declinesBefore", { count: before }) : undefined,
                share: count / most,
              })),
              ...(figures.otherDeclines > 0
                ? [
                    {
                      key: "other",
                      text: t("declinesOther"),
                      href: list({ status: "failed" }),
                      value: format.number(figures.otherDeclines),
                      detail: undefined,
                      share: figures.otherDeclines / most,
                    },
                  ]
                : []),
            ]}
          />
        ) : null}
        {figures.methods.length > 0 ? (
          <Ranking
            title={t("methodsTitle")}
            none={t("methodsNone")}
            tone="accent"
            items={ranked(figures.methods, "method")}
          />
        ) : null}
        {figures.brands.length > 0 ? (
          <Ranking
            title={t("brandsTitle")}
            none={t("methodsNone")}
            tone="accent"
            items={ranked(figures.brands, "brand")}
          />
        ) : null}
        {figures.providers.length > 1 ? (
          <Ranking
            title={t("providersTitle")}
            none={t("methodsNone")}
            tone="accent"
            items={ranked(figures.providers, "provider")}
          />
        ) : null}
      </div>
      <WhyFigure
        figure={oneOf(given, "why")}
        figures={figures}
        closeHref={withParameters(DASHBOARD, given, { why: undefined })}
        ways={{ money, list, method: words.method }}
      />
    </>
  );
}

const NOW_TEXTS = {
  today: "trendToday",
  "7d": "trendPeriod",
  "30d": "trendPeriod",
  "90d": "trendPeriod",
  month: "month",
  lastMonth: "lastMonth",
} as const satisfies Record<Period, string>;
const BEFORE_TEXTS = {
  today: "trendYesterday",
  "7d": "trendBefore7",
  "30d": "trendBefore30",
  "90d": "trendBefore90",
  month: "lastMonth",
  lastMonth: "trendBeforeLastMonth",
} as const satisfies Record<Period, string>;

const AGAINST_TEXTS = {
  today: "trendByHour",
  "7d": "trendByDay",
  "30d": "trendByDay",
  "90d": "trendByDay",
  month: "trendOfMonth",
  lastMonth: "trendOfMonth",
} as const satisfies Record<Period, string>;

/** The payments of one bar: of its hour, or of its day. */
function bucketAddress(at: Date, { step, merchantId }: Span): URLSearchParams {
  const [from, to] = [at, addSeconds(at, HOUR_SECONDS)].map((moment) => wallIn(DEFAULT_TIME_ZONE, moment));
  const day = saoPauloDay(at);
  const address = new URLSearchParams(step === "hour" ? { from: from ?? "", to: to ?? "" } : { from: day, to: day });
  for (const status of APPROVED.status) address.append("status", status);
  if (merchantId) address.append("merchant", merchantId);
  return address;
}

const keptOf = ({ captured, refunded, chargedBack }: PaymentTotals): number => captured - refunded - chargedBack;

const rateOf = ({ approved, declined }: PaymentTotals): number | undefined =>
  approved + declined > 0 ? approved / (approved + declined) : undefined;

interface Ways {
  money: (cents: number) => string;
  list: PaymentsAddress;
  why: (figure: Figure) => string;
}

async function statsOf({ now, before }: PaymentFigures, { money, list, why }: Ways): Promise<StatProps[]> {
  const t = await getTranslations("home");
  const format = await getFormatter();
  const percent = (share: number) => format.number(share, { style: "percent", maximumFractionDigits: 1 });
  const change = (present: number, past: number, better: "more" | "less"): StatProps["change"] =>
    past === 0 ? undefined : compared((present - past) / past, percent, better);
  const rate = rateOf(now);
  const rateBefore = rateOf(before);
  const points =
    rate !== undefined && rateBefore !== undefined
      ? compared(
          rate - rateBefore,
          (share) => t("points", { points: format.number(share * CENTS, { maximumFractionDigits: 1 }) }),
          "more",
        )
      : undefined;
  return [
    {
      name: t("volume"),
      value: money(now.volume),
      href: list(APPROVED),
      why: why("volume"),
      change: change(now.volume, before.volume, "more"),
      detail: before.payments > 0 ? t("before", { value: money(before.volume) }) : undefined,
    },
    {
      name: t("approvalRate"),
      value: rate === undefined ? t("noRate") : percent(rate),
      href: list({ status: [...APPROVED.status, "failed"] }),
      why: why("approval"),
      change: points,
      detail: rateBefore === undefined ? undefined : t("before", { value: percent(rateBefore) }),
    },
    {
      name: t("declinedCount"),
      value: format.number(now.declined),
      href: list({ status: "failed" }),
      why: why("declined"),
      change: change(now.declined, before.declined, "less"),
      detail: before.payments > 0 ? t("before", { value: format.number(before.declined) }) : undefined,
    },
    {
      name: t("captured"),
      value: money(keptOf(now)),
      href: list(TAKEN),
      why: why("captured"),
      change: change(keptOf(now), keptOf(before), "more"),
      detail: t("refunded", { amount: money(now.refunded) }),
    },
  ];
}

function compared(by: number, say: (share: number) => string, better: "more" | "less"): StatProps["change"] {
  if (Math.abs(by) < SMALLEST_CHANGE) return { text: say(0), direction: "same", isGood: undefined };
  const isMore = by > 0;
  return { text: say(Math.abs(by)), direction: isMore ? "up" : "down", isGood: isMore === (better === "more") };
}
