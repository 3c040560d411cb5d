import { expect, test } from "vitest";
import { shownInstant } from "@/components/emails/words";
import { civilDayText, momentDayText, momentText } from "@/lib/i18n/dates";
import { LOCALES } from "@/lib/i18n/locales";

const AT = new Date("2026-11-28T02:16:00Z");
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const DAYS = { "pt-BR": "27 de nov. de 2026", en: "Nov 27, 2026" };
const MOMENTS = { "pt-BR": "27 de nov. de 2026, 23:16", en: "Nov 27, 2026, 11:16 PM" };

test.each(LOCALES)("in %s a day and a moment are written alike, and are São Paulo's", (locale) => {
  expect([civilDayText(locale, "2026-11-27"), momentDayText(locale, AT)]).toEqual([DAYS[locale], DAYS[locale]]);
  expect([momentText(locale, AT), shownInstant(AT.toISOString(), locale)].map(plain)).toEqual([
    MOMENTS[locale],
    MOMENTS[locale],
  ]);
});
