import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import {
  type Changed,
  changesOf,
  isBirth,
  isCancellation,
} from "@/app/(dashboard)/dashboard/links/[id]/_parts/records";
import { Card, CardHeader } from "@/components/ui/card";
import { formatCents } from "@/components/ui/money-format";
import type { SessionAction } from "@/db/schema/sessions";
import type { CardClosure } from "@/lib/audit-trail/queries";
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

const FIELD_TEXTS: Readonly<Record<string, "fieldStatus" | "fieldDue" | "fieldMost" | "fieldAmount">> = {
  status: "fieldStatus",
  dueDate: "fieldDue",
  maxPayments: "fieldMost",
  amount: "fieldAmount",
};

/** Actions that say no more than the field they changed. */
const FIELD_OF: Readonly<Partial<Record<SessionAction, string>>> = {
  statusChanged: "status",
  dueDateChanged: "dueDate",
  maxPaymentsChanged: "maxPayments",
  amountChanged: "amount",
};

const CLOSURE_TEXTS = {
  "card_testing.paused": "didCardsClosed",
  "card_testing.reopened": "didCardsReopened",
  "card_testing.extended": "didCardsExtended",
  "card_testing.lifted": "didCardsLifted",
} as const satisfies Record<CardClosure["action"], string>;

const STATUS_TEXTS = {
  created: "stateOpen",
  paid: "statePaid",
  canceled: "stateCanceled",
  voided: "stateVoided",
} as const;
const isStatus = (value: string): value is keyof typeof STATUS_TEXTS => Object.hasOwn(STATUS_TEXTS, value);

/** Until when cards were closed, where the entry says it. */
function untilOf(after: unknown): Date | undefined {
  const until = after && typeof after === "object" && "until" in after ? after.until : undefined;
  return typeof until === "string" ? new Date(until) : undefined;
}

interface HistoryProps {
  rows: readonly HistoryRow[];
  nameOf: (actor: string) => string;
  /** Each with the name of whoever did it. */
  closures: readonly (CardClosure & { who: string })[];
  /** Whether these rows are all there are. */
  isWhole: boolean;
  currency: string;
}

export async function History({ rows, nameOf, closures, isWhole, currency }: HistoryProps) {
  const t = await getTranslations("links");
  const [format, locale] = await Promise.all([getFormatter(), getLocale()]);
  const moment = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "short" });
  const didText = (row: HistoryRow, action: SessionAction): string => {
    const turned = changesOf(row).find(({ field }) => field === "isActive");
    if (action !== "isActiveChanged" || !turned) return t(ACTION_TEXTS[action]);
    return turned.to === true ? t("didTurnOn") : t("didTurnOff");
  };
  const byOf = ({ actor }: HistoryRow): string => {
    if (actor === "system") return t("didBySystem");
    return actor.startsWith("session:") ? t("didByBuyer") : t("didBy", { who: nameOf(actor) });
  };
  const shown = ({ field }: Changed, value: unknown): string => {
    if (value === null || value === undefined) return t("none");
    if (field === "dueDate") return moment(new Date(String(value)));
    if (field === "maxPayments") return value === UNLIMITED ? t("always") : format.number(Number(value));
    if (field === "amount") return formatCents(Number(value), currency, locale);
    const text = String(value);
    return isStatus(text) ? t(STATUS_TEXTS[text]) : text;
  };
  const said = (row: HistoryRow): string => {
    if (isBirth(row)) return t("didCreate");
    if (isCancellation(row)) return t("didCancel");
    const shownBelow = changesOf(row).map(({ field }) => field);
    const rest = row.actions.filter((action) => !shownBelow.includes(FIELD_OF[action] ?? ""));
    // A payment closes a link that is paid once: that the link is off goes without saying.
    const told = rest.filter((action) => action !== "isActiveChanged" || !rest.includes("paymentSucceeded"));
    return format.list((told.length > 0 ? told : row.actions).map((action) => didText(row, action)));
  };
  // Older than the oldest row that is shown, they would stand beside the wrong ones.
  const since = isWhole ? undefined : rows.at(-1)?.createdAt;
  const entries = [
    ...rows.map((row) => ({
      id: row.id,
      at: row.createdAt,
      text: said(row),
      by: byOf(row),
      lines: (isBirth(row) ? [] : changesOf(row)).flatMap((change) => {
        const name = FIELD_TEXTS[change.field];
        const { from, to } = change;
        return name ? [t("changed", { field: t(name), from: shown(change, from), to: shown(change, to) })] : [];
      }),
    })),
    ...closures
      .filter(({ accountAt }) => !since || accountAt >= since)
      .map(({ id, action, who, reason, after, accountAt }) => {
        const until = untilOf(after);
        return {
          id,
          at: accountAt,
          text: t(CLOSURE_TEXTS[action], { who }),
          by: undefined,
          lines: [
            ...(until ? [t("didUntil", { when: moment(until) })] : []),
            ...(reason ? [t("didBecause", { reason })] : []),
          ],
        };
      }),
  ].sort((one, other) => other.at.getTime() - one.at.getTime());
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("history")} description={t("historyText")} />
      <ol className="divide-y divide-line">
        {entries.map(({ id, at, text, by, lines }) => (
          <li key={id} className="grid gap-1 px-5 py-3 sm:grid-cols-[9.5rem_minmax(0,1fr)] sm:gap-4">
            <time dateTime={at.toISOString()} className="text-ink-3 text-sm tabular-nums">
              {moment(at)}
            </time>
            <div className="wrap-anywhere min-w-0 text-sm">
              <p className="text-ink">{text}</p>
              {by ? <p className="text-ink-3">{by}</p> : null}
              {lines.map((line) => (
                <p key={line} className="text-ink-2">
                  {line}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
