import type { Locale } from "@/lib/i18n/locales";

export const DEFAULT_TIME_ZONE = "America/Sao_Paulo" satisfies TimeZone;

/** Brazil's first; the others are what people who look after shops here live in. By the city that names them. */
const ZONE_CITIES = {
  "America/Sao_Paulo": "São Paulo",
  "America/Manaus": "Manaus",
  "America/Cuiaba": "Cuiabá",
  "America/Rio_Branco": "Rio Branco",
  "America/Noronha": "Fernando de Noronha",
  "America/Bahia": "Salvador",
  "America/Fortaleza": "Fortaleza",
  "America/Argentina/Buenos_Aires": "Buenos Aires",
  "America/New_York": { en: "New York", "pt-BR": "Nova York" },
  "America/Los_Angeles": "Los Angeles",
  "Europe/Lisbon": { en: "Lisbon", "pt-BR": "Lisboa" },
  "Europe/London": { en: "London", "pt-BR": "Londres" },
  "Europe/Berlin": { en: "Berlin", "pt-BR": "Berlim" },
  "Asia/Tokyo": { en: "Tokyo", "pt-BR": "Tóquio" },
  UTC: "UTC",
} as const satisfies Record<string, string | Record<Locale, string>>;

export type TimeZone = keyof typeof ZONE_CITIES;

// Object.keys of the literal gives exactly its keys.
export const TIME_ZONES = Object.keys(ZONE_CITIES) as TimeZone[];
export const TIME_ZONE_COOKIE = "trilho-zone";

export const timeZoneOf = (text: string | null | undefined): TimeZone =>
  TIME_ZONES.find((zone) => zone === text) ?? DEFAULT_TIME_ZONE;

/** As readers of the language call it. */
export function cityOf(zone: TimeZone, locale: Locale): string {
  const city = ZONE_CITIES[zone];
  return typeof city === "string" ? city : city[locale];
}

/** The sentence that names a page's zone, once for each page, is written for São Paulo. */
export function namingZone<M extends object>(messages: M, zone: TimeZone, locale: Locale): M {
  if (zone === DEFAULT_TIME_ZONE) return messages;
  const named = Object.entries(messages).map(([area, texts]) => [
    area,
    typeof texts === "object" && texts !== null && "zone" in texts && typeof texts.zone === "string"
      ? { ...texts, zone: texts.zone.replace(cityOf(DEFAULT_TIME_ZONE, locale), cityOf(zone, locale)) }
      : texts,
  ]);
  // Guarantee: the same areas with the same keys, one text of each changed.
  return Object.fromEntries(named) as M;
}

const WALL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** What a clock in the zone shows, to the minute, as a field of the browser takes it: 2026-11-22T10:00. */
export const wallIn = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
    .format(at)
    .replace(" ", "T");

/** The instant at which a clock in the zone shows this. */
export function instantOnWall(zone: string, wall: string): Date | undefined {
  const shown = WALL.test(wall) ? new Date(`${wall}:00Z`).getTime() : Number.NaN;
  if (Number.isNaN(shown)) return undefined;
  const ahead = (at: number) => new Date(`${wallIn(zone, new Date(at))}:00Z`).getTime() - at;
  // Summer time may begin or end between the two: asked again where the first answer leads.
  return new Date(shown - ahead(shown - ahead(shown)));
}
