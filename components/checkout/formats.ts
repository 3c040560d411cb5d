import type { Locale } from "@/lib/i18n/locales";

const ZONE = "America/Sao_Paulo";
const CENTS_PER_UNIT = 100;

interface Formats {
  money: Map<string, Intl.NumberFormat>;
  day: Intl.DateTimeFormat;
  time: Intl.DateTimeFormat;
  civil: Intl.DateTimeFormat;
}

const kept = new Map<Locale, Formats>();

function formatsOf(locale: Locale): Formats {
  const known = kept.get(locale);
  if (known) return known;
  const made = {
    money: new Map<string, Intl.NumberFormat>(),
    day: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: ZONE }),
    time: new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: ZONE }),
    civil: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }),
  };
  kept.set(locale, made);
  return made;
}

export function money(locale: Locale, cents: number, currency: string): string {
  const { money: formats } = formatsOf(locale);
  const format = formats.get(currency) ?? new Intl.NumberFormat(locale, { style: "currency", currency });
  formats.set(currency, format);
  return format.format(cents / CENTS_PER_UNIT);
}

/** Days and times are São Paulo's. */
export const momentDayText = (locale: Locale, at: Date): string => formatsOf(locale).day.format(at);
export const timeText = (locale: Locale, at: Date): string => formatsOf(locale).time.format(at);
/** A calendar day, `2026-11-27`, in words. */
export const civilDayText = (locale: Locale, day: string): string =>
  formatsOf(locale).civil.format(new Date(`${day}T00:00:00Z`));
const LINE_GROUPS = /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/;
/** The 47 digits of a boleto, as they are read and typed. */
export const groupedLine = (line: string): string => line.replace(LINE_GROUPS, "$1.$2 $3.$4 $5.$6 $7 $8");

export const isSameDay = (a: Date, b: Date): boolean => momentDayText("en", a) === momentDayText("en", b);
