import { lookAtDay } from "@/lib/bank-day/look";
import { addDays, type CivilDate, nextBankDay, rollForward, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inOneStatement, inTransaction, now } from "@/lib/context";
import { scheduling } from "@/lib/due-jobs/schedule";
import { checkpoint } from "@/lib/ledger/checkpoints";
import { cutBatches } from "@/lib/payouts/cut";
import { settleOwnBatches } from "@/lib/payouts/results";
import { pipelined } from "@/lib/pipeline";
import { anticipate } from "@/lib/prepayments/automatic";
import { payPrepayments } from "@/lib/prepayments/pay";
import { type BankDayMoment, lastBankDayOf, momentOn } from "@/lib/receivables/merchant-day";
import { releaseOfDay } from "@/lib/receivables/release";
import { keepDebts } from "@/lib/sellers/debts";
import { compareSettlement, toldThrough } from "@/lib/settlement/compare";
import { keepDay } from "@/lib/settlement/days";
import { checkIdentities } from "@/lib/settlement/identities";
import { readStatements } from "@/lib/settlement/statements";

/**
 * A merchant's bank day: one job, which lives each of its moments (spec/settlement.md section 1). Every step asks what is
 * left to do, so that a repeated run finds nothing more and a late one does what was left out.
 */
export async function merchantDay(ctx: Context, merchantId: string): Promise<void> {
  const at = now(ctx);
  const { isActive, isAnticipating, isPrepaymentDue, isReleaseDue, ...known } = await lookAtDay(ctx, merchantId);
  if (isActive) await settle(ctx, merchantId, addDays(saoPauloDay(at), -1), known.statementsThrough);
  if (isPrepaymentDue) await payPrepayments(ctx, merchantId, lastBankDayOf("prepayments", at));
  // Of a day that began with nothing under way nothing is left out: what comes during it is the next day's.
  const cutDay = lastBankDayOf(isActive ? "cut" : "release", at);
  if ((known.cutOn ?? "") < cutDay) {
    // What a release of the last day would not find, one of an earlier day does not either.
    if (isActive && known.cutOn !== null && isReleaseDue) await releaseOfDay(ctx, merchantId, cutDay);
    await cut(ctx, merchantId, cutDay, known.cutOn, isActive);
  }
  if (isReleaseDue) await releaseOfDay(ctx, merchantId, lastBankDayOf("release", at));
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
  await inOneStatement(ctx, scheduling(ctx, "merchant.day", merchantId, next));
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
    const settleTold = async (): Promise<void> => {
      const told = await toldThrough(inside, merchantId, through, silent);
      if (told !== null) await settleOwnBatches(inside, merchantId, told);
    };
    await pipelined([compareSettlement(inside, merchantId, through, undefined, silent), settleTold()]);
  });
}

/** The day is kept of a merchant without money, or without a day before, too: nothing was left out of it. */
async function cut(ctx: Context, merchantId: string, day: CivilDate, after: CivilDate | null, isActive: boolean) {
  if (isActive && after !== null) await cutBatches(ctx, merchantId, day, after);
  await inTransaction(ctx, (inside) =>
    pipelined([isActive && keepDebts(inside, merchantId, day), keepDay(inside, merchantId, { cutOn: day })]),
  );
}

async function check(ctx: Context, merchantId: string, day: CivilDate): Promise<void> {
  await inTransaction(ctx, (inside) => checkpoint(inside, merchantId));
  await inTransaction(ctx, (inside) =>
    pipelined([checkIdentities(inside, merchantId, day), keepDay(inside, merchantId, { checkedOn: day })]),
  );
}
