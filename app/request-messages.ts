import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { LOCALE_COOKIE, localeFor } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";

/** Accounts may choose their own zone later; until then times are São Paulo's, and pages say so. */
const TIME_ZONE = "America/Sao_Paulo";

export default getRequestConfig(async () => {
  const [cookieJar, requestHeaders] = await Promise.all([cookies(), headers()]);
  const locale = localeFor(cookieJar.get(LOCALE_COOKIE)?.value, requestHeaders.get("accept-language"));
  return { locale, messages: messages[locale], timeZone: TIME_ZONE };
});
