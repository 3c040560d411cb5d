import { sql } from "drizzle-orm";
import { isAnyOf } from "@/db/is-any-of";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { receivableMachine } from "@/lib/receivables/machine";
import { momentOn } from "@/lib/receivables/merchant-day";
import { postReleases, type Released } from "@/lib/receivables/post-releases";

/** Instalments that one transaction releases. */
const BATCH = 2_000;

/**
 * Releases everything of a merchant with a payment date up to `day`; repeated, it finds nothing more. What was sold at
 * `before` or later is left to the next day.
 */
export async function releaseDue(ctx: Context, merchantId: string, day: CivilDate, before?: Date): Promise<void> {
  let last: Place | undefined;
  for (;;) {
    // From where the batch before ended: what is released leaves its entries in the index for a while. Then once more
    // from the beginning, for what has come meanwhile.
    const after: Place | undefined = last;
    last = await inTransaction(ctx, (inside) => releaseSome(inside, merchantId, day, before, after));
    if (!last && !after) return;
  }
}

/** As 05:00 of a bank day found it, however late that is lived. */
export const releaseOfDay = (ctx: Context, merchantId: string, day: CivilDate): Promise<void> =>
  releaseDue(ctx, merchantId, day, momentOn(day, "release"));

/** Whether `releaseDue` would find anything; `who` is the client. */
export const isReleaseDue = (merchantId: string, day: CivilDate, before: Date) =>
  isAnyOf(sql`receivables r
    where r.client_id = who.client_id and r.merchant_id = ${merchantId} and r.status = 'waiting_funds'
      and r.payment_date <= ${day} and r.created_at < ${before.toISOString()} order by r.payment_date`);

/** Of an instalment all parties are released together: they have one journal. */
async function releaseSome(
  ctx: Context,
  merchantId: string,
  day: CivilDate,
  before: Date | undefined,
  after: Place | undefined,
): Promise<Place | undefined> {
  const released = await markPaid(ctx, merchantId, day, before, after);
  // Another statement, which reads behind the locks of the first: a refund that had one of them has taken its part by
  // now, which no snapshot from before shows.
  if (released) await postReleases(ctx, { merchantId, ...released });
  return released;
}

/** Of an instalment in the order in which they are released. */
interface Place {
  paymentDate: string;
  chargeId: string;
  installment: number;
}

type Marked = Place & Omit<Released, "merchantId">;

/** Locked before any is marked, and in the order in which refunds lock them. */
async function markPaid(
  ctx: Context,
  merchantId: string,
  day: CivilDate,
  before: Date | undefined,
  after: Place | undefined,
): Promise<Marked | undefined> {
  const at = now(ctx).toISOString();
  const isSold = before ? sql`and created_at < ${before.toISOString()}` : sql``;
  const isNext = after
    ? sql`and (payment_date, charge_id, installment) > (${after.paymentDate}::date, ${after.chargeId}::uuid, ${after.installment}::smallint)`
    : sql``;
  const [marked] = await ctx.db.execute<Marked & Record<string, unknown>>(sql`
    with held as (
      select r.id from receivables r join (
        select distinct charge_id, installment from (
          select charge_id, installment from receivables
           where merchant_id = ${merchantId} and status = 'waiting_funds' and payment_date <= ${day} ${isSold} ${isNext}
           order by payment_date, charge_id, installment limit ${BATCH}) first) next
        on next.charge_id = r.charge_id and next.installment = r.installment
       where r.type = 'credit' and r.status = 'waiting_funds' and r.payment_date <= ${day}
       order by r.charge_id, r.installment, r.id for update of r),
    paid as (
      update receivables r
         set status = ${receivableMachine.next("waiting_funds", "payment_date.reached")}, available_at = ${at}, updated_at = ${at}
        from held where r.id = held.id and r.status = 'waiting_funds'
      returning r.id, r.payment_date, r.charge_id, r.installment, r.seller_id, r.currency)
    select last.payment_date::text as "paymentDate", last.charge_id as "chargeId", last.installment,
           (select array_agg(id)::text from paid) as ids, (select count(*)::int from paid) as count,
           (select json_agg(party) from (select distinct seller_id as "sellerId", currency from paid) party) as parties
      from (select * from paid order by payment_date desc, charge_id desc, installment desc limit 1) last`);
  return marked;
}
