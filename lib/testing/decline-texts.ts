import type { DeclinedCode } from "@/lib/declines/decline-codes";

/** What a buyer is told and offered, as the design says it: written down a second time, so that a slip shows. */
export interface Told {
  pt: string;
  en: string;
  first: string[];
  focus?: string;
  empties?: string;
  opensIn?: number;
}

export const TOLD: Record<DeclinedCode, Told> = {
  card_not_supported: {
    pt: "Este cartão não faz este tipo de compra.",
    en: "This card cannot be used for this type of purchase.",
    first: ["card", "pix", "boleto"],
  },
  expired_card: {
    pt: "A validade informada não confere ou já passou.",
    en: "The expiry date does not match or has passed.",
    first: ["card", "pix"],
    focus: "cardExpiration",
  },
  fraud_confirmed: {
    pt: "Não foi possível concluir o pagamento com este cartão.",
    en: "We could not complete the payment with this card.",
    first: ["pix", "card", "boleto"],
  },
  fraud_suspect: {
    pt: "O banco quer confirmar que é você. Aprove a compra no aplicativo do banco e tente de novo.",
    en: "Your bank wants to confirm it is you. Approve the purchase in your bank's app and try again.",
    first: ["retry", "pix", "card"],
    opensIn: 30,
  },
  generic: {
    pt: "O banco não autorizou e não informou o motivo.",
    en: "Your bank did not authorize the payment and gave no reason.",
    first: ["pix", "card", "retry"],
  },
  insufficient_funds: {
    pt: "O limite do cartão não cobre este valor.",
    en: "The card's limit does not cover this amount.",
    first: ["split", "pix", "card", "boleto"],
  },
  invalid_amount: {
    pt: "Este cartão não aceita este valor em uma só compra.",
    en: "This card does not accept this amount in one purchase.",
    first: ["split", "pix", "card"],
  },
  invalid_cvv: {
    pt: "O código de segurança não confere. São 3 dígitos no verso, ou 4 na frente do Amex.",
    en: "The security code does not match. It is 3 digits on the back, or 4 on the front of an Amex.",
    first: ["card", "pix"],
    focus: "cardCvv",
    empties: "cardCvv",
  },
  invalid_data: {
    pt: "Algum dado do cartão não confere. Revise nome, número e validade.",
    en: "Some card details do not match. Check the name, number and expiry date.",
    first: ["card", "pix"],
    focus: "cardNumber",
  },
  invalid_installment: {
    pt: "Este cartão não aceita essa quantidade de parcelas.",
    en: "This card does not accept that number of installments.",
    first: ["parts", "card", "pix"],
    empties: "installments",
  },
  invalid_merchant: {
    pt: "A loja não conseguiu cobrar neste cartão agora. O problema não é o seu cartão.",
    en: "The shop could not charge this card right now. Your card is not the problem.",
    first: ["pix", "boleto", "card"],
  },
  invalid_number: {
    pt: "O número do cartão não confere.",
    en: "The card number does not match.",
    first: ["card", "pix"],
    focus: "cardNumber",
  },
  invalid_pin: {
    pt: "O banco pediu uma senha que não é usada em compras online.",
    en: "Your bank asked for a PIN, which online purchases do not use.",
    first: ["card", "pix"],
  },
  issuer_not_available: {
    pt: "O banco do cartão não respondeu agora.",
    en: "Your card's bank is not responding right now.",
    first: ["retry", "pix", "card"],
    opensIn: 30,
  },
  lost_card: {
    pt: "Não foi possível concluir o pagamento com este cartão.",
    en: "We could not complete the payment with this card.",
    first: ["pix", "card", "boleto"],
  },
  not_permitted: {
    pt: "O banco não permite esta compra com este cartão.",
    en: "Your bank does not allow this purchase with this card.",
    first: ["card", "pix", "boleto"],
  },
  pickup_card: {
    pt: "Não foi possível concluir o pagamento com este cartão.",
    en: "We could not complete the payment with this card.",
    first: ["pix", "card", "boleto"],
  },
  pin_try_exceeded: {
    pt: "O cartão está bloqueado por tentativas de senha. Desbloqueie no aplicativo do banco.",
    en: "The card is locked after too many PIN attempts. Unlock it in your bank's app.",
    first: ["pix", "card", "retry"],
    opensIn: 60,
  },
  restricted_card: {
    pt: "O cartão tem uma restrição no banco. Se ele é novo, desbloqueie no aplicativo.",
    en: "The card is restricted by the bank. If it is new, activate it in the app.",
    first: ["card", "pix", "retry"],
    opensIn: 60,
  },
  security_violation: {
    pt: "Os dados de segurança do cartão não conferem.",
    en: "The card's security details do not match.",
    first: ["card", "pix"],
    focus: "cardCvv",
    empties: "cardCvv",
  },
  service_not_allowed: {
    pt: "Este cartão não está liberado para compras internacionais.",
    en: "This card is not enabled for international purchases.",
    first: ["card", "pix"],
  },
  stolen_card: {
    pt: "Não foi possível concluir o pagamento com este cartão.",
    en: "We could not complete the payment with this card.",
    first: ["pix", "card", "boleto"],
  },
  transaction_not_allowed: {
    pt: "O banco não permite este tipo de transação neste cartão.",
    en: "Your bank does not allow this type of transaction on this card.",
    first: ["pix", "card", "boleto"],
  },
  try_again: {
    pt: "O banco pediu para tentar mais uma vez.",
    en: "Your bank asked to try once more.",
    first: ["retry", "pix", "card"],
  },
};
