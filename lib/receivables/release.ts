import { sql } from "drizzle-orm";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { releasedReceivable } from "@/lib/ledger/journals/settlement";
import { type Draft, post } from "@/lib/ledger/post";
import { pipelined } from "@/lib/pipeline";
import { OPEN } from "@/lib/receivables/giving-back";
import { receivableMachine } from "@/lib/receivables/machine";
import { momentOn } from "@/lib/receivables/merchant-day";

/** Instalments that one transaction releases. */
const BATCH = 1_000;

interface Due extends Record<string, unknown> {
  id: string;
  chargeId: string;
  sellerId: string | null;
  installment: number;
  currency: string;
  open: number;
}

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

/** Of an instalment all parties are released together: they have one journal. */
async function releaseSome(
  ctx: Context,
  merchantId: string,
  day: CivilDate,
  before: Date | undefined,
  after: Place | undefined,
): Promise<Place | undefined> {
  const places = await lockSome(ctx, merchantId, day, before, after);
  if (places.length === 0) return undefined;
  const locked = places.map(({ id }) => id);
  // Read behind the locks: a refund that had one of them has taken its part by now, which no snapshot from before shows.
  const due = [
    ...(await ctx.db.execute<Due>(sql`
      select r.id, r.charge_id as "chargeId", r.seller_id as "sellerId", r.installment, r.currency, ${OPEN}::float8 as open
        from receivables r where r.id = any(${uuids(locked)}::uuid[]) order by r.charge_id, r.installment, r.id`)),
  ];
  await pipelined([post(ctx, draftsOf(merchantId, due)), markPaid(ctx, locked)]);
  return places.reduce((last, place) => (isBehind(last, place) ? place : last));
}

/** Of an instalment in the order in which they are released. */
interface Place {
  paymentDate: string;
  chargeId: string;
  installment: number;
}

const isBehind = (one: Place, other: Place): boolean =>
  one.paymentDate < other.paymentDate ||
  (one.paymentDate === other.paymentDate &&
    (one.chargeId < other.chargeId || (one.chargeId === other.chargeId && one.installment < other.installment)));

async function lockSome(
  { db }: Context,
  merchantId: string,
  day: CivilDate,
  before: Date | undefined,
  after: Place | undefined,
): Promise<(Place & { id: string })[]> {
  const isSold = before ? sql`and created_at < ${before.toISOString()}` : sql``;
  const isNext = after
    ? sql`and (payment_date, charge_id, installment) > (${after.paymentDate}::date, ${after.chargeId}::uuid, ${after.installment}::smallint)`
    : sql``;
  const rows = await db.execute<Place & { id: string } & Record<string, unknown>>(sql`
    select r.id, r.payment_date::text as "paymentDate", r.charge_id as "chargeId", r.installment
      from receivables r join (
      select distinct charge_id, installment from (
        select charge_id, installment from receivables
         where merchant_id = ${merchantId} and status = 'waiting_funds' and payment_date <= ${day} ${isSold} ${isNext}
         order by payment_date, charge_id, installment limit ${BATCH}) first) next
      on next.charge_id = r.charge_id and next.installment = r.installment
     where r.type = 'credit' and r.status = 'waiting_funds' and r.payment_date <= ${day}
     order by r.charge_id, r.installment, r.id for update of r`);
  return [...rows];
}

const uuids = (ids: readonly string[]): string => `{${ids.join(",")}}`;

function draftsOf(merchantId: string, due: readonly Due[]): Draft[] {
  const instalments = new Map<string, [Due, ...Due[]]>();
  for (const one of due) {
    const key = `${one.chargeId}:${one.installment}`;
    const known = instalments.get(key);
    if (known) known.push(one);
    else instalments.set(key, [one]);
  }
  return [...instalments.values()].map((parties) => {
    const [{ chargeId, currency, installment }] = parties;
    const parts = parties.map(({ sellerId, open }) => ({ party: sellerId, amount: open }));
    return releasedReceivable({ merchantId, currency, chargeId }, installment, parts);
  });
}

async function markPaid(ctx: Context, ids: readonly string[]): Promise<void> {
  const at = now(ctx).toISOString();
  await ctx.db.execute(sql`
    update receivables
       set status = ${receivableMachine.next("waiting_funds", "payment_date.reached")}, available_at = ${at}, updated_at = ${at}
     where id = any(${uuids(ids)}::uuid[]) and status = 'waiting_funds'`);
}
