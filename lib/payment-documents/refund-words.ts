import type { Locale } from "@/lib/i18n/locales";

interface RefundWords {
  letter: string;
  receipt: string;
  letterText(shop: string, amount: string, day: string): string;
  /** When the money is seen: by what the buyer paid with. */
  cardText: string;
  otherText: string;
  sale: string;
  saleAmount: string;
  refunded: string;
  refundedOn: string;
  refund: string;
  total: string;
  remaining: string;
  issued: string;
  refunds: string;
  more(count: number): string;
}

export const REFUND: Readonly<Record<Locale, RefundWords>> = {
  "pt-BR": {
    letter: "Carta de cancelamento",
    receipt: "Comprovante de devolução",
    letterText: (shop, amount, day) =>
      `${shop} informa que a devolução de ${amount}, referente à compra abaixo, foi confirmada em ${day}.`,
    cardText:
      "O crédito aparece na fatura do cartão conforme o fechamento e as regras do banco emissor, em geral em até duas faturas. Com esta carta, o banco emissor localiza a operação.",
    otherText: "O valor foi devolvido pelo mesmo meio do pagamento ou como combinado com a loja.",
    sale: "Data da compra",
    saleAmount: "Valor da compra",
    refunded: "Valor devolvido",
    refundedOn: "Devolvido em",
    refund: "Devolução",
    total: "Total devolvido",
    remaining: "Valor que permanece pago",
    issued: "Emitido em",
    refunds: "Devoluções",
    more: (count) =>
      count === 1 ? "e mais 1 devolução, somada no total" : `e mais ${count} devoluções, somadas no total`,
  },
  en: {
    letter: "Cancellation letter",
    receipt: "Refund receipt",
    letterText: (shop, amount, day) =>
      `${shop} confirms that the refund of ${amount} for the purchase below was confirmed on ${day}.`,
    cardText:
      "The credit appears on the card statement by the issuing bank's own dates and rules, usually within two statements. With this letter, the issuing bank can find the transaction.",
    otherText: "The amount was returned the way it was paid, or as agreed with the shop.",
    sale: "Date of purchase",
    saleAmount: "Amount of purchase",
    refunded: "Amount refunded",
    refundedOn: "Refunded on",
    refund: "Refund",
    total: "Total refunded",
    remaining: "Amount still paid",
    issued: "Issued on",
    refunds: "Refunds",
    more: (count) =>
      count === 1 ? "and 1 more refund, included in the total" : `and ${count} more refunds, included in the total`,
  },
};
