import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { cookies } from "next/headers";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { WordsProvider } from "@/components/ui/words";
import { messages } from "@/lib/i18n/messages";
import { THEME_COOKIE, themeOf } from "@/lib/i18n/theme";
import "@/app/globals.css";

const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2",
  variable: "--font-inter",
  weight: "100 900",
  display: "swap",
});

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("pages");
  return {
    title: { default: t("defaultTitle"), template: "%s · Trilho" },
    description: t("description"),
    applicationName: "Trilho",
    robots: { index: false },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#faf9f5" },
    { media: "(prefers-color-scheme: dark)", color: "#0b0f0d" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, cookieJar] = await Promise.all([getLocale(), cookies()]);
  return (
    <html lang={locale} data-theme={themeOf(cookieJar.get(THEME_COOKIE)?.value)} className={inter.variable}>
      <body className="min-h-dvh bg-canvas font-sans text-ink">
        <WordsProvider words={messages[locale].ui}>{children}</WordsProvider>
      </body>
    </html>
  );
}
