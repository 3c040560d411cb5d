import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { auditWords } from "@/app/(dashboard)/dashboard/audit/words";
import {
  FACT_TEXTS,
  MANDATE_TEXTS,
  REASON_TEXTS,
  STATUS_TEXTS,
  subscriptionWords,
  tryReasons,
} from "@/app/(dashboard)/dashboard/subscriptions/words";
import { DataList } from "@/components/dashboard/data-list";
import { Moment } from "@/components/dashboard/moment";
import { Card, CardHeader } from "@/components/ui/card";
import type { Context } from "@/lib/context";
import type { NumberedPage, SubscriptionHistoryEntry } from "@/lib/subscriptions/operator-pages";
import type { SubscriptionOverview } from "@/lib/subscriptions/operator-queries";
import { CUSTOMER_DELETED } from "@/lib/subscriptions/reasons";

type Change = Extract<SubscriptionHistoryEntry, { kind: "change" }>["change"];
type NameOf = (actor: string) => string;
type Charge = Extract<SubscriptionHistoryEntry, { kind: "charge" }>;

/** As a change of nobody names who did it. */
const SYSTEM = "system";

const TRY_TEXTS = {
  authorized: "tryStatusAuthorized",
  failed: "tryStatusFailed",
  pending: "tryStatusPending",
} as const satisfies Record<Charge["attempt"]["status"], string>;

interface HistoryCardProps {
  ctx: Context;
  overview: SubscriptionOverview;
  page: NumberedPage<SubscriptionHistoryEntry>;
  /** The way to the others. */
  pages: ReactNode;
}

/** Each charge with its payment, and who or what moved the subscription, and why; newest first. */
export async function HistoryCard({ ctx, overview, page, pages }: HistoryCardProps) {
  const people = await auditWords(
    ctx,
    page.items.map((entry) => (entry.kind === "change" ? entry.change.actor : entry.attempt.actor)),
  );
  const [t, format, cellsOfCharge, cellsOfChange] = await Promise.all([
    getTranslations("subscriptions"),
    getFormatter(),
    chargeCells(overview.row.amount, people.actor),
    changeCells(people.actor),
  ]);
  return (
    <Card id="history" className="overflow-hidden">
      <CardHeader title={t("history")} description={t("historyText")} />
      <DataList
        caption={t("history")}
        columns={[
          { key: "what", title: t("what"), isWhole: true },
          { key: "status", title: t("status") },
          { key: "reason", title: t("reason"), isMinor: true, isWhole: true },
          { key: "at", title: t("at"), isNumeric: true },
        ]}
        rows={page.items.map((entry) => {
          const at = entry.kind === "charge" ? (entry.attempt.endedAt ?? entry.attempt.createdAt) : entry.change.at;
          const text = format.dateTime(at, { dateStyle: "medium", timeStyle: "short" });
          return {
            id: String(entry.revision),
            cells: [
              ...(entry.kind === "charge" ? cellsOfCharge(entry) : cellsOfChange(entry.change)),
              <Moment key="at" at={at} text={text} />,
            ],
          };
        })}
      />
      {pages}
    </Card>
  );
}

/** What was charged, what came of it, and why not. */
async function chargeCells(usual: number, nameOf: NameOf): Promise<(entry: Charge) => ReactNode[]> {
  const [t, { money, day }, reasonOf] = await Promise.all([
    getTranslations("subscriptions"),
    subscriptionWords(),
    tryReasons(),
  ]);
  return ({ cycle, amount: fixed, attempt: { number, kind, settleOn, status, chargeId, error, actor } }) => {
    const amount = money(fixed ?? usual);
    const said = settleOn
      ? t("historyAsked", { cycle, number, amount, date: day(settleOn) })
      : t("historyCharge", { cycle, number, amount });
    const link = (
      <Link
        key="charge"
        href={`/dashboard/payments/${chargeId}`}
        className="relative text-accent-ink underline underline-offset-2"
      >
        {said}
      </Link>
    );
    const what = chargeId ? link : said;
    const isAsked = kind === "manual" && actor !== SYSTEM;
    return [
      isAsked ? <Done key="charge" what={what} by={t("historyBy", { who: nameOf(actor) })} /> : what,
      t(chargeId ? TRY_TEXTS[status] : "tryStatusImpossible"),
      status === "failed" ? reasonOf(error ?? "generic") : t("none"),
    ];
  };
}

const Done = ({ what, by }: { what: ReactNode; by: string }) => (
  <span className="grid">
    <span>{what}</span>
    <span className="text-ink-3 text-xs">{by}</span>
  </span>
);

async function changeCells(nameOf: NameOf): Promise<(change: Change) => ReactNode[]> {
  const t = await getTranslations("subscriptions");
  const factOf = ({ fact, revision, detail }: Change): string => {
    const mandate = detail?.mandate;
    if (typeof mandate === "string" && Object.hasOwn(MANDATE_TEXTS, mandate)) {
      // Guarantee: looked up only where the key exists.
      return t("factMandate", { status: t(MANDATE_TEXTS[mandate as keyof typeof MANDATE_TEXTS]) });
    }
    if (fact === "changed" && revision === 1) return t("factCreated");
    // Guarantee: as above.
    return Object.hasOwn(FACT_TEXTS, fact) ? t(FACT_TEXTS[fact as keyof typeof FACT_TEXTS]) : fact;
  };
  const reasonOf = ({ reason, actor }: Change): string => {
    if (reason === null) return t("none");
    const isOwn = (actor === SYSTEM || reason === CUSTOMER_DELETED) && Object.hasOwn(REASON_TEXTS, reason);
    // Guarantee: as above.
    return isOwn ? t(REASON_TEXTS[reason as keyof typeof REASON_TEXTS]) : reason;
  };
  const saidOf = (change: Change): ReactNode =>
    change.actor === SYSTEM ? (
      factOf(change)
    ) : (
      <Done key="what" what={factOf(change)} by={t("historyBy", { who: nameOf(change.actor) })} />
    );
  return (change) => [saidOf(change), t(STATUS_TEXTS[change.toStatus]), reasonOf(change)];
}
