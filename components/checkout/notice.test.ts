import { expect, test } from "vitest";
import { declinedText } from "@/components/checkout/notice";
import { getTranslations } from "@/components/checkout/words";
import { DECLINED_CODES } from "@/lib/declines/decline-codes";

const OF_PAYMENT = /\bpagamento\b|\bcompra\b|este valor|parcelas|\bpayment\b|\bpurchase\b|this amount|installments/;
/** These tell of what the card can do, whatever it is used for. */
const OF_CARD = new Set(["card_not_supported", "fraud_suspect", "invalid_pin"]);

test.each(["pt-BR", "en"] as const)("in %s a card that was only checked is told of no payment", (locale) => {
  const t = getTranslations("checkout", locale);
  for (const refusal of [...DECLINED_CODES, "neutral"] as const)
    for (const of of [{ isTrial: true }, { isCardChange: true }]) {
      if (OF_CARD.has(refusal)) continue;
      const { lines } = declinedText(t, { refusal, ...of });
      expect(lines.join(" "), `${refusal} ${JSON.stringify(of)}`).not.toMatch(OF_PAYMENT);
    }
});
