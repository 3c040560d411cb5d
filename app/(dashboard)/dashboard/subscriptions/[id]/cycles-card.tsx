import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import {
  CYCLE_LOOKS,
  CYCLE_TEXTS,
  subscriptionWords,
  tryReasons,
} from "@/app/(dashboard)/dashboard/subscriptions/words";
import { DataList } from "@/components/dashboard/data-list";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { cycleDueOn } from "@/lib/subscriptions/calendar";
import { isCharged, isOver } from "@/lib/subscriptions/machine";
import type { NumberedPage } from "@/lib/subscriptions/operator-pages";
import type { SubscriptionOverview } from "@/lib/subscriptions/operator-queries";
import type { CycleView, TryRow } from "@/lib/subscriptions/queries";

/** Cycles that are to come and are shown. */
const MOST_COMING = 3;

interface CyclesCardProps {
  overview: SubscriptionOverview;
  page: NumberedPage<CycleView>;
  /** The way to the others. */
  pages: ReactNode;
  mayEdit: boolean;
  path: string;
}

/** Of what the buyer's bank was asked to pay on a day. */
const ASKED_TEXTS = {
  failed: "tryAskedFailed",
  pending: "tryAsked",
  authorized: "tryAskedPaid",
} as const satisfies Record<TryRow["status"], string>;

/** The calendar of a subscription: what is to come, what was charged, each try and why it ended as it did. */
export async function CyclesCard({ overview, page, pages, mayEdit, path }: CyclesCardProps) {
  const { row, anchors, counts } = overview;
  const [t, { day, money }, format, reasonOf] = await Promise.all([
    getTranslations("subscriptions"),
    subscriptionWords(),
    getFormatter(),
    tryReasons(),
  ]);
  const left = row.cycles === null ? MOST_COMING : row.cycles - (counts.newest - counts.canceled);
  const isComing = page.newer === undefined && row.nextDueOn !== null && !isOver(row.status);
  const coming = Array.from({ length: isComing ? Math.max(0, Math.min(MOST_COMING, left)) : 0 }, (_, index) => {
    const cycle = counts.newest + 1 + index;
    return { cycle, dueDate: cycleDueOn(anchors, cycle) };
  }).filter(({ dueDate }) => row.cancelOn === null || dueDate < row.cancelOn);
  const tryOf = (one: TryRow) => {
    const at = format.dateTime(one.createdAt, { dateStyle: "medium", timeStyle: "short" });
    const reason = reasonOf(one.error ?? "generic");
    const said = one.settleOn
      ? t(ASKED_TEXTS[one.status], { number: one.number, date: day(one.settleOn), reason })
      : one.status === "failed"
        ? t("tryFailed", { number: one.number, at, reason })
        : one.status === "pending"
          ? t("tryPending", { number: one.number, at })
          : t("tryPaid", { number: one.number, at });
    return (
      <li key={one.id}>
        {one.chargeId ? (
          <Link
            href={`/dashboard/payments/${one.chargeId}`}
            className="relative text-accent-ink underline underline-offset-2"
          >
            {said}
          </Link>
        ) : (
          said
        )}
      </li>
    );
  };
  const rows = page.items.map(({ cycle, tries }) => ({
    id: cycle.id,
    cells: [
      t("cycleNumber", { cycle: cycle.cycle }),
      day(cycle.dueOn),
      <Badge key="status" {...CYCLE_LOOKS[cycle.status]}>
        {t(CYCLE_TEXTS[cycle.status])}
      </Badge>,
      cycle.amount === null ? t("none") : money(cycle.amount),
      tries.length === 0 ? (
        t("none")
      ) : (
        <div key="tries" className="grid justify-items-end gap-2 md:justify-items-start">
          <ol className="grid gap-1 whitespace-normal text-sm md:min-w-44">{tries.map(tryOf)}</ol>
          {mayEdit && isTriable(overview, cycle) ? (
            <LinkButton href={`${path}?do=retry&cycle=${cycle.id}`} scroll={false} size="sm" className="max-md:h-11">
              {t("retry")}
            </LinkButton>
          ) : null}
        </div>
      ),
    ],
  }));
  return (
    <Card id="cycles" className="overflow-hidden">
      <CardHeader title={t("calendar")} description={t(overview.mandate ? "calendarTextMandate" : "calendarText")} />
      <DataList
        caption={t("calendar")}
        columns={[
          { key: "cycle", title: t("cycle") },
          { key: "due", title: t("due"), isFolded: true },
          { key: "status", title: t("status") },
          { key: "amount", title: t("amount") },
          { key: "tries", title: t("tries") },
        ]}
        rows={[
          ...coming.toReversed().map(({ cycle, dueDate }) => ({
            id: `coming-${cycle}`,
            cells: [
              t("cycleNumber", { cycle }),
              day(dueDate),
              <Badge key="status">
                {row.status === "paused" || row.status === "unpaid" ? t("comingSkipped") : t("coming")}
              </Badge>,
              money(row.amount),
              t("none"),
            ],
          })),
          ...rows,
        ]}
      />
      {pages}
    </Card>
  );
}

/** As the service decides it: the one being retried, or the last one that failed. */
function isTriable({ row, cycles }: SubscriptionOverview, cycle: CycleView["cycle"]): boolean {
  if (row.status === "unpaid") {
    const hasOpen = cycles.some((one) => one.cycle.status === "pending" || one.cycle.status === "retrying");
    return !hasOpen && cycles.find((one) => one.cycle.status === "failed")?.cycle.id === cycle.id;
  }
  if (row.method === "pix_automatic") return false;
  return isCharged(row.status) && cycle.status === "retrying";
}
