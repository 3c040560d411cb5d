"use server";

import { cookies } from "next/headers";
import { isLocale, LOCALE_COOKIE, type Locale } from "@/lib/i18n/locales";
import { THEME_COOKIE, type Theme, themeOf } from "@/lib/i18n/theme";
import { TIME_ZONE_COOKIE, timeZoneOf } from "@/lib/i18n/time-zones";

const ONE_YEAR_SECONDS = 365 * 86_400;
const kept = { path: "/", sameSite: "lax", httpOnly: true, maxAge: ONE_YEAR_SECONDS } as const;

export async function chooseTheme(theme: Theme): Promise<void> {
  (await cookies()).set(THEME_COOKIE, themeOf(theme), kept);
}

export async function chooseTimeZone(zone: string): Promise<void> {
  (await cookies()).set(TIME_ZONE_COOKIE, timeZoneOf(zone), kept);
}

export async function chooseLocale(locale: Locale): Promise<void> {
  if (isLocale(locale)) (await cookies()).set(LOCALE_COOKIE, locale, kept);
}
