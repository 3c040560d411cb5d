import { CircleCheck, Scale } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getFormatter, getTranslations } from "next-intl/server";
import { BREAKS, FINANCE, financeWords, STATE_TEXTS } from "@/app/(dashboard)/dashboard/finance/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { StatusTabs } from "@/components/charges/status-tabs";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { dayIn } from "@/lib/finance/days";
import { DUE_STATES, type DueState, dayRows } from "@/lib/finance/reconciliation";

const PAGE = `${FINANCE}/day`;

const FIGURES = ["expected", "netted", "costAhead", "found"] as const;
type Figure = (typeof FIGURES)[number];

const TONES = {
  matched: "success",
  netted: "info",
  costed: "info",
  differs: "danger",
  missing: "danger",
  closed: "neutral",
  uneven: "neutral",
  waiting: "neutral",
} as const satisfies Record<DueState, string>;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("finance");
  return { title: t("reconciliation") };
}

export default async function DayPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "finance.see");
  const [asked = "", providerId = "", state = "", after] = ["day", "provider", "state", "after"].map((name) =>
    oneOf(given, name),
  );
  if (asked && !dayIn(asked)) notFound();
  const t = await getTranslations("finance");
  const [{ money, day }, { provider, states, items, next }, format] = await Promise.all([
    financeWords(),
    dayRows(ctx, role, { day: asked, providerId, state, after }),
    getFormatter(),
  ]);
  const sum = (of: "count" | Figure, which = states): number => which.reduce((total, each) => total + each[of], 0);
  const among: Record<string, typeof states> = { "": states.filter((each) => each.state !== "matched"), all: states };
  const tab = (value: string | undefined, text: string) => ({
    href: withParameters(PAGE, given, { state: value, after: undefined }),
    text,
    count: (
      <span className="ml-1.5 font-normal text-ink-3 text-xs tabular-nums">
        {format.number(sum("count", among[value ?? ""] ?? states.filter((each) => each.state === value)))}
      </span>
    ),
    isHere: (value ?? "") === state,
  });
  return (
    <>
      <BackLink href={FINANCE} text={t("reconciliation")} />
      <PageHead
        title={provider ? t("dayTitle", { day: day(asked), provider }) : t("reconciliation")}
        aside={t("zone")}
        description={t("dayText")}
      />
      <Card className="overflow-hidden">
        <StatusTabs
          label={t("state")}
          tabs={[
            tab(undefined, t("stateOther")),
            ...DUE_STATES.map((each) => tab(each, t(STATE_TEXTS[each]))),
            tab("all", t("stateAll")),
          ]}
        />
        {states.length > 0 ? (
          <dl className="flex flex-wrap gap-x-6 gap-y-1 border-line border-b px-5 py-2.5 text-sm">
            {FIGURES.filter((each) => each !== "costAhead" || sum(each) !== 0).map((each) => (
              <div key={each} className="flex gap-2">
                <dt className="text-ink-3">{t(each)}</dt>
                <dd className="text-ink tabular-nums">
                  {money(each === "netted" || each === "costAhead" ? 0 - sum(each) : sum(each))}
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
        {items.length === 0 ? (
          <EmptyState icon={state === "" && provider ? CircleCheck : Scale} title={t("rowsNone")}>
            {state === "" && provider ? t("rowsNoneText") : null}
          </EmptyState>
        ) : (
          <DataList
            caption={t("rows")}
            {...(items.some(({ breakId }) => breakId) ? { actions: t("discrepancy") } : {})}
            columns={[
              { key: "what", title: t("receivable") },
              { key: "order", title: t("order"), isWhole: true },
              { key: "state", title: t("state") },
              { key: "settledOn", title: t("settledOn"), isNumeric: true },
              { key: "expected", title: t("expected"), isNumeric: true },
              { key: "found", title: t("found"), isNumeric: true },
              { key: "cost", title: t("cost"), isNumeric: true, isMinor: true },
              { key: "difference", title: t("difference"), isNumeric: true },
            ]}
            rows={items.map((row) => ({
              id: row.id,
              href: `/dashboard/payments/${row.paymentId}`,
              cells: [
                row.installments > 1
                  ? t("installment", { number: row.installment, count: row.installments })
                  : t("single"),
                row.orderId ?? t("none"),
                <Badge key="state" tone={TONES[row.state]}>
                  {t(STATE_TEXTS[row.state])}
                </Badge>,
                row.settledOn ? day(row.settledOn) : t("none"),
                <Noted
                  key="expected"
                  amount={money(row.expected)}
                  notes={[
                    row.inBatches === row.expected ? [] : t("inBatches", { amount: money(row.inBatches) }),
                    row.netted === 0 || row.settledOn ? [] : t("lessRefunded", { amount: money(row.netted) }),
                  ].flat()}
                />,
                row.settledOn ? money(row.found) : t("none"),
                row.settledOn ? (
                  <Noted
                    key="cost"
                    amount={money(row.cost + row.costAhead)}
                    notes={row.costAhead === 0 ? [] : [t("costOfSale")]}
                  />
                ) : (
                  t("none")
                ),
                row.state === "waiting" ? (
                  t("none")
                ) : (
                  <Noted
                    key="difference"
                    amount={money(row.found - row.expected)}
                    notes={
                      row.netted !== 0 && row.costAhead !== 0
                        ? [t("ofRefund", { amount: money(row.netted) }), t("ofCost", { amount: money(row.costAhead) })]
                        : []
                    }
                  />
                ),
              ],
              actions: row.breakId ? (
                <LinkButton size="sm" href={`${BREAKS}/${row.breakId}`}>
                  {t("openDiscrepancy")}
                </LinkButton>
              ) : undefined,
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{ href: undefined, text: t("newer") }}
            next={{ href: next && withParameters(PAGE, given, { after: next }), text: t("more") }}
          />
        </div>
      </Card>
      <p className="mt-3 max-w-3xl text-ink-2 text-xs">{t("costFirst")}</p>
      <p className="mt-2 max-w-3xl text-ink-2 text-xs">{t("unevenHow")}</p>
    </>
  );
}

/** What else is to be known of an amount, below it. */
const Noted = ({ amount, notes }: { amount: string; notes: readonly string[] }) =>
  notes.length === 0 ? (
    amount
  ) : (
    <span className="grid">
      {amount}
      {notes.map((note) => (
        <span key={note} className="text-ink-3 text-xs">
          {note}
        </span>
      ))}
    </span>
  );
