import { getTranslations } from "@/components/checkout/words";
import type { CaptchaView } from "@/lib/checkout/view";
import type { Locale } from "@/lib/i18n/locales";

interface NeedsProps {
  readonly captcha: CaptchaView | null;
  readonly locale: Locale;
  /** There is no other method, which would be the way without a script. */
  readonly isOnly?: boolean | undefined;
}

export const needsScriptText = (locale: Locale, isOnly: boolean): string =>
  getTranslations("checkout", locale)(isOnly ? "open.onlyCardsNeedScript" : "open.cardsNeedScript");

/** A captcha that is due for a card is solved by a script. */
export function CardsNeedScript({ captcha, locale, isOnly = false }: NeedsProps) {
  if (!captcha) return null;
  return (
    <noscript>
      <p className="box warn go">{needsScriptText(locale, isOnly)}</p>
    </noscript>
  );
}

/** Right above the button, in room that mostly is there anyway: nothing jumps when it speaks. */
export const CaptchaStatus = () => <p className="soon" data-captcha="status" role="status" hidden />;
