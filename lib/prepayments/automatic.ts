import { sql } from "drizzle-orm";
import type { SellerTransferPolicy } from "@/db/schema/sellers";
import { addDays, type CivilDate, rollForward, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { sumOf } from "@/lib/money";
import { type Free, freeReceivables } from "@/lib/prepayments/free";
import { isPrepaymentOn, monthlyRatesOf, prepayByPolicy, pricesOf } from "@/lib/prepayments/service";
import { windowAt } from "@/lib/prepayments/window";
import { OPEN } from "@/lib/receivables/giving-back";

/** The longest holiday by which a listed day is rolled forward. */
const LOOKED_BACK = 7;
/** More than one prepayment holds waits for the next day. */
const MOST_FREE = 20_000;

/** Of a seller `s`. */
const HAS_POLICY = sql`s.deleted_at is null and (s.transfer_policy ->> 'automaticAnticipationEnabled')::boolean`;

/**
 * Whether any seller of the merchant lets its receivables be paid early by themselves; `who` is the client. One that is
 * held counts: should the hold be lifted, the moment is there.
 */
export const isAnticipating = (merchantId: string) => sql`
  exists (select from sellers s where s.client_id = who.client_id and s.merchant_id = ${merchantId} and ${HAS_POLICY})`;

/** Of a seller `s`; one whose payouts are held would pay for money that it does not get. */
const ASKS = sql`${HAS_POLICY} and s.status in ('active', 'partial')
  and not exists (select from payout_holds h where h.seller_id = s.id and h.lifted_at is null)`;

/**
 * On a bank day at 14:00, for each seller whose policy says so (spec/settlement.md section 5). Repeated, it finds the
 * receivables of the first time taken.
 */
export async function anticipate(ctx: Context, merchantId: string, day: CivilDate): Promise<void> {
  const asking = await inTransaction(ctx, async (inside) => {
    if (!(await isPrepaymentOn(inside))) return [];
    const rows = await inside.db.execute<Asking>(sql`
      select s.id, s.plan_id as "planId", s.transfer_policy as policy from sellers s
       where s.client_id = ${ctx.account.id} and s.merchant_id = ${merchantId} and ${ASKS} order by s.id`);
    return [...rows];
  });
  for (const seller of asking) {
    try {
      await inTransaction(ctx, (inside) => anticipateFor(inside, seller, day));
    } catch (thrown) {
      // A refund or a dispute came between: what is still free is asked for on the next day.
      if (!(thrown instanceof DomainError)) throw thrown;
    }
  }
}

interface Asking extends Record<string, unknown> {
  id: string;
  planId: string | null;
  policy: SellerTransferPolicy;
}

async function anticipateFor(ctx: Context, { id: sellerId, planId, policy }: Asking, day: CivilDate): Promise<void> {
  const { paymentDate } = windowAt(now(ctx));
  const waiting = await freeReceivables(ctx, sellerId, paymentDate, {}, MOST_FREE);
  if (waiting.length === 0) return;
  // An oldest one of a cent, which nothing would be left of, would otherwise be all that a small percentage asks for.
  const free = pricesOf(await monthlyRatesOf(ctx, planId), paymentDate, waiting).map(({ one }) => one);
  const chosen =
    policy.automaticAnticipationType === "1025"
      ? await captured(ctx, free, policy, day)
      : await upToVolume(ctx, sellerId, free, policy, paymentDate);
  if (chosen.length > 0) await prepayByPolicy(ctx, sellerId, chosen);
}

const numbersIn = (text: string | undefined): number[] => text?.match(/\d+/g)?.map(Number) ?? [];

/** On the listed days, those rolled forward to this one included: what was captured so many days ago. */
async function captured(
  { db }: Context,
  free: readonly Free[],
  { automaticAnticipationDays, automaticAnticipation1025Delay: delay = "0" }: SellerTransferPolicy,
  day: CivilDate,
): Promise<Free[]> {
  const listed = numbersIn(automaticAnticipationDays);
  const due = Array.from({ length: LOOKED_BACK }, (_, back) => addDays(day, -back)).filter(
    (candidate) => rollForward(candidate) === day,
  );
  if (!due.some((candidate) => listed.includes(Number(candidate.slice(8))))) return [];
  const ids = JSON.stringify(free.map(({ id }) => id));
  const rows = await db.execute<{ id: string; at: Date | string }>(sql`
    select r.id, c.captured_at as at from receivables r join charges c on c.id = r.charge_id
     where r.id in (select json_array_elements_text(${ids}::json)::uuid) and c.captured_at is not null`);
  const latest = addDays(day, -Number(delay));
  const old = new Set([...rows].filter(({ at }) => saoPauloDay(new Date(at)) <= latest).map(({ id }) => id));
  return free.filter(({ id }) => old.has(id));
}

/** The oldest first, until what is paid early is that part of all that could be; both before the price of it. */
async function upToVolume(
  { db, account }: Context,
  sellerId: string,
  free: readonly Free[],
  { anticipatableVolumePercentage = "100" }: SellerTransferPolicy,
  paymentDate: CivilDate,
): Promise<Free[]> {
  const [row] = await db.execute<{ early: number }>(sql`
    select coalesce(sum(${OPEN} + r.anticipation_fee), 0)::float8 as early from receivables r
     where r.client_id = ${account.id} and r.seller_id = ${sellerId} and r.type = 'credit' and r.status = 'prepaid'
       and r.original_payment_date > ${paymentDate}`);
  let early = row?.early ?? 0;
  const all = early + sumOf(free.map(({ gross }) => gross));
  const chosen: Free[] = [];
  for (const one of free) {
    if (early * 100 >= all * Number(anticipatableVolumePercentage)) break;
    early += one.gross;
    chosen.push(one);
  }
  return chosen;
}
