import { linkUrlOf, paymentTokenOf } from "@/lib/checkout/payment-token";
import type { AttemptKey } from "@/lib/checkout/visit";
import type { Locale } from "@/lib/i18n/locales";

/** Longer addresses of a shop's page are not carried along: the buyer comes back to the payment's own page. */
const LONGEST_BACK = 600;
/** What the shop's page is opened with again; `embed.js` reads it and shows that payment. */
const RETURNED = "trilho_payment";

/** The shop's page around the frame, if it really is of the shop's registered site. */
export function shopPageOf(text: string | null | undefined, siteUrl: string | null | undefined): string | null {
  if (!text || !siteUrl || text.length > LONGEST_BACK || !URL.canParse(text) || !URL.canParse(siteUrl)) return null;
  return new URL(text).origin === new URL(siteUrl).origin ? text : null;
}

/** Where a bank or a wallet sends the buyer back to: ours first, which knows what the attempt became. */
export function returnUrlOf(sessionId: string, { key }: AttemptKey, locale: Locale, shopPage: string | null): string {
  const query = new URLSearchParams({ attempt: key, lang: locale, ...(shopPage ? { back: shopPage } : {}) });
  return `${linkUrlOf(sessionId)}/return?${query}`;
}

/** The shop's page, told which payment of which link its frame goes on with. */
export function shopPageWith(shopPage: string, sessionId: string, paymentId: string): string {
  const url = new URL(shopPage);
  url.searchParams.set(RETURNED, `${sessionId}.${paymentTokenOf(paymentId)}`);
  return url.href;
}
