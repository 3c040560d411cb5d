import { cookies } from "next/headers";
import { getLocale } from "next-intl/server";
import { guideAnswer } from "@/app/docs/guide-answer";
import { enginePage } from "@/app/docs/inngest/page-html";
import english from "@/app/docs/inngest/texts/en.json";
import portuguese from "@/app/docs/inngest/texts/pt-BR.json";
import { THEME_COOKIE, themeOf } from "@/lib/i18n/theme";

export async function GET(): Promise<Response> {
  const locale = await getLocale();
  const cookieJar = await cookies();
  const theme = themeOf(cookieJar.get(THEME_COOKIE)?.value);
  const html = enginePage({ locale, theme, texts: locale === "en" ? english : portuguese });
  return guideAnswer(html);
}
