import { getTranslations } from "next-intl/server";
import type { AttemptError, DeliveryStatus } from "@/db/schema/webhooks";
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

type Health = { text: string; tone: "success" | "warning" | "danger" | "neutral" };

export async function webhookWords() {
  const t = await getTranslations("webhooks");
  return {
    status: (status: DeliveryStatus): string => t(STATUS_TEXTS[status]),
    origin: (origin: keyof typeof ORIGIN_TEXTS): string => t(ORIGIN_TEXTS[origin]),
    answer: (code: number | null, error: AttemptError | null): string =>
      error ? t(ERROR_TEXTS[error]) : code === null ? t("none") : String(code),
    health: ({ status, health, disabledReason }: WebhookRow): Health => {
      if (!status && disabledReason === "client") return { text: t("healthOff"), tone: "neutral" };
      if (!status) return { text: t("healthStopped"), tone: "danger" };
      if (health === "paused") return { text: t("healthPaused"), tone: "danger" };
      if (health === "failing") return { text: t("healthFailing"), tone: "warning" };
      return { text: t("healthHealthy"), tone: "success" };
    },
  };
}
