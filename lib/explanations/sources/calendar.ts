import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, ofReceivable } from "@/lib/explanations/sources/source";
import { comingOf, daysOfMonth } from "@/lib/finance/overview";
import { sumOf } from "@/lib/money";
import { OPEN } from "@/lib/receivables/giving-back";
import { calendarOf, LEFT_OPEN, waitingMoneyOf } from "@/lib/sellers/own-figures";
import { sellerAt } from "@/lib/sellers/service";

/** Of a seller's calendar: one of its days. */
export async function ofDay(ctx: Context, { sellerId = "", day = "" }: AskedFigure): Promise<Explained> {
  await sellerAt(ctx, sellerId);
  const found = (await calendarOf(ctx, sellerId)).find((each) => each.day === day);
  // A day that is none of the calendar's has nothing in it.
  return explained(ctx, sellerId, found?.net ?? 0, found ? sql`r.payment_date = ${day}::date` : sql`false`);
}

/** Of all the days that it shows. */
export async function calendarTotal(ctx: Context, { sellerId = "" }: AskedFigure): Promise<Explained> {
  await sellerAt(ctx, sellerId);
  const days = await calendarOf(ctx, sellerId);
  const last = days.at(-1)?.day ?? null;
  return explained(ctx, sellerId, sumOf(days.map(({ net }) => net)), sql`r.payment_date <= ${last}::date`);
}

/** Of the calendar of everybody's money, as far as it is asked about. */
export async function ofMonth(ctx: Context, { month = "", sellerId, whose }: AskedFigure): Promise<Explained> {
  if (sellerId !== undefined) await sellerAt(ctx, sellerId);
  const coming = comingOf(ctx, { whose, sellerId });
  const days = await daysOfMonth(ctx, coming, month.slice(0, "2026-11".length));
  return {
    value: sumOf(days.map(({ net }) => net)),
    currency: "BRL",
    rows: sql`
      select ${ofReceivable(OPEN)}
        ${coming} and date_trunc('month', r.payment_date) = date_trunc('month', ${month}::date)`,
  };
}

const explained = (ctx: Context, sellerId: string, value: number, days: SQL): Explained => ({
  value,
  currency: "BRL",
  rows: sql`
    select ${ofReceivable(LEFT_OPEN)}
      ${waitingMoneyOf(ctx, sellerId)} and ${days} and ${LEFT_OPEN} <> 0`,
});
