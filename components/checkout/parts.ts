import { money } from "@/components/checkout/formats";
import type { Words } from "@/components/checkout/words";
import type { Parts } from "@/lib/checkout/instalments";
import type { Locale } from "@/lib/i18n/locales";

/** A choice of the form: "À vista, R$ 100,00", "4x de R$ 25,00", "3x, 1ª de R$ 33,34". */
export function choiceText(t: Words, locale: Locale, currency: string, { count, first, others, total }: Parts): string {
  const shown = (cents: number) => money(locale, cents, currency);
  if (count === 1) return t("parts.one", { total: shown(total) });
  return first === others
    ? t("parts.some", { count, part: shown(first) })
    : t("parts.someFirst", { count, first: shown(first) });
}

/** To the cent, as the receipt says it: "3x: 1ª de R$ 33,34 e 2 de R$ 33,33". */
export function exactText(t: Words, locale: Locale, currency: string, { count, first, others }: Parts): string {
  const shown = (cents: number) => money(locale, cents, currency);
  if (count === 1) return t("parts.atOnce");
  if (first === others) return t("parts.some", { count, part: shown(others) });
  return t("parts.exact", { count, first: shown(first), others: count - 1, part: shown(others) });
}
