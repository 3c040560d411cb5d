import type { Locale } from "@/lib/i18n/locales";
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

interface Sentences {
  after(days: number): string;
  fine(value: string, after: string): string;
  daily(value: string, after: string): string;
  monthly(value: string, after: string): string;
}

const SENTENCES: Readonly<Record<Locale, Sentences>> = {
  "pt-BR": {
    after: (days) =>
      days > 1 ? `a partir de ${days} dias depois do vencimento` : "a partir do dia seguinte ao vencimento",
    fine: (value, after) => `Multa de ${value} ${after}.`,
    daily: (value, after) => `Juros de ${value} por dia de atraso, ${after}.`,
    monthly: (value, after) => `Juros de ${value} ao mês, ${after}.`,
  },
  en: {
    after: (days) => (days > 1 ? `from ${days} days after the due date` : "from the day after the due date"),
    fine: (value, after) => `Fine of ${value} ${after}.`,
    daily: (value, after) => `Interest of ${value} for each day of delay, ${after}.`,
    monthly: (value, after) => `Interest of ${value} a month, ${after}.`,
  },
};

const MOST_DECIMALS = 4;

/** One sentence each, for the page and the paper alike. */
export function lateFeeLines({ fine, interest }: LateFees, locale: Locale): string[] {
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
  ];
}
