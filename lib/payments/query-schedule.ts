import { createHash } from "node:crypto";
import {
  addDays,
  type CivilDate,
  nextBankDay,
  rollForward,
  saoPauloDay,
  saoPauloInstant,
} from "@/lib/brazil/bank-calendar";
import { addSeconds } from "@/lib/time";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** When an attempt without an outcome is asked about, in seconds after the answer before: spec/purchases.md. */
export const QUERY_DELAYS_SECONDS = [
  5,
  15,
  30,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
] as const;
/** Then the charge is under review and only watched. Money that could not be given back is tried again after the same. */
export const WATCH_DELAYS_SECONDS = [
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  ...Array<number>(7).fill(24 * HOUR),
] as const;
const SPREAD = 0.2;
/** Two "not found" answers count only when they are this far apart. */
export const AGREEING_ANSWERS_SECONDS = 60;

export const isReviewDue = (queries: number): boolean => queries >= QUERY_DELAYS_SECONDS.length;

/** The next moment to ask, or undefined when even watching has ended. Spread by the attempt's id, so a run repeats. */
export function nextQueryAt(attemptId: string, queries: number, from: Date): Date | undefined {
  const delays = [...QUERY_DELAYS_SECONDS, ...WATCH_DELAYS_SECONDS];
  const delay = delays[queries];
  if (delay === undefined) return undefined;
  const byte = createHash("sha256").update(`${attemptId}:${queries}`).digest().readUInt8(0);
  return addSeconds(from, delay * (1 - SPREAD + (2 * SPREAD * byte) / 255));
}

/** What waits for its buyer is asked about this long after it was made; then each hour, while it can be paid. */
const OPEN_STEPS_SECONDS = [MINUTE, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE] as const;
/** Banks have told each other of the day before by then; the hour from here on is shared out among all slips. */
const SLIPS_FROM = "09:00:00";

export interface OpenPayment {
  id: string;
  paymentType: string;
  createdAt: Date;
  expiresAt: Date | null;
  /** Of a Pix that the payer's bank is to pay by itself, on the day that its `instruction` names. */
  paymentMethod?: Readonly<Record<string, unknown>>;
}

/**
 * When an unpaid Pix, wallet or boleto is asked about next, whatever notification comes or is lost. Undefined once its
 * end comes first: that is a question of its own.
 */
export function nextOpenQueryAt(payment: OpenPayment, after: Date): Date | undefined {
  const { expiresAt } = payment;
  const at = payment.paymentMethod?.instruction
    ? nextBankQuery(payment, after)
    : payment.paymentType === "boleto"
      ? nextSlipQuery(payment.id, after)
      : nextStep(payment.createdAt, after);
  return expiresAt === null || at < expiresAt ? at : undefined;
}

const LATE_SECONDS = 10 * MINUTE;
/** Paid on its last day, a slip is confirmed on the bank day after: past a weekend and a holiday. */
const LATE_SLIP_SECONDS = 5 * 24 * HOUR;

/**
 * When a closed Pix, wallet or boleto is looked at for the last time: nobody can pay it any more then, and what was paid at
 * the last moment is booked. Undefined once that is past.
 */
export function lastLookAt({ paymentType, expiresAt }: OpenPayment, after: Date): Date | undefined {
  const margin = paymentType === "boleto" ? LATE_SLIP_SECONDS : LATE_SECONDS;
  const at = expiresAt && addSeconds(expiresAt, margin);
  return at && at > after ? at : undefined;
}

function nextStep(createdAt: Date, after: Date): Date {
  const age = (after.getTime() - createdAt.getTime()) / 1000;
  const last = OPEN_STEPS_SECONDS[OPEN_STEPS_SECONDS.length - 1] ?? 0;
  const step = OPEN_STEPS_SECONDS.find((seconds) => seconds > age);
  return addSeconds(createdAt, step ?? last + HOUR * (Math.floor((age - last) / HOUR) + 1));
}

/** Banks pay in the night and try a last time in the evening: each is asked about once it is over, in São Paulo. */
const BANK_TRIES = ["08:15:00", "21:15:00"] as const;

/** Soon after the instruction, whether it was taken; then after each of the bank's hours. */
function nextBankQuery({ createdAt }: OpenPayment, after: Date): Date {
  const first = addSeconds(createdAt, OPEN_STEPS_SECONDS[0]);
  if (first > after) return first;
  const today = saoPauloDay(after);
  const days = [today, addDays(today, 1)];
  const next = days.flatMap((day) => BANK_TRIES.map((time) => saoPauloInstant(day, time))).find((at) => at > after);
  if (!next) throw new RangeError("no hour of a bank within two days");
  return next;
}

function nextSlipQuery(id: string, after: Date): Date {
  const spread = (createHash("sha256").update(id).digest().readUInt16BE(0) / 65_536) * HOUR;
  const on = (day: CivilDate) => addSeconds(saoPauloInstant(day, SLIPS_FROM), Math.floor(spread));
  const today = saoPauloDay(after);
  const first = on(rollForward(today));
  return first > after ? first : on(nextBankDay(today));
}

const MOST_EAGER_SECONDS = 10;
/** The older the payment, the less eagerly: a page left open for a day asks some two hundred times, not thousands. */
const EAGER_SHARE_OF_AGE = 1 / 30;

/** The soonest moment for which a page that waits may move the next question. */
export function eagerQueryAt({ createdAt }: Pick<OpenPayment, "createdAt">, at: Date): Date {
  const age = (at.getTime() - createdAt.getTime()) / 1000;
  return addSeconds(at, Math.max(MOST_EAGER_SECONDS, age * EAGER_SHARE_OF_AGE));
}

/** A question without an answer is asked again after a minute, of an old payment later. */
export function unansweredQueryAt({ createdAt }: Pick<OpenPayment, "createdAt">, at: Date): Date {
  const age = (at.getTime() - createdAt.getTime()) / 1000;
  return addSeconds(at, Math.min(HOUR, Math.max(MINUTE, age / 10)));
}
