import { money } from "@/components/checkout/formats";
import { BrandMark, hasBrandMark, Icon } from "@/components/checkout/icons";
import { getTranslations, under } from "@/components/checkout/words";
import type { CardLine, Frame, PaymentView, SlotWord } from "@/lib/checkout/view";

const TONES: Record<SlotWord, string> = {
  waiting: "",
  processing: "warn",
  held: "good",
  declined: "bad",
  releasing: "warn",
  released: "",
  confirming: "warn",
  paid: "good",
};

/** One line per card, changed in place while they run. */
export function Slots({ frame, view }: { frame: Frame; view: PaymentView }) {
  return (
    <ul className="slots">
      {view.cards.map((card) => (
        <Slot key={card.index} frame={frame} card={card} />
      ))}
    </ul>
  );
}

function Slot({ frame, card }: { frame: Frame; card: CardLine }) {
  const { locale, currency } = frame;
  const t = getTranslations("checkout", locale);
  const { brand, last4, amount, installments, word } = card;
  return (
    <li data-slot={card.index}>
      {brand && hasBrandMark(brand) ? <BrandMark brand={brand} /> : <Icon name="card" />}
      <span>
        {brand && last4 ? t("slot.card", { brand, last4 }) : t("slot.anyCard")}
        <small>{t("slot.parts", { amount: money(locale, amount, currency), count: installments })}</small>
      </span>
      <output className={TONES[word]} data-word={word}>
        {t(under("slot", word))}
      </output>
    </li>
  );
}
