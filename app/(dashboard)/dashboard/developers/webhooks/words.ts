import { getFormatter, getTranslations } from "next-intl/server";
import { failingSince } from "@/app/(dashboard)/failing-since";
import type { AttemptError, DeliveryStatus } from "@/db/schema/webhooks";
import type { Account } from "@/lib/context";
import { KEPT_DAYS } from "@/lib/retention";
import { isListener, type Reach, reachOf } from "@/lib/webhooks/endpoint-rules";
import { isYoung } from "@/lib/webhooks/ever-sent";
import type { Backlog, ListedDelivery } from "@/lib/webhooks/explorer";
import type { WebhookRow } from "@/lib/webhooks/queries";

const STATUS_TEXTS = {
  scheduled: "statusScheduled",
  sending: "statusSending",
  delivered: "statusDelivered",
  held: "statusHeld",
  exhausted: "statusExhausted",
  dropped: "statusDropped",
} as const satisfies Record<DeliveryStatus, string>;

const ERROR_TEXTS = {
  timeout: "errorTimeout",
  connection: "errorConnection",
  tls: "errorTls",
  dns: "errorDns",
  redirect: "errorRedirect",
  blocked_address: "errorBlocked",
} as const satisfies Record<AttemptError, string>;

const ORIGIN_TEXTS = { event: "originEvent", resend: "originResend", replay: "originReplay" } as const;

export const STATUS_TONES = {
  scheduled: "info",
  sending: "info",
  delivered: "success",
  held: "warning",
  exhausted: "danger",
  dropped: "neutral",
} as const satisfies Record<DeliveryStatus, string>;

const HINT_TEXTS = {
  public: "endpointHint",
  loopback: "endpointHintLoopback",
  private: "endpointHintPrivate",
} as const satisfies Record<Reach, string>;

/** What the field takes in this account: a test account may also be told nearby. */
export async function endpointHint(account: Account): Promise<string> {
  const t = await getTranslations("webhooks");
  return t(HINT_TEXTS[reachOf(account)]);
}

/** What is typed to confirm. */
export const hostOf = (endpoint: string): string => (URL.canParse(endpoint) && new URL(endpoint).host) || endpoint;

/** What a webhook still has to get, in one number. */
export const waitingOf = (backlog: Backlog | undefined): number =>
  (backlog?.scheduled ?? 0) + (backlog?.sending ?? 0) + (backlog?.held ?? 0);

const isOpen = (status: DeliveryStatus): boolean => ["scheduled", "sending", "held"].includes(status);

type Health = { text: string; tone: "success" | "warning" | "danger" | "neutral" };

export async function webhookWords() {
  const t = await getTranslations("webhooks");
  const format = await getFormatter();
  const failing = await failingSince();
  return {
    status: (status: DeliveryStatus): string => t(STATUS_TEXTS[status]),
    origin: (origin: keyof typeof ORIGIN_TEXTS): string => t(ORIGIN_TEXTS[origin]),
    answer: (code: number | null, error: AttemptError | null): string =>
      error ? t(ERROR_TEXTS[error]) : code === null ? t("none") : String(code),
    /** Why a delivery was not sent so far. */
    notSent: (
      delivery: Pick<ListedDelivery, "status">,
      webhook: Pick<WebhookRow, "failures"> | undefined,
      isBehind: boolean,
    ): string => {
      if (isOpen(delivery.status) && (webhook?.failures ?? 0) > 0) return t("noAttemptsBehind");
      return isBehind ? t("noAttemptsEarlier") : t("noAttempts");
    },
    /** When it is tried next; a moment that passed says nothing. */
    next: (
      { nextAttemptAt }: Pick<ListedDelivery, "nextAttemptAt">,
      isBehind: boolean,
      now: Date,
    ): string | undefined => {
      if (isBehind) return t("nextAfterEarlier");
      if (nextAttemptAt === null) return undefined;
      if (nextAttemptAt <= now) return t("nextSoon");
      return format.dateTime(nextAttemptAt, { dateStyle: "medium", timeStyle: "medium" });
    },
    /** The state in a sentence: since when, how many wait, and when the next one is tried. */
    sentence: (webhook: WebhookRow, backlog: Backlog | undefined, isTried: boolean, now: Date): string => {
      const day = (at: Date | null) => (at ? format.dateTime(at, { dateStyle: "medium", timeStyle: "short" }) : "");
      const next = backlog?.nextTryAt;
      const when = next && next > now ? format.relativeTime(next, now) : t("rightAway");
      const count = waitingOf(backlog);
      if (webhook.disabledReason === "gone") return t("sentenceGone", { since: day(webhook.disabledAt) });
      if (webhook.disabledReason === "client") return t("sentenceOff", { since: day(webhook.disabledAt) });
      if (!webhook.status) return t("sentencePaused", { since: day(webhook.disabledAt), count, when });
      if (webhook.failures > 0 && webhook.firstFailureAt) {
        const since = failing(webhook.firstFailureAt);
        return count === 0 ? t("sentenceFailingNone", { since }) : t("sentenceFailing", { since, count, when });
      }
      if (count === 0 && isTried) return t("sentenceWell");
      if (count === 0) {
        return isYoung(webhook, now) ? t("sentenceUntried") : t("sentenceQuiet", { days: KEPT_DAYS.webhookDeliveries });
      }
      return isListener(webhook.endpoint) ? t("sentenceListener", { count }) : t("sentenceWaiting", { count, when });
    },
    health: (webhook: WebhookRow, isTried: boolean, now: Date): Health => {
      const { status, health, disabledReason, failures } = webhook;
      if (!status && disabledReason === "client") return { text: t("healthOff"), tone: "neutral" };
      if (!status) return { text: t("healthStopped"), tone: "danger" };
      if (health === "paused") return { text: t("healthPaused"), tone: "danger" };
      if (health === "failing") return { text: t("healthFailing"), tone: "danger" };
      if (failures > 0) return { text: t("healthFailing"), tone: "warning" };
      if (!isTried) return { text: t(isYoung(webhook, now) ? "healthUntried" : "healthQuiet"), tone: "neutral" };
      return { text: t("healthHealthy"), tone: "success" };
    },
  };
}
