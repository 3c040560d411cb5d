import { createTranslator } from "next-intl";
import type { Locale } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";

const make = (locale: Locale) =>
  createTranslator({ locale, messages: messages[locale], namespace: "checkout", timeZone: "America/Sao_Paulo" });

export type Words = ReturnType<typeof make>;

const kept = new Map<Locale, Words>();

/** The key of one message of a group. */
export const under = <G extends string, K extends string>(group: G, key: K): `${G}.${K}` => `${group}.${key}`;

/** The buyer's words. Parsed messages are kept: a page uses about a hundred of them. */
export function getTranslations(_namespace: "checkout", locale: Locale): Words {
  const known = kept.get(locale) ?? make(locale);
  kept.set(locale, known);
  return known;
}
