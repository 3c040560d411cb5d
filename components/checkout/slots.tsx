import { money } from "@/components/checkout/formats";
import { BrandMark, hasBrandMark, Icon } from "@/components/checkout/icons";
import { getTranslations, under, type Words } from "@/components/checkout/words";
import type { CardLine, SlotWord } from "@/lib/checkout/card-lines";
import type { Frame, PaymentView } from "@/lib/checkout/view";

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

/** Brands that have no name of their own here. */
const UNNAMED = "Unknown";

/** "Visa final 0002"; undefined for a card of which nothing is known. */
export function cardName(t: Words, { brand, last4 }: Pick<CardLine, "brand" | "last4">): string | undefined {
  if (!last4) return undefined;
  return brand && brand !== UNNAMED ? t("slot.card", { brand, last4 }) : t("slot.unknown", { last4 });
}

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
  const { brand, amount, installments, word } = card;
  return (
    <li data-slot={card.index}>
      {brand && hasBrandMark(brand) ? <BrandMark brand={brand} /> : <Icon name="card" />}
      <span>
        {cardName(t, card) ?? t("slot.anyCard")}
        <small>{t("slot.parts", { amount: money(locale, amount, currency), count: installments })}</small>
      </span>
      <output className={TONES[word]} data-word={word}>
        {t(under("slot", word))}
      </output>
    </li>
  );
}
