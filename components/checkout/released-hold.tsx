import { money } from "@/components/checkout/formats";
import { cardName } from "@/components/checkout/slots";
import { getTranslations } from "@/components/checkout/words";
import { heldNoMore } from "@/lib/checkout/released-hold";
import type { Frame, PaymentView } from "@/lib/checkout/view";

export const isHoldReleased = (view: PaymentView): boolean => heldNoMore(view).length > 0;

/** What was held for which order, and on which card: the bank's app shows it without a name. */
export function ReleasedHold({ frame: { locale, currency }, view }: { frame: Frame; view: PaymentView }) {
  const t = getTranslations("checkout", locale);
  return (
    <dl className="card">
      {heldNoMore(view).map((card) => (
        <div className="row" key={card.index}>
          <dt>{cardName(t, card) ?? t("slot.anyCard")}</dt>
          <dd className="whole">{money(locale, card.amount, currency)}</dd>
        </div>
      ))}
      {view.order.orderId ? (
        <div className="row">
          <dt>{t("receipt.order")}</dt>
          <dd>{view.order.orderId}</dd>
        </div>
      ) : null}
    </dl>
  );
}
