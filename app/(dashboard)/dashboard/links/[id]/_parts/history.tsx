import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { Card, CardHeader } from "@/components/ui/card";
import { formatCents } from "@/components/ui/money-format";
import type { SessionAction } from "@/db/schema/sessions";
import type { HistoryRow } from "@/lib/sessions/queries";
import { UNLIMITED } from "@/lib/sessions/state";

const ACTION_TEXTS = {
  statusChanged: "didStatus",
  amountChanged: "didAmount",
  isActiveChanged: "didActive",
  dueDateChanged: "didDue",
  maxPaymentsChanged: "didMost",
  paymentSucceeded: "didPaid",
  paymentPending: "didPending",
  paymentFailed: "didFailed",
  paymentExpired: "didExpired",
  sessionExpiredByDueDate: "didPastDue",
  sessionExpiredByMaxPayments: "didFull",
  splitRulesChanged: "didSplit",
} as const satisfies Record<SessionAction, string>;

const FIELD_TEXTS: Readonly<Record<string, "fieldStatus" | "fieldActive" | "fieldDue" | "fieldMost" | "fieldAmount">> =
  {
    status: "fieldStatus",
    isActive: "fieldActive",
    dueDate: "fieldDue",
    maxPayments: "fieldMost",
    amount: "fieldAmount",
  };

/** Actions that say no more than the field they changed. */
const FIELD_OF: Readonly<Partial<Record<SessionAction, string>>> = {
  statusChanged: "status",
  isActiveChanged: "isActive",
  dueDateChanged: "dueDate",
  maxPaymentsChanged: "maxPayments",
  amountChanged: "amount",
};

const STATUS_TEXTS = {
  created: "stateOpen",
  paid: "statePaid",
  canceled: "stateCanceled",
  voided: "stateVoided",
} as const;
const isStatus = (value: string): value is keyof typeof STATUS_TEXTS => Object.hasOwn(STATUS_TEXTS, value);

interface Changed {
  field: string;
  from: unknown;
  to: unknown;
}

/** What a record says of its fields, read as the unknown JSON it is. */
function changesOf({ diff }: HistoryRow): Changed[] {
  const changes: unknown = diff && typeof diff === "object" && "changes" in diff ? diff.changes : undefined;
  if (!changes || typeof changes !== "object") return [];
  return Object.entries(changes).flatMap(([field, change]: [string, unknown]) =>
    change && typeof change === "object" && "from" in change && "to" in change
      ? [{ field, from: change.from, to: change.to }]
      : [],
  );
}

/** The first record: there was no link before it. */
const isBirth = (row: HistoryRow): boolean => {
  const changes = changesOf(row);
  return changes.length === 1 && changes[0]?.field === "status" && changes[0].from === null;
};

export async function History({ rows, currency }: { rows: readonly HistoryRow[]; currency: string }) {
  const t = await getTranslations("links");
  const [format, locale] = await Promise.all([getFormatter(), getLocale()]);
  const shown = ({ field }: Changed, value: unknown): string => {
    if (value === null || value === undefined) return t("none");
    if (field === "dueDate")
      return format.dateTime(new Date(String(value)), { dateStyle: "medium", timeStyle: "short" });
    if (field === "isActive") return value === true ? t("on") : t("off");
    if (field === "maxPayments") return value === UNLIMITED ? t("always") : format.number(Number(value));
    if (field === "amount") return formatCents(Number(value), currency, locale);
    const text = String(value);
    return isStatus(text) ? t(STATUS_TEXTS[text]) : text;
  };
  const said = (row: HistoryRow): string => {
    if (isBirth(row)) return t("didCreate");
    const shownBelow = changesOf(row).map(({ field }) => field);
    const rest = row.actions.filter((action) => !shownBelow.includes(FIELD_OF[action] ?? ""));
    return format.list((rest.length > 0 ? rest : row.actions).map((action) => t(ACTION_TEXTS[action])));
  };
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("history")} description={t("historyText")} />
      <ol className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id} className="grid gap-1 px-5 py-3 sm:grid-cols-[9.5rem_minmax(0,1fr)] sm:gap-4">
            <time dateTime={row.createdAt.toISOString()} className="text-ink-3 text-sm tabular-nums">
              {format.dateTime(row.createdAt, { dateStyle: "medium", timeStyle: "short" })}
            </time>
            <div className="min-w-0 text-sm">
              <p className="text-ink">{said(row)}</p>
              {(isBirth(row) ? [] : changesOf(row)).map((change) => {
                const name = FIELD_TEXTS[change.field];
                return name ? (
                  <p key={change.field} className="text-ink-2">
                    {t("changed", { field: t(name), from: shown(change, change.from), to: shown(change, change.to) })}
                  </p>
                ) : null;
              })}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
