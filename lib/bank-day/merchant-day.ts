import { type BankDayLook, lookAtDay } from "@/lib/bank-day/look";
import { addDays, type CivilDate, nextBankDay, rollForward, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inOneStatement, inTransaction, now } from "@/lib/context";
import { checkpointing } from "@/lib/ledger/checkpoints";
import { cutBatches } from "@/lib/payouts/cut";
import { settleOwnBatches } from "@/lib/payouts/results";
import { pipelined } from "@/lib/pipeline";
import { anticipate } from "@/lib/prepayments/automatic";
import { payPrepayments } from "@/lib/prepayments/pay";
import { type BankDayMoment, lastBankDayOf, momentOn } from "@/lib/receivables/merchant-day";
import { releaseOfDay } from "@/lib/receivables/release";
import { keepDebts } from "@/lib/sellers/debts";
import { compareSettlement, isSettlementNews, toldThrough } from "@/lib/settlement/compare";
import { keepDay, keepingDay } from "@/lib/settlement/days";
import { checkIdentities, isIdentityNews } from "@/lib/settlement/identities";
import { readStatements } from "@/lib/settlement/statements";

/**
 * A merchant's bank day: one job, which lives each of its moments (spec/settlement.md section 1). Every step asks what is
 * left to do, so that a repeated run finds nothing more and a late one does what was left out. Answers its next moment.
 */
export async function merchantDay(ctx: Context, merchantId: string): Promise<Date> {
  const at = now(ctx);
  const look = await lookAtDay(ctx, merchantId);
  const { isActive, isAnticipating, isPrepaymentDue, isReleaseDue } = look;
  if (isActive) await settle(ctx, merchantId, addDays(saoPauloDay(at), -1), look.statementsThrough);
  if (isPrepaymentDue) await payPrepayments(ctx, merchantId, lastBankDayOf("prepayments", at));
  // Of a day that began with nothing under way nothing is left out: what comes during it is the next day's.
  const cutDay = lastBankDayOf(isActive ? "cut" : "release", at);
  if ((look.cutOn ?? "") < cutDay) {
    // What a release of the last day would not find, one of an earlier day does not either.
    if (isActive && look.cutOn !== null && isReleaseDue) await releaseOfDay(ctx, merchantId, cutDay);
    await cut(ctx, merchantId, cutDay, look);
  }
  if (isReleaseDue) await releaseOfDay(ctx, merchantId, lastBankDayOf("release", at));
  const anticipated = lastBankDayOf("anticipation", at);
  if (isAnticipating && (look.anticipatedOn ?? "") < anticipated) {
    if (isActive) await anticipate(ctx, merchantId, anticipated);
    await inOneStatement(ctx, [keepingDay(ctx, merchantId, "anticipatedOn", anticipated)]);
  }
  const checked = lastBankDayOf("checks", at);
  if (isActive && (look.checkedOn ?? "") < checked) await check(ctx, merchantId, checked);
  return nextMoment(at, momentsOf(look));
}

function momentsOf({ isActive, isAnticipating, isPrepaymentComing }: BankDayLook): BankDayMoment[] {
  // What is sold meanwhile may be paid early on this very day.
  const anticipation = isAnticipating ? (["anticipation"] as const) : [];
  // Without any money under way.
  if (!isActive) return ["release", ...anticipation];
  const prepayments = isPrepaymentComing ? (["prepayments"] as const) : [];
  return ["statements", "release", ...prepayments, "cut", ...anticipation, "checks"];
}

function nextMoment(at: Date, moments: readonly BankDayMoment[]): Date {
  const today = saoPauloDay(at);
  const days = [rollForward(today), nextBankDay(today)];
  const coming = days.flatMap((day) => moments.map((moment) => momentOn(day, moment))).filter((moment) => moment > at);
  return new Date(Math.min(...coming.map((moment) => moment.getTime())));
}

/**
 * Statements of days that are over: of those no line changes any more. The days are kept with what they were compared
 * to: one that nobody compared is read again.
 */
async function settle(ctx: Context, merchantId: string, through: CivilDate, known: CivilDate | null): Promise<void> {
  if (known !== null && known >= through) return;
  const { silent: providers, readable } = await readStatements(ctx, merchantId, through);
  const silent = { providers, since: known };
  const late = { since: known, chargeIds: [] };
  const isWhole = providers.size === 0;
  const isNews = !readable || (await isSettlementNews(ctx, merchantId, through, readable, late, silent));
  if (!isNews) {
    if (isWhole) await inOneStatement(ctx, [keepingDay(ctx, merchantId, "statementsThrough", through)]);
    return;
  }
  await inTransaction(ctx, async (inside) => {
    const settleTold = async (): Promise<void> => {
      const told = await toldThrough(inside, merchantId, through, silent);
      if (told !== null) await settleOwnBatches(inside, merchantId, told);
    };
    await pipelined([compareSettlement(inside, merchantId, through, late, silent), settleTold()]);
    if (isWhole) await keepDay(inside, merchantId, "statementsThrough", through);
  });
}

/** The day is kept of a merchant without money, or without a day before, too: nothing was left out of it. */
async function cut(ctx: Context, merchantId: string, day: CivilDate, look: BankDayLook): Promise<void> {
  const { isActive, isUnbatched, isReleaseDue, isPrepaymentDue, hasPositions, cutOn } = look;
  const isCut = isActive && cutOn !== null && (isUnbatched || isReleaseDue || isPrepaymentDue);
  if (isCut) await cutBatches(ctx, merchantId, day, cutOn);
  // Who is paid for the first time has a position since then.
  if (isActive && (hasPositions || isCut)) {
    await inTransaction(ctx, (inside) =>
      pipelined([keepDebts(inside, merchantId, day), keepDay(inside, merchantId, "cutOn", day)]),
    );
  } else await inOneStatement(ctx, [keepingDay(ctx, merchantId, "cutOn", day)]);
}

async function check(ctx: Context, merchantId: string, day: CivilDate): Promise<void> {
  if (await isIdentityNews(ctx, merchantId))
    await inTransaction(ctx, (inside) => checkIdentities(inside, merchantId, day));
  await inOneStatement(ctx, [checkpointing(ctx, merchantId), keepingDay(ctx, merchantId, "checkedOn", day)]);
}
