import type { ReportLanguage, ReportType } from "@/db/schema/reports";
import type { ReportRow } from "@/lib/reports/queries";
import { dayAt } from "@/lib/reports/zones";

const NAMES: Readonly<Record<ReportType, Record<ReportLanguage, string>>> = {
  transactions: { en: "payments", pt: "pagamentos" },
  transactionsHistory: { en: "payment-history", pt: "historico-de-pagamentos" },
  purchases: { en: "purchases", pt: "compras" },
  sessions: { en: "links", pt: "links" },
  disputes: { en: "disputes", pt: "contestacoes" },
  receivables: { en: "receivables", pt: "recebiveis" },
  payout_orders: { en: "payout-orders", pt: "ordens-de-repasse" },
  payout_batches: { en: "payouts", pt: "repasses" },
  prepayments: { en: "anticipations", pt: "antecipacoes" },
  ledger: { en: "ledger", pt: "livro-razao" },
  subscriptions: { en: "subscriptions", pt: "assinaturas" },
  sellers: { en: "sellers", pt: "vendedores" },
  customers: { en: "customers", pt: "clientes" },
  deliveries: { en: "webhook-deliveries", pt: "entregas-de-webhooks" },
};

type Named = Pick<ReportRow, "type" | "language" | "timezone" | "filters" | "createdAt">;

const DAY_CHARS = "2026-11-30".length;

const dayOf = (moment: unknown, zone: string): string | undefined => {
  if (typeof moment !== "string") return undefined;
  if (moment.length === DAY_CHARS) return moment;
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? undefined : dayAt(at, zone);
};

/** The first and the last day that were asked for; else the day it was made. */
function daysOf({ filters, timezone, createdAt }: Named): string[] {
  for (const filter of Object.values(filters)) {
    if (typeof filter !== "object" || filter === null) continue;
    const { gte, lte }: { gte?: unknown; lte?: unknown } = filter;
    const days = [dayOf(gte, timezone), dayOf(lte, timezone)].filter((day) => day !== undefined);
    if (days.length > 0) return days;
  }
  return [dayAt(createdAt, timezone)];
}

/** What whoever downloads it finds in their folder: the kind, the days and the zone of their times. */
export const downloadName = (row: Named, page: number | undefined, extension: string): string =>
  [
    NAMES[row.type][row.language],
    ...daysOf(row),
    (row.timezone.split("/").at(-1) ?? row.timezone).toLowerCase().replaceAll("_", "-"),
    ...(page === undefined ? [] : [page]),
  ]
    .join("-")
    .replace(/[^A-Za-z0-9+-]/g, "")
    .concat(".", extension);
