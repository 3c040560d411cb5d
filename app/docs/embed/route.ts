import { cookies } from "next/headers";
import { getLocale } from "next-intl/server";
import { embedPage } from "@/app/docs/embed/page-html";
import english from "@/app/docs/embed/texts/en.json";
import portuguese from "@/app/docs/embed/texts/pt-BR.json";
import type { EmbedTexts } from "@/app/docs/embed/texts/shape";
import { guideAnswer } from "@/app/docs/guide-answer";
import { env } from "@/lib/env";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/i18n/locales";
import { THEME_COOKIE, themeOf } from "@/lib/i18n/theme";

const TEXTS: Readonly<Record<Locale, EmbedTexts>> = { en: english, "pt-BR": portuguese };

export async function GET(): Promise<Response> {
  const spoken = await getLocale();
  const locale = isLocale(spoken) ? spoken : DEFAULT_LOCALE;
  const cookieJar = await cookies();
  const html = embedPage({
    locale,
    theme: themeOf(cookieJar.get(THEME_COOKIE)?.value),
    baseUrl: env().CHECKOUT_URL,
    apiUrl: env().BASE_URL,
    texts: TEXTS[locale],
  });
  return guideAnswer(html);
}
