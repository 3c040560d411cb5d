import { addDays, type CivilDate, daysBetween, rollForward, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { civilDayText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";
import type { Cents } from "@/lib/money";
import { moneyText } from "@/lib/payment-documents/words";

/** What a boleto costs more when it is paid late: in cents, or in per cent of its amount (spec/contract.md 8.2). */
export interface LateFee {
  readonly cents: number | null;
  readonly percentage: number | null;
  /** Days after the due date from which it is owed. */
  readonly days: number;
}

export interface LateFees {
  readonly fine: LateFee | null;
  /** For a day in cents, for a month in per cent. */
  readonly interest: LateFee | null;
}

const numberIn = (given: object, name: string): number | null => {
  const value: unknown = Object.getOwnPropertyDescriptor(given, name)?.value;
  return typeof value === "number" && value > 0 ? value : null;
};

function feeIn(given: unknown): LateFee | null {
  if (typeof given !== "object" || given === null) return null;
  const [cents, percentage] = [numberIn(given, "amount"), numberIn(given, "percentage")];
  if (cents === null && percentage === null) return null;
  return { cents, percentage, days: numberIn(given, "days") ?? 0 };
}

export const lateFeesOf = ({ fine, interest }: Readonly<Record<string, unknown>>): LateFees => ({
  fine: feeIn(fine),
  interest: feeIn(interest),
});

const DAYS_A_MONTH = 30;

/** What a sentence calls the day after the due date is the first that anything is owed for. */
const firstDay = ({ days }: LateFee): number => Math.max(1, days);

/**
 * What its payer owes on a day: nothing on top while it may be paid as if it were not due, then the fine once and the
 * interest of each day from its first one, by months of thirty days. The bank that takes the money has the last word.
 */
export function owedOn(amount: Cents, { fine, interest }: LateFees, dueOn: CivilDate, day: CivilDate): Cents {
  if (day <= rollForward(dueOn)) return amount;
  const late = daysBetween(dueOn, day);
  const fined =
    fine && late >= firstDay(fine) ? (fine.cents ?? Math.round((amount * (fine.percentage ?? 0)) / 100)) : 0;
  const days = interest ? Math.max(0, late - firstDay(interest) + 1) : 0;
  const grown =
    interest?.cents == null
      ? Math.round((amount * (interest?.percentage ?? 0) * days) / (100 * DAYS_A_MONTH))
      : interest.cents * days;
  return amount + fined + grown;
}

interface BoletoRow {
  readonly paymentType: string;
  readonly status: string;
  readonly amount: Cents;
  readonly paymentMethod: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export const dueDayOf = ({ paymentMethod: { expiresDate }, createdAt }: BoletoRow): CivilDate =>
  typeof expiresDate === "string" && expiresDate !== "" ? expiresDate : saoPauloDay(createdAt);

/** With fine and interest, of an overdue boleto that may still be paid and on which they are agreed. */
export function owedAt(row: BoletoRow, at: Date): Cents | undefined {
  if (row.paymentType !== "boleto" || row.status !== "pending") return undefined;
  const owed = owedOn(row.amount, lateFeesOf(row.paymentMethod), dueDayOf(row), saoPauloDay(at));
  return owed > row.amount ? owed : undefined;
}

interface PaidBoleto extends BoletoRow {
  readonly originalAmount: Cents;
  readonly capturedAmount: Cents;
  readonly capturedAt: Date | null;
}

/**
 * What was paid on top, where that is the fine and interest of a day it can have been paid on: its confirmation comes
 * later, and only that has a date. Else 0.
 */
export function lateFeesPaid(row: PaidBoleto): Cents {
  const { paymentType, originalAmount, capturedAmount, capturedAt } = row;
  if (paymentType !== "boleto" || capturedAt === null || capturedAmount <= originalAmount) return 0;
  const [fees, dueOn, confirmedOn] = [lateFeesOf(row.paymentMethod), dueDayOf(row), saoPauloDay(capturedAt)];
  for (let day = addDays(rollForward(dueOn), 1); day <= confirmedOn; day = addDays(day, 1))
    if (owedOn(originalAmount, fees, dueOn, day) === capturedAmount) return capturedAmount - originalAmount;
  return 0;
}

interface Sentences {
  after(days: number): string;
  fine(value: string, after: string): string;
  daily(value: string, after: string): string;
  monthly(value: string, after: string): string;
  until(day: string): string;
}

const SENTENCES: Readonly<Record<Locale, Sentences>> = {
  "pt-BR": {
    after: (days) =>
      days > 1 ? `a partir de ${days} dias depois do vencimento` : "a partir do dia seguinte ao vencimento",
    fine: (value, after) => `Multa de ${value} ${after}.`,
    daily: (value, after) => `Juros de ${value} por dia de atraso, ${after}.`,
    monthly: (value, after) => `Juros de ${value} ao mês, ${after}.`,
    until: (day) => `Depois do vencimento, pode ser pago até ${day}.`,
  },
  en: {
    after: (days) => (days > 1 ? `from ${days} days after the due date` : "from the day after the due date"),
    fine: (value, after) => `Fine of ${value} ${after}.`,
    daily: (value, after) => `Interest of ${value} for each day of delay, ${after}.`,
    monthly: (value, after) => `Interest of ${value} a month, ${after}.`,
    until: (day) => `After the due date it can be paid until ${day}.`,
  },
};

const MOST_DECIMALS = 4;

/** One sentence each, for the page, the paper and the e-mails alike; with them the last day, where it is told. */
export function lateFeeLines({ fine, interest }: LateFees, locale: Locale, until?: CivilDate): string[] {
  const words = SENTENCES[locale];
  const written = ({ cents, percentage }: LateFee): string =>
    cents === null
      ? new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: MOST_DECIMALS }).format(
          (percentage ?? 0) / 100,
        )
      : moneyText(locale, cents);
  return [
    ...(fine ? [words.fine(written(fine), words.after(fine.days))] : []),
    ...(interest
      ? [words[interest.cents === null ? "monthly" : "daily"](written(interest), words.after(interest.days))]
      : []),
    ...(until && (fine ?? interest) ? [words.until(civilDayText(locale, until))] : []),
  ];
}
