import { createTranslator } from "next-intl";
import { momentText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";
import { type Messages, messages } from "@/lib/i18n/messages";

type Namespace = "mail" | "dashboard" | "operatorMail" | "sellerMail" | "notices";

/** The messages of e-mails, outside any page. */
export const getTranslations = <N extends Namespace>(namespace: N, locale: Locale) =>
  createTranslator<Messages, N>({ locale, messages: messages[locale], namespace });

export const shownInstant = (iso: string, locale: Locale): string => momentText(locale, new Date(iso));
