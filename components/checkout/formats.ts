import { momentDayText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";

const CENTS_PER_UNIT = 100;

const kept = new Map<string, Intl.NumberFormat>();

export function money(locale: Locale, cents: number, currency: string): string {
  const key = `${locale} ${currency}`;
  const format = kept.get(key) ?? new Intl.NumberFormat(locale, { style: "currency", currency });
  kept.set(key, format);
  return format.format(cents / CENTS_PER_UNIT);
}

const LINE_GROUPS = /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/;
/** The 47 digits of a boleto, as they are read and typed. */
export const groupedLine = (line: string): string => line.replace(LINE_GROUPS, "$1.$2 $3.$4 $5.$6 $7 $8");

export const isSameDay = (a: Date, b: Date): boolean => momentDayText("en", a) === momentDayText("en", b);
