import type { Locale } from "@/lib/i18n/locales";

/** Days and times as payers and shops read them, on pages, in e-mails and on paper alike: São Paulo's, in one form. */

const ZONE = "America/Sao_Paulo";

const kept = new Map<string, Intl.DateTimeFormat>();
/** Making one takes longer than using it. */
function format(locale: Locale, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${name}`;
  const known = kept.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  kept.set(key, made);
  return made;
}

/** The day of a moment. */
export const momentDayText = (locale: Locale, at: Date): string =>
  format(locale, "day", { dateStyle: "medium", timeZone: ZONE }).format(at);

export const timeText = (locale: Locale, at: Date): string =>
  format(locale, "time", { timeStyle: "short", timeZone: ZONE }).format(at);

export const momentText = (locale: Locale, at: Date): string =>
  format(locale, "moment", { dateStyle: "medium", timeStyle: "short", timeZone: ZONE }).format(at);

/** A calendar day, `2026-11-27`, whatever the zone. */
export const civilDayText = (locale: Locale, day: string): string =>
  format(locale, "civil", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
