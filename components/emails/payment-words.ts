import type { Fact } from "@/components/emails/parts";
import { getTranslations } from "@/components/emails/words";
import { formatCents } from "@/components/ui/money-format";
import type { Locale } from "@/lib/i18n/locales";

/** Links and slips are in reais; so are their e-mails. */
export const money = (amount: number, locale: Locale): string => formatCents(amount, "BRL", locale);

/** Which payment it is, as the receipt calls it. */
export function orderFacts(
  { orderId, title }: { orderId?: string | null | undefined; title?: string | null | undefined },
  locale: Locale,
): Fact[] {
  const t = getTranslations("mail", locale);
  return [
    [t("order"), orderId],
    [t("about"), title],
  ];
}

interface PaidCard {
  brand: string;
  last4: string;
  amount: number;
  installments: number;
  authorizationCode?: string | null;
  nsu?: string | null;
}

/** "Visa ending in 1111": never more of a card. */
export function cardName({ brand, last4 }: { brand: string; last4: string }, locale: Locale): string {
  const t = getTranslations("mail", locale);
  return t("cardName", { brand: brand === "Unknown" ? t("card") : brand, last4 });
}

/** The remainder goes to the first part, as on the page (spec/money.md). */
export function installmentsText({ amount, installments }: PaidCard, locale: Locale): string {
  const t = getTranslations("mail", locale);
  const part = Math.floor(amount / installments);
  const first = amount - part * (installments - 1);
  if (installments === 1) return t("atOnce");
  if (first === part) return t("equalParts", { count: installments, part: money(part, locale) });
  return t("unequalParts", {
    count: installments,
    first: money(first, locale),
    others: installments - 1,
    part: money(part, locale),
  });
}

/** The amount is said of each of several cards; of one alone it is the payment's. */
export function cardFacts(card: PaidCard, locale: Locale, isOnly: boolean): Fact[] {
  const t = getTranslations("mail", locale);
  return [
    [t("card"), cardName(card, locale)],
    [t("amount"), isOnly ? null : money(card.amount, locale)],
    [t("installments"), card.amount > 0 ? installmentsText(card, locale) : null],
    [t("authorization"), card.authorizationCode],
    [t("nsu"), card.nsu],
  ];
}
