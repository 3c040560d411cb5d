import { CircleCheck, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FinanceTabs } from "@/app/(dashboard)/dashboard/finance/tabs";
import { BREAKS, financeWords } from "@/app/(dashboard)/dashboard/finance/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { WaitingCard } from "@/app/(dashboard)/waiting-card";
import { StatusTabs } from "@/components/charges/status-tabs";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { type BreakSubject, listBreaks } from "@/lib/finance/breaks";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("finance");
  return { title: t("breaks") };
}

export default async function BreaksPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(BREAKS, given, {}), "finance.see");
  const t = await getTranslations("finance");
  const isClosed = oneOf(given, "closed") === "yes";
  const [{ money, day, ...words }, { items, open, previous, next }] = await Promise.all([
    financeWords(),
    listBreaks(ctx, role, { isClosed, after: oneOf(given, "after"), before: oneOf(given, "before") }),
  ]);
  return (
    <>
      <PageHead title={t("breaks")} aside={t("zone")} description={t("breaksText")} />
      <FinanceTabs here="breaks" role={role} />
      {isClosed ? null : <WaitingCard ctx={ctx} role={role} kinds={["break_closed"]} />}
      <Card className="overflow-hidden">
        <StatusTabs
          label={t("state")}
          tabs={[
            { href: BREAKS, text: t("breaksOpen", { count: open }), isHere: !isClosed },
            { href: `${BREAKS}?closed=yes`, text: t("breaksClosed"), isHere: isClosed },
          ]}
        />
        {items.length === 0 ? (
          <EmptyState icon={isClosed ? SearchX : CircleCheck} title={isClosed ? t("closedNone") : t("breaksNone")}>
            {isClosed ? null : t("breaksNoneText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("breaks")}
            columns={[
              { key: "kind", title: t("kind") },
              { key: "day", title: t("day"), isNumeric: true },
              { key: "expected", title: t("expected"), isNumeric: true },
              { key: "found", title: t("found"), isNumeric: true },
              { key: "difference", title: t("difference"), isNumeric: true },
              { key: "owner", title: t("owner") },
              { key: "age", title: t("age"), isNumeric: true },
            ]}
            rows={items.map(({ row, subject, merchant, owner, ageDays }) => ({
              id: row.id,
              href: `${BREAKS}/${row.id}`,
              cells: [
                <span key="kind" className="grid">
                  <span className="truncate">{words.break(row)}</span>
                  <span className="truncate text-ink-3 text-xs">
                    {[nameOf(subject), row.note ?? merchant].filter(Boolean).join(" · ")}
                  </span>
                </span>,
                day(row.day),
                money(row.expected),
                money(row.found),
                money(row.found - row.expected),
                owner ?? t("nobody"),
                t("days", { days: ageDays }),
              ],
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{
              href: previous && withParameters(BREAKS, given, { before: previous, after: undefined }),
              text: t("previous"),
            }}
            next={{ href: next && withParameters(BREAKS, given, { after: next, before: undefined }), text: t("more") }}
          />
        </div>
      </Card>
    </>
  );
}

/** Tells rows of one kind apart; of a payment its amounts do. */
const nameOf = (subject: BreakSubject | undefined): string | undefined => {
  if (subject?.kind === "batch") return subject.seller;
  if (subject?.kind === "line") return subject.name;
  return subject?.kind === "identity" ? subject.seller?.name : undefined;
};
