import { CalendarDays } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { MonthCalendar } from "@/app/(dashboard)/dashboard/payouts/calendar";
import { DayCard } from "@/app/(dashboard)/dashboard/payouts/day-card";
import { FiguresCard } from "@/app/(dashboard)/dashboard/payouts/figures-card";
import { monthIn } from "@/app/(dashboard)/dashboard/payouts/months";
import { PayoutsTabs } from "@/app/(dashboard)/dashboard/payouts/tabs";
import { PAYOUTS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { WaitingCard } from "@/app/(dashboard)/waiting-card";
import { StatusTabs } from "@/components/charges/status-tabs";
import { PageHead } from "@/components/dashboard/page-head";
import { WhyLink } from "@/components/dashboard/why-link";
import { StatementsCard } from "@/components/statements";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { dayIn } from "@/lib/finance/days";
import { moneyOverview } from "@/lib/finance/overview";
import { sumOf } from "@/lib/money";
import { monthsSince } from "@/lib/statements/months";

const PAYOUT_DECISIONS = ["payout_paid", "payout_failed", "payout_returned", "payout_file", "payout_return"] as const;

const WHOSE = { "": "whoseAll", own: "whoseOwn", sellers: "whoseSellers" } as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payouts");
  return { title: t("title") };
}

export default async function PayoutsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAYOUTS, given, {}), "payouts.see");
  const { t, money, day, monthName } = await payoutWords();
  const [whose, sellerId, asked] = ["whose", "seller", "day"].map((name) => oneOf(given, name));
  const open = dayIn(asked);
  const overview = await orNotFound(
    moneyOverview(ctx, role, {
      whose,
      sellerId,
      month: monthIn(oneOf(given, "month")),
      day: open,
      after: oneOf(given, "after"),
    }),
  );
  const { own, sellers, seller, month, days, next, ownNext, rows } = overview;
  const merchants = await merchantsToChoose(ctx, role);
  const why = (figure: string) => withParameters(PAYOUTS, given, { why: figure });
  const total = sumOf(days.map(({ net }) => net));
  return (
    <>
      <PageHead title={seller ? t("overviewOf", { name: seller.name }) : t("title")} aside={t("zone")} />
      <PayoutsTabs here="overview" />
      {seller ? null : <WaitingCard ctx={ctx} role={role} kinds={PAYOUT_DECISIONS} />}
      <div className="grid gap-5">
        {own ? (
          <FiguresCard
            title={t("ownTitle")}
            text={t("ownText")}
            figures={own}
            next={ownNext}
            carried={overview.ownCarried}
            deduction={ownNext?.day}
            whose="own"
            whyHref={why}
          />
        ) : null}
        {sellers ? (
          <FiguresCard
            title={seller ? seller.name : t("sellersTitle")}
            text={t("sellersText")}
            figures={sellers}
            next={undefined}
            carried={overview.sellerCarried}
            deduction={seller && next?.day}
            whose="sellers"
            seller={seller}
            whyHref={why}
          />
        ) : null}
        <Card className="overflow-hidden">
          <CardHeader
            title={t("calendar")}
            description={
              days.length > 0 ? (
                <WhyLink href={why("calendar.month")}>
                  {t("calendarText", { amount: money(total), month: monthName(month), days: days.length })}
                </WhyLink>
              ) : (
                t("calendarNone", { month: monthName(month) })
              )
            }
          />
          {seller ? null : (
            <StatusTabs
              label={t("whose")}
              tabs={Object.entries(WHOSE).map(([value, text]) => ({
                href: withParameters(PAYOUTS, given, { whose: value || undefined, after: undefined }),
                text: t(text),
                isHere: value === (whose ?? ""),
              }))}
            />
          )}
          <MonthCalendar
            month={month}
            today={overview.today}
            days={days}
            open={open}
            hrefOfDay={(each) => withParameters(PAYOUTS, given, { day: each, month, after: undefined })}
            hrefOfMonth={(each) => withParameters(PAYOUTS, given, { month: each, day: undefined, after: undefined })}
          />
          {days.length === 0 ? (
            <EmptyState
              icon={CalendarDays}
              title={next ? t("monthEmptyTitle", { month: monthName(month) }) : t("comingEmptyTitle")}
              action={
                next ? (
                  <LinkButton href={withParameters(PAYOUTS, given, { month: next.day.slice(0, 7), day: undefined })}>
                    {t("monthNext", { day: day(next.day) })}
                  </LinkButton>
                ) : null
              }
            >
              {next ? null : t("comingEmptyText")}
            </EmptyState>
          ) : null}
        </Card>
        {open && rows ? (
          <DayCard
            day={open}
            rows={rows.items}
            whole={days.find((each) => each.day === open)}
            nextHref={rows.next && withParameters(PAYOUTS, given, { after: rows.next })}
            closeHref={withParameters(PAYOUTS, given, { day: undefined, after: undefined })}
          />
        ) : null}
      </div>
      {seller || merchants.length > 0 ? (
        <div className="mt-5">
          <StatementsCard
            action={`${PAYOUTS}/statement`}
            months={monthsSince(
              overview.today,
              (seller ? [seller] : merchants).map(({ createdAt }) => createdAt),
            )}
            merchants={seller ? undefined : merchants.map(({ id, name }) => ({ id, name: name ?? id }))}
            hidden={seller ? { seller: seller.id, merchant: seller.merchantId } : {}}
          />
        </div>
      ) : null}
      <ExplanationSheet
        ctx={ctx}
        role={role}
        path={PAYOUTS}
        given={given}
        subject={{ sellerId: seller?.id, whose, month: `${month}-01` }}
      />
    </>
  );
}
