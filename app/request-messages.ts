import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { LOCALE_COOKIE, localeFor } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";
import { namingZone, TIME_ZONE_COOKIE, timeZoneOf } from "@/lib/i18n/time-zones";

/** Times are São Paulo's until an operator chooses another zone. */
export default getRequestConfig(async () => {
  const [cookieJar, requestHeaders] = await Promise.all([cookies(), headers()]);
  const locale = localeFor(cookieJar.get(LOCALE_COOKIE)?.value, requestHeaders.get("accept-language"));
  const timeZone = timeZoneOf(cookieJar.get(TIME_ZONE_COOKIE)?.value);
  return { locale, messages: namingZone(messages[locale], timeZone, locale), timeZone };
});
