import { money } from "@/components/checkout/formats";
import type { Words } from "@/components/checkout/words";
import type { Parts } from "@/lib/checkout/instalments";
import type { Locale } from "@/lib/i18n/locales";

/** "3x: 1ª de R$ 33,34 e 2 de R$ 33,33. Total R$ 100,00 sem juros" */
export function partsText(t: Words, locale: Locale, currency: string, parts: Parts): string {
  const { count, first, others, total } = parts;
  const shown = (cents: number) => money(locale, cents, currency);
  if (count === 1) return t("parts.one", { total: shown(total) });
  if (first === others) return t("parts.even", { count, part: shown(others) });
  return t("parts.uneven", { count, first: shown(first), others: count - 1, part: shown(others), total: shown(total) });
}
