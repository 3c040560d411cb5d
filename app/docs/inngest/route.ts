import { cookies } from "next/headers";
import { getLocale } from "next-intl/server";
import { enginePage } from "@/app/docs/inngest/page-html";
import english from "@/app/docs/inngest/texts/en.json";
import portuguese from "@/app/docs/inngest/texts/pt-BR.json";
import { THEME_COOKIE, themeOf } from "@/lib/i18n/theme";

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export async function GET(): Promise<Response> {
  const locale = await getLocale();
  const cookieJar = await cookies();
  const theme = themeOf(cookieJar.get(THEME_COOKIE)?.value);
  const html = enginePage({ locale, theme, texts: locale === "en" ? english : portuguese });
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "cache-control": "private, no-cache",
      vary: "accept-language, cookie",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
    },
  });
}
