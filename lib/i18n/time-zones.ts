export const DEFAULT_TIME_ZONE = "America/Sao_Paulo" satisfies TimeZone;

/** Brazil's first; the others are what people who look after shops here live in. By the city that names them. */
export const ZONE_CITIES = {
  "America/Sao_Paulo": "São Paulo",
  "America/Manaus": "Manaus",
  "America/Cuiaba": "Cuiabá",
  "America/Rio_Branco": "Rio Branco",
  "America/Noronha": "Fernando de Noronha",
  "America/Bahia": "Salvador",
  "America/Fortaleza": "Fortaleza",
  "America/Argentina/Buenos_Aires": "Buenos Aires",
  "America/New_York": "New York",
  "America/Los_Angeles": "Los Angeles",
  "Europe/Lisbon": "Lisboa",
  "Europe/London": "London",
  "Europe/Berlin": "Berlin",
  "Asia/Tokyo": "Tokyo",
  UTC: "UTC",
} as const;

export type TimeZone = keyof typeof ZONE_CITIES;

// Object.keys of the literal gives exactly its keys.
export const TIME_ZONES = Object.keys(ZONE_CITIES) as TimeZone[];
export const TIME_ZONE_COOKIE = "trilho-zone";

export const timeZoneOf = (text: string | null | undefined): TimeZone =>
  TIME_ZONES.find((zone) => zone === text) ?? DEFAULT_TIME_ZONE;

/** The sentence that names a page's zone, once for each page, is written for São Paulo. */
export function namingZone<M extends object>(messages: M, zone: TimeZone): M {
  if (zone === DEFAULT_TIME_ZONE) return messages;
  const named = Object.entries(messages).map(([area, texts]) => [
    area,
    typeof texts === "object" && texts !== null && "zone" in texts && typeof texts.zone === "string"
      ? { ...texts, zone: texts.zone.replace(ZONE_CITIES[DEFAULT_TIME_ZONE], ZONE_CITIES[zone]) }
      : texts,
  ]);
  // Guarantee: the same areas with the same keys, one text of each changed.
  return Object.fromEntries(named) as M;
}
