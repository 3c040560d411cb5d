import { type CivilDate, isBankDay, nextBankDay, saoPauloDay, saoPauloInstant } from "@/lib/brazil/bank-calendar";

const CLOSES_AT = "15:00:00";

export interface PrepaymentWindow {
  /** Until then, to the millisecond, a simulation can be committed. */
  expiresAt: Date;
  /** When its money comes. */
  paymentDate: CivilDate;
}

/** Simulated up to 15:00 of a bank day it is for that day; later, or on another day, for the next bank day. */
export function windowAt(at: Date): PrepaymentWindow {
  const today = saoPauloDay(at);
  const isToday = isBankDay(today) && at <= saoPauloInstant(today, CLOSES_AT);
  const day = isToday ? today : nextBankDay(today);
  return { expiresAt: saoPauloInstant(day, CLOSES_AT), paymentDate: nextBankDay(day) };
}
