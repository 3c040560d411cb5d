import { sql } from "drizzle-orm";
import { type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { ownPrepaid, prepaid } from "@/lib/ledger/journals/prepayment";
import { type Draft, post } from "@/lib/ledger/post";
import { providerCall, shortCallMs } from "@/lib/payments/call";
import { providerById } from "@/lib/payments/routing/provider";
import { announcePrepayment } from "@/lib/prepayments/events";
import { findPrepayment, type PrepaymentRow } from "@/lib/prepayments/queries";
import { markPaid } from "@/lib/prepayments/service";
import { providerFor } from "@/lib/providers/registry";
import type { EarlyPayment } from "@/lib/providers/statements";
import { receivableAccountOf } from "@/lib/receivables/arrangement";

/** Pays what was committed for days up to this one, of a merchant's sellers and of the account itself; each once. */
export async function payPrepayments(ctx: Context, merchantId: string, day: CivilDate): Promise<void> {
  const due = await inTransaction(ctx, (inside) => dueBy(inside, merchantId, day));
  for (const id of due) {
    if (await isTold(ctx, id)) await inTransaction(ctx, (inside) => pay(inside, id));
  }
}

interface Told extends Record<string, unknown>, EarlyPayment {
  providerId: string;
}

/** Of the account's own, its acquirers are told before anything is booked; one that does not answer is told again. */
async function isTold(ctx: Context, id: string): Promise<boolean> {
  const payments = await inTransaction(ctx, (inside) => toTell(inside, id));
  for (const providerId of new Set(payments.map((one) => one.providerId))) {
    const provider = await inTransaction(ctx, (inside) => providerById(inside, providerId));
    const { payEarly } = providerFor(provider.kind);
    if (!payEarly) throw new Error(`${provider.kind} pays nothing early`);
    const own = payments
      .filter((one) => one.providerId === providerId)
      .map(({ providerId: _provider, ...payment }): EarlyPayment => payment);
    if ((await payEarly(providerCall(ctx, provider, shortCallMs()), own)).kind === "unavailable") return false;
  }
  return true;
}

/** Told late, it is paid on that day: statements of days that are over never change. */
async function toTell(ctx: Context, id: string): Promise<Told[]> {
  const rows = await ctx.db.execute<Told>(sql`
    select c.provider_id as "providerId", c.provider_tx_id as "providerTxId", r.installment as instalment,
           i.gross_amount::float8 as amount, (i.fee_amount + i.markup_amount)::float8 as cost,
           greatest(p.payment_date, ${saoPauloDay(now(ctx))}::date)::text as "paidOn"
      from prepayments p join prepayment_items i on i.prepayment_id = p.id join receivables r on r.id = i.receivable_id
      join charges c on c.id = r.charge_id
     where p.id = ${id} and p.seller_id is null order by r.id`);
  return [...rows];
}

/** Whether `payPrepayments` would find any; `who` is the client. */
export const isPrepaymentDue = (merchantId: string, day: CivilDate) => sql`
  exists (select from prepayments p
           where p.client_id = who.client_id and (p.merchant_id = ${merchantId} or p.merchant_id is null)
             and p.status = 'committed' and p.payment_date <= ${day})`;

async function dueBy({ db, account }: Context, merchantId: string, day: CivilDate): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select id from prepayments
     where client_id = ${account.id} and (merchant_id = ${merchantId} or merchant_id is null) and status = 'committed'
       and payment_date <= ${day}
     order by id`);
  return [...rows].map(({ id }) => id);
}

interface Item extends Record<string, unknown> {
  receivableId: string;
  merchantId: string;
  chargeId: string;
  currency: string;
  paymentMethod: string;
  arrangement: string | null;
  net: number;
  fee: number;
  markup: number;
}

/** What paying it books. */
export async function prepaymentDrafts(
  ctx: Context,
  { id, sellerId }: Pick<PrepaymentRow, "id" | "sellerId">,
): Promise<Draft[]> {
  const items = await ctx.db.execute<Item>(sql`
    select r.id as "receivableId", r.merchant_id as "merchantId", r.charge_id as "chargeId", r.currency,
           r.payment_method as "paymentMethod", r.payment_arrangement as arrangement, i.net_amount::float8 as net,
           i.fee_amount::float8 as fee, i.markup_amount::float8 as markup
      from prepayment_items i join receivables r on r.id = i.receivable_id
     where i.prepayment_id = ${id} order by r.charge_id, r.installment, r.id for update of r`);
  return [...items].map((item): Draft => {
    const { merchantId, chargeId, currency, receivableId, net, fee, markup } = item;
    const subject = { merchantId, chargeId, currency };
    if (sellerId !== null) return prepaid(subject, { id, receivableId, sellerId, net, fee, markup });
    const owedIn = item.arrangement ?? receivableAccountOf(item.paymentMethod, undefined);
    return ownPrepaid(subject, owedIn, { id, receivableId, net, fee, markup });
  });
}

async function pay(ctx: Context, id: string): Promise<void> {
  const found = await findPrepayment(ctx, id, "update");
  if (found?.row.status !== "committed") return;
  await post(ctx, await prepaymentDrafts(ctx, found.row));
  const at = now(ctx).toISOString();
  await ctx.db.execute(sql`
    update receivables set available_at = ${at}, updated_at = ${at}
     where status = 'prepaid' and available_at is null
       and id in (select receivable_id from prepayment_items where prepayment_id = ${id})`);
  await announcePrepayment(ctx, { row: await markPaid(ctx, found.row), items: found.items });
}
