import {
  addDays,
  type CivilDate,
  isBankDay,
  nextBankDay,
  saoPauloDay,
  saoPauloInstant,
} from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { checkpoint } from "@/lib/ledger/checkpoints";
import { releaseDue } from "@/lib/receivables/release";

/** The bank day of a merchant, São Paulo time (spec/settlement.md section 1). */
const RELEASE_AT = "05:00:00";

const releaseOn = (day: CivilDate): Date => saoPauloInstant(day, RELEASE_AT);

/** Releases what has fallen due, and comes again on the next bank day. A run that is late does what the last one should have. */
export async function merchantDay(ctx: Context, merchantId: string): Promise<void> {
  const day = lastRelease(now(ctx));
  await releaseDue(ctx, merchantId, day);
  await inTransaction(ctx, (inside) => checkpoint(inside, merchantId));
  await inTransaction(ctx, (inside) => schedule(inside, "merchant.day", merchantId, releaseOn(nextBankDay(day))));
}

/** The first run of a new merchant. */
export const beginMerchantDays = (ctx: Context, merchantId: string): Promise<void> =>
  schedule(ctx, "merchant.day", merchantId, releaseOn(nextBankDay(lastRelease(now(ctx)))));

/** The last bank day whose release was due by then. */
function lastRelease(at: Date): CivilDate {
  let day = saoPauloDay(at);
  while (!isBankDay(day) || releaseOn(day) > at) day = addDays(day, -1);
  return day;
}
