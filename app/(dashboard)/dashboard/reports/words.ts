import {
  Ban,
  CircleAlert,
  Clock,
  Download,
  Eraser,
  FileCheck,
  FileX,
  LoaderCircle,
  type LucideIcon,
  MailCheck,
} from "lucide-react";
import { getFormatter, getTranslations } from "next-intl/server";
import type { ReportCron, ReportStatus, ReportType } from "@/db/schema/reports";
import type { Locale } from "@/lib/i18n/locales";
import { TIME_ZONES, cityOf as zoneCity } from "@/lib/i18n/time-zones";
import type { ReportRow } from "@/lib/reports/queries";
import { offsetReader } from "@/lib/reports/zones";

const STATUS_TEXTS = {
  created: "statusWaiting",
  pending: "statusWaiting",
  processing: "statusProcessing",
  uploaded: "statusReady",
  sent: "statusSent",
  opened: "statusOpened",
  empty: "statusEmpty",
  error: "statusError",
  expired: "statusExpired",
  canceled: "statusCanceled",
} as const satisfies Record<ReportStatus, string>;

const LOOKS: Record<ReportStatus, { tone: "neutral" | "info" | "success" | "danger"; icon: LucideIcon }> = {
  created: { tone: "neutral", icon: Clock },
  pending: { tone: "neutral", icon: Clock },
  processing: { tone: "info", icon: LoaderCircle },
  uploaded: { tone: "success", icon: FileCheck },
  sent: { tone: "success", icon: MailCheck },
  opened: { tone: "success", icon: Download },
  empty: { tone: "neutral", icon: FileX },
  error: { tone: "danger", icon: CircleAlert },
  expired: { tone: "neutral", icon: Eraser },
  canceled: { tone: "neutral", icon: Ban },
};

const TYPE_TEXTS = {
  transactions: "typeTransactions",
  transactionsHistory: "typeHistory",
  purchases: "typePurchases",
  sessions: "typeSessions",
  disputes: "typeDisputes",
  receivables: "typeReceivables",
  payout_orders: "typePayoutOrders",
  payout_batches: "typePayoutBatches",
  prepayments: "typePrepayments",
  ledger: "typeLedger",
  subscriptions: "typeSubscriptions",
  sellers: "typeSellers",
  customers: "typeCustomers",
  deliveries: "typeDeliveries",
} as const satisfies Record<ReportType, string>;

const CRON_TEXTS = { daily: "cronDaily", weekly: "cronWeekly", monthly: "cronMonthly" } as const satisfies Record<
  ReportCron,
  string
>;

const isWaiting = (status: ReportStatus): boolean => status === "created" || status === "pending";

/** What the pages of reports say of their states, types and schedules. */
export async function reportWords() {
  const [t, format] = await Promise.all([getTranslations("reports"), getFormatter()]);
  return {
    status: (status: ReportStatus) => ({ text: t(STATUS_TEXTS[status]), ...LOOKS[status] }),
    type: (type: ReportType) => t(TYPE_TEXTS[type]),
    cron: (cron: ReportCron) => t(CRON_TEXTS[cron]),
    /** Of one that waits, nobody has counted any yet. */
    rows: ({ status, done, total }: Pick<ReportRow, "status" | "done" | "total">): string => {
      if (status !== "processing") return isWaiting(status) ? "–" : format.number(done);
      return total > 0 ? t("rowsOf", { done, total }) : "–";
    },
    /** Why there is no file, where the state alone leaves that open. */
    note: (status: ReportStatus): string | undefined =>
      status === "empty" ? t("noteEmpty") : status === "error" ? t("noteError") : undefined,
  };
}

const SAO_PAULO = "America/Sao_Paulo";

/** The city and how far its clock is from UTC at an instant, as the account's settings write it. */
export function zoneText(zone: string, at: Date, locale: Locale): string {
  const known = TIME_ZONES.find((each) => each === zone);
  return `${known ? zoneCity(known, locale) : cityOf(zone)} (GMT${offsetReader(zone)(at.getTime()).text})`;
}

/** The city of a time zone, as people write it. */
export const cityOf = (zone: string): string =>
  zone === SAO_PAULO ? "São Paulo" : (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
