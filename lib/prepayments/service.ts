import { and, eq, isNull, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import { insertMany } from "@/db/column-sets";
import { clients } from "@/db/schema/accounts";
import { prepaymentItems, prepayments } from "@/db/schema/prepayments";
import { salePlans } from "@/db/schema/sale-plans";
import { sellers } from "@/db/schema/sellers";
import { type CivilDate, daysBetween } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { prepay, sumOf } from "@/lib/money";
import { announcePrepayment } from "@/lib/prepayments/events";
import { type Free, freeReceivables, ofParty, pageOfFree, toldProviders } from "@/lib/prepayments/free";
import { prepaymentMachine } from "@/lib/prepayments/machine";
import { findPrepayment, type ItemRow, type Prepayment, type PrepaymentRow } from "@/lib/prepayments/queries";
import type { NewPrepayment } from "@/lib/prepayments/schema";
import { type PrepaymentWindow, windowAt } from "@/lib/prepayments/window";
import { OPEN } from "@/lib/receivables/giving-back";
import { receivableMachine } from "@/lib/receivables/machine";
import { holdPositions } from "@/lib/receivables/split-state";

/** Receivables of one simulation. */
export const MOST_ITEMS = 10_000;

interface Party {
  sellerId: string | undefined;
  merchantId: string | null;
  planId: string | null;
}

export async function isPrepaymentOn({ account, db }: Context): Promise<boolean> {
  const [row] = await db.select({ isOn: clients.isPrepaymentOn }).from(clients).where(eq(clients.id, account.id));
  return row?.isOn ?? account.mode === "sandbox";
}

async function refuseUnlessEnabled(ctx: Context): Promise<void> {
  if (!(await isPrepaymentOn(ctx))) {
    throw new DomainError("prepayment_not_enabled", "prepayment is not enabled for this account");
  }
}

async function partyOf(ctx: Context, sellerId: string | undefined): Promise<Party> {
  if (sellerId === undefined) return { sellerId, merchantId: null, planId: null };
  const [row] = await ctx.db
    .select({ merchantId: sellers.merchantId, planId: sellers.planId })
    .from(sellers)
    .where(and(eq(sellers.clientId, ctx.account.id), eq(sellers.id, sellerId), isNull(sellers.deletedAt)));
  if (!row) throw new DomainError("seller_not_found", "the seller does not exist");
  return { sellerId, ...row };
}

/** None at all, of any day, is an answer of its own. */
async function refuseWithoutReceivables(ctx: Context, sellerId: string | undefined): Promise<void> {
  const told = await toldProviders(ctx);
  const rows = await ctx.db.execute(sql`
    select 1 from receivables r join charges c on c.id = r.charge_id
     where r.client_id = ${ctx.account.id} and ${ofParty(sellerId)} and r.type = 'credit'
       and c.provider_id = any(${textArray(told)}::uuid[]) limit 1`);
  if ([...rows].length === 0) throw new DomainError("no_receivables", "there are no receivables with the provider");
}

export async function availableReceivables(
  ctx: Context,
  { sellerId, ...page }: { sellerId: string | undefined; limit: number; offset: number },
): Promise<{ items: Free[]; total: number; amount: number }> {
  await refuseUnlessEnabled(ctx);
  await partyOf(ctx, sellerId);
  await refuseWithoutReceivables(ctx, sellerId);
  return pageOfFree(ctx, sellerId, windowAt(now(ctx)).paymentDate, page);
}

/** Prices what is free; nothing changes but the simulation itself. */
export async function simulatePrepayment(ctx: Context, asked: NewPrepayment): Promise<Prepayment> {
  await refuseUnlessEnabled(ctx);
  const party = await partyOf(ctx, asked.sellerId);
  await refuseWithoutReceivables(ctx, asked.sellerId);
  const window = windowAt(now(ctx));
  const free = await freeReceivables(ctx, asked.sellerId, window.paymentDate, asked, MOST_ITEMS + 1);
  if (free.length > MOST_ITEMS) throw invalid(`at most ${MOST_ITEMS} receivables are paid early at once`);
  return priced(ctx, party, window, asked, free);
}

/** One that a seller's policy asks for: committed at once, and its end date is that of the last of them. */
export async function prepayByPolicy(ctx: Context, sellerId: string, free: readonly Free[]): Promise<Prepayment> {
  const party = await partyOf(ctx, sellerId);
  const endDate = free.at(-1)?.settlementDate;
  const { row } = await priced(
    ctx,
    party,
    windowAt(now(ctx)),
    { receiptDates: undefined, endDate },
    free.slice(0, MOST_ITEMS),
    true,
  );
  return commit(ctx, row.id);
}

/** Of each what it would bring on that day; where no cent would be left of it, it cannot be paid early. */
export function pricesOf({ monthlyRateBps, markupBps }: MonthlyRates, paymentDate: CivilDate, free: readonly Free[]) {
  return free
    .map((one) => {
      const days = daysBetween(paymentDate, one.settlementDate);
      return { one, days, price: prepay(one.gross, monthlyRateBps, markupBps, days) };
    })
    .filter(({ price }) => price.net > 0);
}

/** A row that holds what each of them is worth now. */
async function priced(
  ctx: Context,
  party: Party,
  { expiresAt, paymentDate }: PrepaymentWindow,
  asked: Pick<NewPrepayment, "receiptDates" | "endDate">,
  free: readonly Free[],
  automatic = false,
): Promise<Prepayment> {
  const at = now(ctx);
  const rates = await monthlyRatesOf(ctx, party.planId);
  const items = pricesOf(rates, paymentDate, free);
  if (items.length === 0) throw new DomainError("nothing_available", "none of the receivables can be paid early");
  const total = (part: "net" | "fee" | "markup") => sumOf(items.map(({ price }) => price[part]));
  const id = newId();
  const [row] = await ctx.db
    .insert(prepayments)
    .values({
      id,
      clientId: ctx.account.id,
      merchantId: party.merchantId,
      sellerId: party.sellerId ?? null,
      status: "pending",
      automatic,
      grossAmount: sumOf(items.map(({ one }) => one.gross)),
      netAmount: total("net"),
      feeAmount: total("fee"),
      markupAmount: total("markup"),
      ...rates,
      receiptDates: asked.receiptDates ? [...new Set(asked.receiptDates)].sort() : null,
      endDate: asked.endDate ?? null,
      paymentDate,
      expiresAt,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!row) throw new Error("an insert answers its row");
  const rows: ItemRow[] = items.map(({ one, days, price }) => ({
    id: newId(),
    clientId: ctx.account.id,
    prepaymentId: id,
    receivableId: one.id,
    isCommitted: false,
    settlementDate: one.settlementDate,
    daysToAnticipate: days,
    paymentArrangement: one.paymentArrangement,
    grossAmount: one.gross,
    netAmount: price.net,
    feeAmount: price.fee,
    markupAmount: price.markup,
    createdAt: at,
  }));
  await insertMany(ctx.db, prepaymentItems, rows);
  await schedule(ctx, "prepayment.expire", id, new Date(expiresAt.getTime() + 1));
  return { row, items: rows };
}

interface MonthlyRates {
  monthlyRateBps: number;
  markupBps: number;
}

/** Of a seller's plan; null: the default one. */
export async function monthlyRatesOf(ctx: Context, planId: string | null): Promise<MonthlyRates> {
  const [plan] = await ctx.db
    .select({ monthlyRateBps: salePlans.monthlyRateBps, markupBps: salePlans.markupBps })
    .from(salePlans)
    .where(
      and(
        eq(salePlans.clientId, ctx.account.id),
        planId === null ? eq(salePlans.isDefault, true) : eq(salePlans.id, planId),
      ),
    );
  if (!plan) throw new Error("an account without a default plan");
  return plan;
}

/** Unknown or another client's: 404. */
export async function prepaymentAt(ctx: Context, id: string): Promise<Prepayment> {
  const found = await findPrepayment(ctx, id);
  if (!found) throw notFound("prepayment");
  return found;
}

/** Confirmed before, or its window closed. */
export function refuseUnlessOpen({ status, expiresAt }: PrepaymentRow, at: Date): void {
  if (status === "committed" || status === "paid") {
    throw new DomainError("prepayment_not_pending", "the prepayment was confirmed before");
  }
  if (status === "expired" || at > expiresAt) {
    throw new DomainError("prepayment_window_closed", "the time to confirm it is over");
  }
}

/** The same receivables at the same price, once: they are locked until their money comes. */
export async function commit(ctx: Context, id: string): Promise<Prepayment> {
  await refuseUnlessEnabled(ctx);
  const found = await findPrepayment(ctx, id, "update");
  if (!found) throw notFound("prepayment");
  const { row, items } = found;
  const at = now(ctx);
  refuseUnlessOpen(row, at);
  if (row.sellerId !== null && row.merchantId !== null) await holdPositions(ctx, row.merchantId, [row.sellerId]);
  await reserve(ctx, row, items);
  await ctx.db.update(prepaymentItems).set({ isCommitted: true }).where(eq(prepaymentItems.prepaymentId, id));
  const committed = await move(ctx, row, "prepayment.committed", { committedAt: at });
  await unschedule(ctx, "prepayment.expire", id);
  await announcePrepayment(ctx, { row: committed, items });
  return { row: committed, items };
}

/** All of them as they were priced, or none. */
async function reserve(ctx: Context, row: PrepaymentRow, items: readonly ItemRow[]): Promise<void> {
  const at = now(ctx).toISOString();
  const ids = textArray(items.map(({ receivableId }) => receivableId));
  await ctx.db.execute(sql`select 1 from receivables where id = any(${ids}::uuid[])
                         order by charge_id, installment, id for update`);
  const reserved = await ctx.db.execute(sql`
    update receivables r
       set status = ${receivableMachine.next("waiting_funds", "prepayment.committed")}, payment_date = ${row.paymentDate},
           anticipation_fee = i.fee_amount + i.markup_amount, updated_at = ${at}
      from prepayment_items i, charges c
     where i.prepayment_id = ${row.id} and r.id = i.receivable_id and r.status = 'waiting_funds' and c.id = r.charge_id
       and not c.is_dispute and r.original_payment_date > ${row.paymentDate} and ${OPEN} = i.gross_amount
    returning r.id`);
  if ([...reserved].length !== items.length) {
    throw new DomainError("receivables_changed", "the receivables are not what they were when they were priced");
  }
  // A refund stands on the day of what it was taken from (spec/settlement.md 7).
  await ctx.db.execute(sql`
    update receivables set payment_date = ${row.paymentDate}, updated_at = ${at} where reduces = any(${ids}::uuid[])`);
}

async function move(
  ctx: Context,
  row: PrepaymentRow,
  fact: string,
  changes: Partial<Pick<PrepaymentRow, "committedAt" | "paidAt">> = {},
): Promise<PrepaymentRow> {
  const [moved] = await ctx.db
    .update(prepayments)
    .set({ ...changes, status: prepaymentMachine.next(row.status, fact), updatedAt: now(ctx) })
    .where(and(eq(prepayments.id, row.id), eq(prepayments.status, row.status)))
    .returning();
  if (!moved) throw new Error("a locked prepayment moved");
  return moved;
}

export const markPaid = (ctx: Context, row: PrepaymentRow): Promise<PrepaymentRow> =>
  move(ctx, row, "prepayment.paid", { paidAt: now(ctx) });

/** Its time is over, and nobody confirmed it. */
export async function expirePrepayment(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const found = await findPrepayment(inside, id, "update");
    if (found?.row.status !== "pending" || found.row.expiresAt >= now(inside)) return;
    const row = await move(inside, found.row, "prepayment.expired");
    await announcePrepayment(inside, { row, items: found.items });
  });
}
