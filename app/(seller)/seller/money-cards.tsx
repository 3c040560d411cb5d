import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Card, CardHeader } from "@/components/ui/card";
import { formatCents } from "@/components/ui/money-format";
import { noonOf } from "@/lib/brazil/bank-calendar";
import { sumOf } from "@/lib/money";
import type { OwnPage, OwnPayout } from "@/lib/seller-access/page";
import type { SellerLine } from "@/lib/sellers/own-figures";

interface CardProps {
  page: OwnPage;
}

async function sayings() {
  const [t, format, locale] = await Promise.all([getTranslations("sellerPage"), getFormatter(), getLocale()]);
  return {
    t,
    money: (cents: number) => formatCents(cents, "BRL", locale),
    day: (day: string) => format.dateTime(noonOf(day), { dateStyle: "medium" }),
  };
}

export async function BalanceCard({ page: { balance, transferFees, row } }: CardProps) {
  const { t, money } = await sayings();
  const figures = [
    { name: t("available"), value: balance.available, hint: t("availableHint") },
    { name: t("toReceive"), value: balance.pending, hint: t("toReceiveHint") },
    {
      name: t("inTransit"),
      value: balance.inTransit,
      hint: transferFees > 0 ? t("inTransitAfterFees", { fee: money(transferFees) }) : t("inTransitHint"),
    },
  ];
  const account = t("account", { last: row.bankAccount.accountNumber.slice(-LAST) });
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("balance")}
        description={balance.available < 0 ? t("debtText", { amount: money(-balance.available) }) : account}
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

const LAST = 4;

interface Row {
  id: string;
  title: string;
  note: string;
  amount: string;
  isNegative?: boolean;
}

/** One line for each on every screen: what, when, how much. */
function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ id, title, note, amount, isNegative }) => (
        <li key={id} className="flex items-baseline justify-between gap-4 px-5 py-3">
          <div className="min-w-0">
            <p className="text-ink text-sm">{title}</p>
            <p className="text-ink-3 text-xs">{note}</p>
          </div>
          <p className={`shrink-0 font-medium text-sm tabular-nums ${isNegative ? "text-danger" : "text-ink"}`}>
            {amount}
          </p>
        </li>
      ))}
    </ul>
  );
}

const Nothing = ({ children }: { children: ReactNode }) => <p className="px-5 py-4 text-ink-3 text-sm">{children}</p>;

/** What waits, by the day on which it can be used. */
export async function CalendarCard({ page: { calendar } }: CardProps) {
  const { t, money, day } = await sayings();
  const amount = money(sumOf(calendar.map(({ net }) => net)));
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("calendar")}
        description={calendar.length > 0 ? t("calendarText", { amount, days: calendar.length }) : undefined}
      />
      {calendar.length === 0 ? <Nothing>{t("calendarNone")}</Nothing> : null}
      <Rows
        rows={calendar.map(({ day: on, count, net }) => ({
          id: on,
          title: day(on),
          note: t("parts", { count }),
          amount: money(net),
        }))}
      />
    </Card>
  );
}

const PAYOUT_TEXTS = {
  pending: "payoutPending",
  paid: "payoutPaid",
  failed: "payoutFailed",
  offset: "payoutOffset",
} as const satisfies Record<OwnPayout["status"], string>;

export async function PayoutsCard({ page: { payouts } }: CardProps) {
  const { t, money, day } = await sayings();
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("payouts")} />
      {payouts.length === 0 ? <Nothing>{t("payoutsNone")}</Nothing> : null}
      <Rows
        rows={payouts.map(({ id, status, finalBalance, withdrawalFeeAmount: fee, paymentDate, payoutDate }) => ({
          id,
          title: t(PAYOUT_TEXTS[status]),
          note: [
            day(payoutDate ?? paymentDate),
            ...(fee > 0 && status !== "failed"
              ? [t("payoutFee", { gross: money(finalBalance + fee), fee: money(fee) })]
              : []),
          ].join(" · "),
          amount: money(finalBalance),
          isNegative: finalBalance < 0,
        }))}
      />
    </Card>
  );
}

const LINE_TEXTS = {
  credit: "lineCredit",
  refund: "lineRefund",
  refund_reversal: "lineRefundReversal",
  chargeback: "lineChargeback",
  chargeback_refund: "lineChargebackRefund",
} as const satisfies Record<SellerLine["type"], string>;

/** The seller's parts of payments, and what was taken of them again; nothing of who paid. */
export async function SalesCard({ page: { lines } }: CardProps) {
  const { t, money, day } = await sayings();
  const what = ({ type, installment: number, installments: count }: SellerLine): string =>
    type === "credit" && number !== null && count > 1 ? t("lineInstallment", { number, count }) : t(LINE_TEXTS[type]);
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("sales")} description={lines.length > 0 ? t("salesText") : undefined} />
      {lines.length === 0 ? <Nothing>{t("salesNone")}</Nothing> : null}
      <Rows
        rows={lines.map((line) => ({
          id: line.id,
          title: what(line),
          note: [
            day(line.paymentDate),
            ...(line.fee > 0 ? [t("lineFee", { gross: money(line.gross), fee: money(line.fee) })] : []),
            ...(line.fee < 0 ? [t("lineFeeBack", { gross: money(line.gross), fee: money(-line.fee) })] : []),
          ].join(" · "),
          amount: money(line.net),
          isNegative: line.net < 0,
        }))}
      />
    </Card>
  );
}
