import { cookies } from "next/headers";
import { getLocale, getTranslations } from "next-intl/server";
import { purchasesPage } from "@/app/docs/purchases/page-html";
import { meanings } from "@/app/docs/purchases/words";
import { THEME_COOKIE, themeOf } from "@/lib/i18n/theme";

/** A page of text and drawings: it runs nothing. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export async function GET(): Promise<Response> {
  const t = await getTranslations("docs");
  const cookieJar = await cookies();
  const html = purchasesPage({
    locale: await getLocale(),
    theme: themeOf(cookieJar.get(THEME_COOKIE)?.value),
    texts: {
      title: t("purchases.title"),
      lead: t("purchases.lead"),
      row: t("purchases.row"),
      change: t("purchases.change"),
      meaning: t("purchases.meaning"),
      diagram: t("purchases.diagram"),
      reference: t("purchases.reference"),
      start: t("start"),
      navigation: t("navigation"),
      dashboard: t("dashboard"),
    },
    sections: {
      purchases: { title: t("purchases.purchases"), lead: t("purchases.purchasesLead") },
      slots: { title: t("purchases.slots"), lead: t("purchases.slotsLead") },
      operations: { title: t("purchases.operations"), lead: t("purchases.operationsLead") },
    },
    meaningOf: await meanings(),
    finalStates: (states) => t("purchases.final", { states }),
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
