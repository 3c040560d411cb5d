import { sql } from "drizzle-orm";
import { addDays, type CivilDate, nextBankDay, rollForward, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { checkpoint } from "@/lib/ledger/checkpoints";
import { cutBatches } from "@/lib/payouts/cut";
import { settleOwnBatches } from "@/lib/payouts/results";
import { anticipate, hasPolicies } from "@/lib/prepayments/automatic";
import { payPrepayments } from "@/lib/prepayments/pay";
import { type BankDayMoment, lastBankDayOf, momentOn } from "@/lib/receivables/merchant-day";
import { releaseOfDay } from "@/lib/receivables/release";
import { keepDebts } from "@/lib/sellers/debts";
import { compareSettlement, toldThrough } from "@/lib/settlement/compare";
import { daysOf, keepDay } from "@/lib/settlement/days";
import { checkIdentities } from "@/lib/settlement/identities";
import { readStatements } from "@/lib/settlement/statements";

/**
 * A merchant's bank day: one job, which lives each of its moments (spec/settlement.md section 1). Every step asks what is
 * left to do, so that a repeated run finds nothing more and a late one does what was left out.
 */
export async function merchantDay(ctx: Context, merchantId: string): Promise<void> {
  const at = now(ctx);
  const { isActive, isAnticipating, ...known } = await inTransaction(ctx, async (inside) => ({
    isActive: await hasMoneyUnderWay(inside, merchantId),
    isAnticipating: await hasPolicies(inside, merchantId),
    ...(await daysOf(inside, merchantId)),
  }));
  if (isActive) await settle(ctx, merchantId, addDays(saoPauloDay(at), -1), known.statementsThrough);
  await payPrepayments(ctx, merchantId, lastBankDayOf("prepayments", at));
  // Of a day that began with nothing under way nothing is left out: what comes during it is the next day's.
  const cutDay = lastBankDayOf(isActive ? "cut" : "release", at);
  if ((known.cutOn ?? "") < cutDay) await cut(ctx, merchantId, cutDay, known.cutOn, isActive);
  await releaseOfDay(ctx, merchantId, lastBankDayOf("release", at));
  const anticipated = lastBankDayOf("anticipation", at);
  if (isAnticipating && (known.anticipatedOn ?? "") < anticipated) {
    if (isActive) await anticipate(ctx, merchantId, anticipated);
    await inTransaction(ctx, (inside) => keepDay(inside, merchantId, { anticipatedOn: anticipated }));
  }
  const checked = lastBankDayOf("checks", at);
  if (isActive && (known.checkedOn ?? "") < checked) await check(ctx, merchantId, checked);
  // What is sold meanwhile may be paid early on this very day.
  const moments = [...(isActive ? MOMENTS : QUIET), ...(isAnticipating ? (["anticipation"] as const) : [])];
  const next = nextMoment(at, moments);
  await inTransaction(ctx, (inside) => schedule(inside, "merchant.day", merchantId, next));
}

const MOMENTS: readonly BankDayMoment[] = ["statements", "release", "prepayments", "cut", "checks"];
/** Of a merchant without any money under way. */
const QUIET: readonly BankDayMoment[] = ["release"];

function nextMoment(at: Date, moments: readonly BankDayMoment[]): Date {
  const today = saoPauloDay(at);
  const days = [rollForward(today), nextBankDay(today)];
  const coming = days.flatMap((day) => moments.map((moment) => momentOn(day, moment))).filter((moment) => moment > at);
  return new Date(Math.min(...coming.map((moment) => moment.getTime())));
}

/** Statements of days that are over: of those no line changes any more. */
async function settle(ctx: Context, merchantId: string, through: CivilDate, known: CivilDate | null): Promise<void> {
  if (known !== null && known >= through) return;
  const silent = { providers: await readStatements(ctx, merchantId, through), since: known };
  await inTransaction(ctx, async (inside) => {
    await compareSettlement(inside, merchantId, through, undefined, silent);
    const told = await toldThrough(inside, merchantId, through, silent);
    if (told !== null) await settleOwnBatches(inside, merchantId, told);
  });
}

/** The day is kept of a merchant without money, or without a day before, too: nothing was left out of it. */
async function cut(ctx: Context, merchantId: string, day: CivilDate, after: CivilDate | null, isActive: boolean) {
  if (isActive && after !== null) {
    await releaseOfDay(ctx, merchantId, day);
    await cutBatches(ctx, merchantId, day, after);
  }
  await inTransaction(ctx, async (inside) => {
    if (isActive) await keepDebts(inside, merchantId, day);
    await keepDay(inside, merchantId, { cutOn: day });
  });
}

async function check(ctx: Context, merchantId: string, day: CivilDate): Promise<void> {
  await inTransaction(ctx, (inside) => checkpoint(inside, merchantId));
  await inTransaction(ctx, async (inside) => {
    await checkIdentities(inside, merchantId, day);
    await keepDay(inside, merchantId, { checkedOn: day });
  });
}

/** Money that still has a day before it, or had one lately. */
async function hasMoneyUnderWay({ db }: Context, merchantId: string): Promise<boolean> {
  const rows = await db.execute(sql`
    select 1 where exists (select from receivables where merchant_id = ${merchantId} and status = 'waiting_funds')
      or exists (select from receivables where merchant_id = ${merchantId} and batch_id is null and available_at is not null)
      or exists (select from payout_batches where merchant_id = ${merchantId} and status = 'pending')
      or exists (select from seller_adjustments where merchant_id = ${merchantId} and batch_id is null)
      or exists (select from seller_positions where merchant_id = ${merchantId} and debt_since is not null)
      or exists (select from receivables where merchant_id = ${merchantId} and type = 'credit'
                  and original_payment_date >= (
                    select coalesce(max(statements_through), '0001-01-01') from merchant_days
                     where merchant_id = ${merchantId}))`);
  return [...rows].length > 0;
}
