import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { debtOrigin } from "@/app/(dashboard)/dashboard/payouts/debt-origin";
import { endAdjustmentAction } from "@/app/(dashboard)/dashboard/sellers/actions";
import { LINE_TEXTS } from "@/app/(dashboard)/dashboard/sellers/words";
import { DataList } from "@/components/dashboard/data-list";
import { WhyLink } from "@/components/dashboard/why-link";
import { TaskButton } from "@/components/tasks/task-button";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { systemDb } from "@/db/client";
import { noonOf } from "@/lib/brazil/bank-calendar";
import { type Context, onAccountClock } from "@/lib/context";
import { sumOf } from "@/lib/money";
import { namesOf } from "@/lib/operators/names";
import { adjustmentInput, type SellerAdjustment } from "@/lib/payouts/adjustments";
import { type MoneyProposal, operatorOf } from "@/lib/proposals/service";
import type { SellerOverview } from "@/lib/sellers/operator-queries";
import type { SellerLine } from "@/lib/sellers/own-figures";

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

interface BalanceCardProps extends CardProps {
  ctx: Context;
  path: string;
  mayAdjust: boolean;
  maySeePayouts: boolean;
}

/** As the books say it; of a debt, who may give it up and who proposed to. */
export async function BalanceCard({ ctx, overview, path, mayAdjust, maySeePayouts }: BalanceCardProps) {
  const { balance, transferFees, debtSince, adjustments, carried, calendar, seller } = overview;
  const { t, money, day } = await sayings();
  const owed = (text: ReactNode) => <WhyLink href={`${path}?why=balance.debt`}>{text}</WhyLink>;
  const origin = maySeePayouts
    ? await debtOrigin({ carried, next: calendar[0]?.day, of: `seller=${seller.row.id}` })
    : undefined;
  const figures = [
    { figure: "available", name: t("available"), value: balance.available, hint: t("availableHint") },
    { figure: "receivable", name: t("toReceive"), value: balance.pending, hint: t("toReceiveHint") },
    {
      figure: "inTransit",
      name: t("inTransit"),
      value: balance.inTransit,
      hint: transferFees > 0 ? t("inTransitAfterFees", { fee: money(transferFees) }) : t("inTransitHint"),
    },
  ];
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("balance")}
        description={
          balance.available < 0 ? (
            <>
              {debtSince
                ? t.rich("debtSince", { amount: money(-balance.available), day: day(debtSince), owed })
                : t.rich("debt", { amount: money(-balance.available), owed })}
              {origin}
            </>
          ) : (
            t("balanceText")
          )
        }
        actions={
          mayAdjust ? (
            <div className="flex flex-wrap gap-2">
              {balance.available < 0 && adjustments.length === 0 ? (
                <LinkButton href={`${path}?do=write-off`} scroll={false} size="sm">
                  {t("writeOff")}
                </LinkButton>
              ) : null}
              <LinkButton href={`${path}?do=adjust`} scroll={false} size="sm">
                {t("adjust")}
              </LinkButton>
            </div>
          ) : null
        }
      />
      {adjustments.map((proposal) => (
        <WaitingAdjustment key={proposal.id} ctx={ctx} proposal={proposal} />
      ))}
      <dl className="grid gap-px bg-line sm:grid-cols-3">
        {figures.map(({ figure, name, value, hint }) => (
          <div key={name} className="bg-surface px-5 py-4">
            <dt className="text-ink-2 text-sm">{name}</dt>
            <dd className={`mt-1 font-semibold text-xl tabular-nums ${value < 0 ? "text-danger" : "text-ink"}`}>
              <WhyLink href={`${path}?why=balance.${figure}`}>{money(value)}</WhyLink>
            </dd>
            <dd className="mt-0.5 text-ink-3 text-xs">{hint}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

const ADJUSTMENT_TEXTS = {
  credit: "creditWaits",
  correction: "correctionWaits",
  write_off: "writeOffWaits",
} as const satisfies Record<SellerAdjustment["kind"], string>;

async function WaitingAdjustment({ ctx, proposal }: { ctx: Context; proposal: MoneyProposal }) {
  const [{ t, money }, format] = await Promise.all([sayings(), getFormatter()]);
  const who = await namesOf(systemDb(), ctx.account.id, [proposal.askedBy]);
  const { kind, amount } = adjustmentInput.parse(proposal.details);
  const isOwn = proposal.askedBy === operatorOf(ctx);
  const hidden = { id: proposal.subjectId, proposal: proposal.id };
  return (
    <>
      <p className="border-line border-b bg-warning-soft px-5 py-3 text-sm text-warning">
        {t(ADJUSTMENT_TEXTS[kind], {
          amount: money(amount),
          reason: proposal.reason,
          who: who.get(proposal.askedBy) ?? t("somebody"),
          until: format.dateTime(onAccountClock(ctx, proposal.expiresAt), { dateStyle: "medium", timeStyle: "short" }),
        })}
      </p>
      <div className="flex flex-wrap gap-2 border-line border-b px-5 py-3">
        {isOwn ? null : (
          <TaskButton
            text={t("adjustmentConfirm")}
            hidden={{ ...hidden, how: "confirm" }}
            onAct={endAdjustmentAction}
            size="sm"
          />
        )}
        <TaskButton
          text={isOwn ? t("adjustmentWithdraw") : t("accountRefuse")}
          hidden={{ ...hidden, how: "refuse" }}
          onAct={endAdjustmentAction}
          size="sm"
        />
      </div>
    </>
  );
}

/** What waits, by the day on which it can be used. */
export async function CalendarCard({ overview: { calendar }, path }: CardProps & { path: string }) {
  const { t, money, day } = await sayings();
  if (calendar.length === 0) return null;
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("calendar")}
        description={
          <WhyLink href={`${path}?why=calendar.total`}>
            {t("calendarText", { amount: money(sumOf(calendar.map(({ net }) => net))), days: calendar.length })}
          </WhyLink>
        }
      />
      <DataList
        caption={t("calendar")}
        columns={[
          { key: "day", title: t("day") },
          { key: "count", title: t("parts"), isNumeric: true },
          { key: "net", title: t("net"), isNumeric: true },
        ]}
        rows={calendar.map(({ day: on, count, net }) => ({
          id: on,
          cells: [
            day(on),
            String(count),
            <WhyLink key="net" href={`${path}?why=calendar.day&part=${on}`}>
              {money(net)}
            </WhyLink>,
          ],
        }))}
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
            { key: "what", title: t("what"), isFlexible: true },
            { key: "gross", title: t("gross"), isNumeric: true },
            { key: "fee", title: t("fees"), isNumeric: true, isMinor: true },
            { key: "net", title: t("net"), isNumeric: true },
            { key: "day", title: t("day"), isNumeric: true, isFolded: true },
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
