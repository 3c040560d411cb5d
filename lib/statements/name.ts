import type { Locale } from "@/lib/i18n/locales";

const WORDS: Readonly<Record<Locale, string>> = { en: "statement", "pt-BR": "extrato" };
const MOST_NAME_CHARS = 40;

interface Named {
  locale: Locale;
  month: string;
  party: string;
  id: string;
}

/** `extrato-2026-12-padaria-sao-joao.pdf`: headers and every file system take it. */
export function statementName({ locale, month, party, id }: Named): string {
  const plain = party
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MOST_NAME_CHARS)
    .replace(/^-+|-+$/g, "");
  return `${WORDS[locale]}-${month}-${plain || id}.pdf`;
}
