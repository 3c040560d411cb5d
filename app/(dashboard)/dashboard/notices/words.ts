import { getLocale } from "next-intl/server";
import { noticeTexts } from "@/components/notices/texts";
import { DEFAULT_LOCALE, isLocale } from "@/lib/i18n/locales";

/** In the language of the page. */
export async function noticeWords() {
  const locale = await getLocale();
  return noticeTexts(isLocale(locale) ? locale : DEFAULT_LOCALE);
}
