import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { LINE_TEXTS, noonOf } from "@/app/(dashboard)/dashboard/sellers/words";
import { DataList } from "@/components/dashboard/data-list";
import { Card, CardHeader } from "@/components/ui/card";
import { formatCents } from "@/components/ui/money-format";
import { sumOf } from "@/lib/money";
import type { SellerLine, SellerOverview } from "@/lib/sellers/operator-queries";

interface CardProps {
  overview: SellerOverview;
}

async function sayings() {
  const [t, format, locale] = await Promise.all([getTranslations("sellers"), getFormatter(), getLocale()]);
  return {
    t,
    money: (cents: number) => formatCents(cents, "BRL", locale),
    day: (day: string) => format.dateTime(noonOf(day), { dateStyle: "medium" }),
  };
}

/** As the books say it. */
export async function BalanceCard({ overview: { balance, debtSince } }: CardProps) {
  const { t, money, day } = await sayings();
  const figures = [
    { name: t("available"), value: balance.available, hint: t("availableHint") },
    { name: t("toReceive"), value: balance.pending, hint: t("toReceiveHint") },
    { name: t("inTransit"), value: balance.inTransit, hint: t("inTransitHint") },
  ];
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("balance")}
        description={
          balance.available < 0
            ? debtSince
              ? t("debtSince", { amount: money(-balance.available), day: day(debtSince) })
              : t("debt", { amount: money(-balance.available) })
            : t("balanceText")
        }
      />
      <dl className="grid gap-px bg-line sm:grid-cols-3">
        {figures.map(({ name, value, hint }) => (
          <div key={name} className="bg-surface px-5 py-4">
            <dt className="text-ink-2 text-sm">{name}</dt>
            <dd className={`mt-1 font-semibold text-xl tabular-nums ${value < 0 ? "text-danger" : "text-ink"}`}>
              {money(value)}
            </dd>
            <dd className="mt-0.5 text-ink-3 text-xs">{hint}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** What waits, by the day on which it can be used. */
export async function CalendarCard({ overview: { calendar } }: CardProps) {
  const { t, money, day } = await sayings();
  if (calendar.length === 0) return null;
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("calendar")}
        description={t("calendarText", { amount: money(sumOf(calendar.map(({ net }) => net))) })}
      />
      <DataList
        caption={t("calendar")}
        columns={[
          { key: "day", title: t("day") },
          { key: "count", title: t("parts"), isNumeric: true },
          { key: "net", title: t("net"), isNumeric: true },
        ]}
        rows={calendar.map(({ day: on, count, net }) => ({ id: on, cells: [day(on), String(count), money(net)] }))}
      />
    </Card>
  );
}

/** The newest parts of payments. */
export async function LinesCard({ overview: { lines } }: CardProps) {
  const { t, money, day } = await sayings();
  const what = (line: SellerLine): string =>
    line.type === "credit" && line.installment !== null && line.installments > 1
      ? t("lineInstallment", { number: line.installment, count: line.installments })
      : t(LINE_TEXTS[line.type]);
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("lines")} description={t("linesText")} />
      {lines.length === 0 ? (
        <p className="px-5 py-6 text-ink-3 text-sm">{t("linesNone")}</p>
      ) : (
        <DataList
          caption={t("lines")}
          columns={[
            { key: "what", title: t("what") },
            { key: "gross", title: t("gross"), isNumeric: true },
            { key: "fee", title: t("fees"), isNumeric: true, isMinor: true },
            { key: "net", title: t("net"), isNumeric: true },
            { key: "day", title: t("day"), isNumeric: true },
          ]}
          rows={lines.map((line) => ({
            id: line.id,
            href: `/dashboard/payments/${line.purchaseId ?? line.chargeId}`,
            cells: [what(line), money(line.gross), money(line.fee), money(line.net), day(line.paymentDate)],
          }))}
        />
      )}
    </Card>
  );
}
