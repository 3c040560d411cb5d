/** Portuguese first: it is what is shown when nobody asked for anything we speak. */
export const LOCALES = ["pt-BR", "en"] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = "pt-BR";
export const LOCALE_COOKIE = "trilho-locale";

export const isLocale = (text: string | undefined): text is Locale => LOCALES.some((locale) => locale === text);

/** The language of e-mails to a person of the dashboard: the one they chose, else that of their browser. */
export const mailLocaleOf = (
  person: { locale: Locale | null; browserLocale: Locale | null },
  otherwise: Locale = DEFAULT_LOCALE,
): Locale => person.locale ?? person.browserLocale ?? otherwise;

/** The language chosen by hand, else the best of Accept-Language (RFC 9110: by quality, then by order), else ours. */
export function localeFor(chosen: string | undefined, acceptLanguage: string | null): Locale {
  if (isLocale(chosen)) return chosen;
  const asked = (acceptLanguage ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((text) => text.trim());
      const quality = parameters.find((text) => text.startsWith("q="));
      return { language: tag.toLowerCase().split("-")[0], quality: quality ? Number(quality.slice(2)) : 1 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { language } of asked) {
    const spoken = LOCALES.find((locale) => locale.toLowerCase().split("-")[0] === language);
    if (spoken) return spoken;
  }
  return DEFAULT_LOCALE;
}
