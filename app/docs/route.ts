import { cookies } from "next/headers";
import { getLocale, getTranslations } from "next-intl/server";
import { referencePage } from "@/app/docs/page-html";
import { THEME_COOKIE, themeOf } from "@/lib/i18n/theme";

/** The viewer writes its own styles; scripts come from this origin alone, and nothing is asked from any other. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export async function GET(): Promise<Response> {
  const t = await getTranslations("docs");
  const cookieJar = await cookies();
  const html = referencePage({
    locale: await getLocale(),
    theme: themeOf(cookieJar.get(THEME_COOKIE)?.value),
    texts: {
      title: t("title"),
      start: t("start"),
      purchases: t("purchases.link"),
      webhooks: t("webhooksLink"),
      embed: t("embedLink"),
      inngest: t("inngestLink"),
      openapi: t("openapi"),
      dashboard: t("dashboard"),
      noScript: t("noScript"),
      navigation: t("navigation"),
      copy: t("copy"),
      keyValue: t("keyValue"),
    },
  });
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
