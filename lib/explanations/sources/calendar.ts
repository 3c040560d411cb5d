import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, row } from "@/lib/explanations/sources/source";
import { sumOf } from "@/lib/money";
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

const explained = (ctx: Context, sellerId: string, value: number, days: SQL): Explained => ({
  value,
  currency: "BRL",
  rows: sql`
    select ${row({
      id: sql`r.id`,
      at: sql`r.created_at`,
      type: sql`r.type`,
      amount: LEFT_OPEN,
      sourceType: "receivable",
      sourceId: sql`r.id`,
      chargeId: sql`r.charge_id`,
      installment: sql`r.installment`,
      journalId: sql`r.journal_id`,
    })}
      ${waitingMoneyOf(ctx, sellerId)} and ${days} and ${LEFT_OPEN} <> 0`,
});
