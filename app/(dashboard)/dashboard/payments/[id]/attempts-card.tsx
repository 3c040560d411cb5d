import { getTranslations } from "next-intl/server";
import { declineReasons, saidByProvider } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { panelWords } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import { nameOfProvider, type Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { exactText } from "@/app/(dashboard)/dashboard/payments/[id]/times";
import { Attempts } from "@/components/charges/attempts";
import { Card, CardHeader } from "@/components/ui/card";
import { isByPeople } from "@/lib/charges/by-people";
import { eventsOf, type PaymentOverview, shownAnswer } from "@/lib/charges/overview";
import { type Placed, type Stage, stretchesOf, type WaterfallStretch, waterfallOf } from "@/lib/charges/waterfall";
import { type Context, now } from "@/lib/context";
import { providersNow } from "@/lib/insights/providers-now";
import type { OperatorRole } from "@/lib/operators/sessions";
import type { AttemptRow } from "@/lib/payments/attempts";
import { deliveriesOf } from "@/lib/webhooks/of-events";

interface AttemptsCardProps {
  ctx: Context;
  role: OperatorRole;
  payment: PaymentOverview;
  words: Words;
  title?: string;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Every trip to a provider, and how the account was told, on one axis of time. */
export async function AttemptsCard({ ctx, role, payment, words, title }: AttemptsCardProps) {
  const { row } = payment;
  const attempts = [...payment.attempts].reverse();
  const [t, say, reasonOf, usual, told] = await Promise.all([
    getTranslations("payments"),
    panelWords(),
    declineReasons(payment),
    attempts.length > 0 ? providersNow(ctx, role, undefined) : [],
    toldIn(ctx, role, row.id),
  ]);
  const { rows, folds } = waterfallOf([...stretchesOf(row.createdAt, attempts, now(ctx)), told]);
  const lasted = (ms: number): string => {
    if (ms < SECOND_MS) return t("lastedMs", { ms: words.format.number(ms) });
    if (ms < MINUTE_MS) return t("lastedSeconds", { count: words.format.number(ms / SECOND_MS, ONE_DIGIT) });
    if (ms < HOUR_MS) return t("lastedMinutes", { count: words.format.number(Math.round(ms / MINUTE_MS)) });
    return t("lastedHours", { count: words.format.number(Math.round(ms / HOUR_MS)) });
  };
  const inWords = (bars: readonly Placed[], connectionId?: string | null): string =>
    words.format.list(
      bars.map(({ stage, ms }) => {
        const { p50, p95 } = usual.find((each) => each.id === connectionId) ?? {};
        const text = t(SPENT[stage], { time: lasted(ms) });
        return stage === "provider" && p50 !== undefined && p95 !== undefined
          ? t("spentUsually", { text, p50: lasted(p50), p95: lasted(p95) })
          : text;
      }),
      { type: "unit" },
    );
  /** Whose word a row is that is no call about money. */
  const noticed = ({ requestType }: AttemptRow): string => {
    const text = NOTICES[requestType];
    return text === undefined ? t("spentNotice") : text === null ? "" : t(text);
  };
  const toldBars = rows.at(-1) ?? [];
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title ?? t("attemptsTitle")} description={t("attemptsText")} />
      <Attempts
        texts={{
          answer: t("attemptMore"),
          empty: t("attemptsEmpty"),
          waited: t("stageWaited"),
          provider: t("stageProvider"),
          unknown: t("stageUnknown"),
          told: t("stageTold"),
        }}
        folds={folds.map(({ ms, ...fold }) => ({ ...fold, text: t("folded", { time: lasted(ms) }) }))}
        told={
          toldBars.length > 0
            ? {
                title: t("toldTitle"),
                spent: t("toldSpent", {
                  count: toldBars.length,
                  time: lasted(Math.max(...toldBars.map(({ ms }) => ms))),
                }),
                bars: toldBars,
              }
            : undefined
        }
        attempts={attempts.map((attempt, index) => {
          const { providerError, responseMs } = attempt;
          const bars = rows[index] ?? [];
          const said = saidByProvider(attempt);
          return {
            id: attempt.id,
            title: say.attempt(attempt, row.capturedAmount > 0),
            provider: isByPeople(attempt)
              ? t("attemptByPeople")
              : nameOfProvider(payment, attempt.providerId, attempt.providerType),
            amount: words.money(attempt.amount),
            result: say.result(attempt.requestStatus),
            took: responseMs === null ? undefined : lasted(responseMs),
            spent: isByPeople(attempt)
              ? ""
              : attempt.kind === "notice"
                ? noticed(attempt)
                : inWords(bars, attempt.providerId),
            bars,
            at: { at: attempt.createdAt, text: exactText(words, attempt.createdAt) },
            reason: providerError ? reasonOf(attempt) : undefined,
            said: said === undefined ? undefined : t("attemptSaid", { message: said }),
            codes: [
              ...(attempt.authorizationNsu ? [t("attemptNsu", { code: attempt.authorizationNsu })] : []),
              ...(attempt.authorizationCode ? [t("attemptCode", { code: attempt.authorizationCode })] : []),
              ...(attempt.transactionId && !isByPeople(attempt)
                ? [t("attemptTransaction", { id: attempt.transactionId })]
                : []),
            ],
            answer: shownAnswer(attempt),
          };
        })}
      />
    </Card>
  );
}

const NOTICES: Readonly<Partial<Record<string, "spentAnalysis" | "spentFed" | null>>> = {
  anti_fraud: "spentAnalysis",
  anti_fraud_feeding: "spentFed",
  "3DS_auth": null,
};

const ONE_DIGIT = { maximumFractionDigits: 1 } as const;

const SPENT = {
  waited: "spentWaited",
  provider: "spentProvider",
  unknown: "spentUnknown",
  told: "spentTold",
} as const satisfies Record<Stage, string>;

/** From each event to the moment its first delivery was taken. */
async function toldIn(ctx: Context, role: OperatorRole, chargeId: string): Promise<WaterfallStretch[]> {
  const events = await eventsOf(ctx, chargeId);
  const deliveries = await deliveriesOf(
    ctx,
    role,
    events.map(({ id }) => id),
  );
  return deliveries.flatMap(({ eventId, firstAttemptAt, deliveredAt }): WaterfallStretch[] => {
    const event = events.find(({ id }) => id === eventId);
    if (!event || !firstAttemptAt || !deliveredAt || deliveredAt < event.at) return [];
    return [{ stage: "told", fromMs: event.at.getTime(), untilMs: deliveredAt.getTime() }];
  });
}
