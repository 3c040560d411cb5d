export const DEFAULT_TIME_ZONE = "America/Sao_Paulo";

/** Brazil's first; the others are what people who look after shops here live in. */
export const TIME_ZONES = [
  DEFAULT_TIME_ZONE,
  "America/Manaus",
  "America/Cuiaba",
  "America/Rio_Branco",
  "America/Noronha",
  "America/Bahia",
  "America/Fortaleza",
  "America/Argentina/Buenos_Aires",
  "America/New_York",
  "America/Los_Angeles",
  "Europe/Lisbon",
  "Europe/London",
  "Europe/Berlin",
  "Asia/Tokyo",
  "UTC",
] as const;
export type TimeZone = (typeof TIME_ZONES)[number];
export const TIME_ZONE_COOKIE = "trilho-zone";

export const timeZoneOf = (text: string | null | undefined): TimeZone =>
  TIME_ZONES.find((zone) => zone === text) ?? DEFAULT_TIME_ZONE;
