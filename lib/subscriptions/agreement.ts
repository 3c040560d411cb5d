import type { SessionSubscription } from "@/db/schema/sessions";
import { addDays, type CivilDate } from "@/lib/brazil/bank-calendar";
import { intervalsAfter } from "@/lib/subscriptions/calendar";

export interface AgreedDays {
  /** Of the first charge. */
  startAt: CivilDate;
  trialEndAt: CivilDate | null;
  /** Of the charge after the first; null where there is none. */
  nextOn: CivilDate | null;
}

/** What a buyer who subscribes on this UTC day agrees to. */
export function daysFrom({ interval, cycles, trial }: SessionSubscription, today: CivilDate): AgreedDays {
  const trialEndAt = trial ? addDays(today, trial.days) : null;
  const startAt = trialEndAt ?? today;
  return { startAt, trialEndAt, nextOn: cycles === 1 ? null : intervalsAfter(startAt, interval, 1) };
}
