import type { Locale } from "@/lib/i18n/locales";
import { cityOf, type TimeZone } from "@/lib/i18n/time-zones";
import { realNow } from "@/lib/time";

/** The zone's name and how far it is from UTC today, as people know it. */
export function zoneWords(zone: TimeZone, locale: Locale): string {
  const city = cityOf(zone, locale);
  const offset = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: "longOffset" })
    .formatToParts(realNow())
    .find(({ type }) => type === "timeZoneName")?.value;
  return offset ? `${city} (${offset})` : city;
}
