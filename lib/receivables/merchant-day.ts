import {
  addDays,
  type CivilDate,
  isBankDay,
  nextBankDay,
  saoPauloDay,
  saoPauloInstant,
} from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";

/** Moments of a merchant's bank day, São Paulo time (spec/settlement.md section 1). */
export const BANK_DAY = {
  statements: "00:05:00",
  release: "05:00:00",
  prepayments: "05:30:00",
  cut: "06:00:00",
  transfers: "06:30:00",
  anticipation: "14:00:00",
  lastTransfers: "17:00:00",
  checks: "23:30:00",
} as const;
export type BankDayMoment = keyof typeof BANK_DAY;

export const momentOn = (day: CivilDate, moment: BankDayMoment): Date => saoPauloInstant(day, BANK_DAY[moment]);

/** The last bank day on which this moment had come by then. */
export function lastBankDayOf(moment: BankDayMoment, at: Date): CivilDate {
  let day = saoPauloDay(at);
  while (!isBankDay(day) || momentOn(day, moment) > at) day = addDays(day, -1);
  return day;
}

/** The first run of a new merchant. */
export const beginMerchantDays = (ctx: Context, merchantId: string): Promise<void> =>
  schedule(ctx, "merchant.day", merchantId, momentOn(nextBankDay(lastBankDayOf("release", now(ctx))), "release"));
