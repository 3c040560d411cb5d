import { createTranslator } from "next-intl";
import type { Locale } from "@/lib/i18n/locales";
import { type Messages, messages } from "@/lib/i18n/messages";

type Namespace = "mail" | "operatorMail" | "sellerMail" | "notices";

/** The messages of e-mails, outside any page. */
export const getTranslations = <N extends Namespace>(namespace: N, locale: Locale) =>
  createTranslator<Messages, N>({ locale, messages: messages[locale], namespace });

/** Payers and shops read São Paulo's time, and are told so. */
const TIME_ZONE = "America/Sao_Paulo";

export const shownInstant = (iso: string, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: TIME_ZONE,
  }).format(new Date(iso));

/** A calendar day, whatever the zone. */
export const shownDay = (day: string, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
