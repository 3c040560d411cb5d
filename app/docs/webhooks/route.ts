import { cookies } from "next/headers";
import { getLocale } from "next-intl/server";
import { guideAnswer } from "@/app/docs/guide-answer";
import { guidePage } from "@/app/docs/webhooks/guide-html";
import english from "@/app/docs/webhooks/texts/en.json";
import portuguese from "@/app/docs/webhooks/texts/pt-BR.json";
import { env } from "@/lib/env";
import { THEME_COOKIE, themeOf } from "@/lib/i18n/theme";

export async function GET(): Promise<Response> {
  const locale = await getLocale();
  const cookieJar = await cookies();
  const html = guidePage({
    locale,
    theme: themeOf(cookieJar.get(THEME_COOKIE)?.value),
    baseUrl: env().BASE_URL,
    texts: locale === "en" ? english : portuguese,
  });
  return guideAnswer(html);
}
