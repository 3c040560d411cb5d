import type { Brand } from "@/lib/brazil/card-brand";
import { rawSale } from "@/lib/providers/cielo/answers";
import type { WireSale } from "@/lib/providers/cielo/wire";
import type { AuthorizeInput, CallContext, CardSecret, Outcome, Payer } from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";

const MAX_NAME = 255;
const MAX_SLIP_NAME = 34;
const MAX_HOLDER = 25;
const MAX_LINE = 70;
const MAX_PLACE = 50;
const MAX_NUMBER = 10;
const COUNTRY = "BRA";

export const BRAND_NAMES: Readonly<Partial<Record<Brand, string>>> = {
  visa: "Visa",
  mastercard: "Master",
  amex: "Amex",
  elo: "Elo",
  aura: "Aura",
  jcb: "JCB",
  diners: "Diners",
  discover: "Discover",
  hipercard: "Hipercard",
};

export const customerOf = ({ name, document, email }: Payer): Record<string, unknown> => ({
  Name: foldedText(name, MAX_NAME),
  ...(document ? { Identity: document.number, IdentityType: document.type.toUpperCase() } : {}),
  ...(email === undefined ? {} : { Email: email }),
});

/** With the address that a bank wants on a slip. */
export const slipCustomerOf = (payer: Payer): Record<string, unknown> => ({
  ...customerOf({ ...payer, name: payer.name.slice(0, MAX_SLIP_NAME) }),
  ...(payer.address
    ? {
        Address: {
          Street: foldedText(payer.address.street, MAX_LINE),
          Number: payer.address.streetNumber.slice(0, MAX_NUMBER),
          ZipCode: payer.address.zipCode,
          District: foldedText(payer.address.district, MAX_PLACE),
          City: foldedText(payer.address.city, MAX_PLACE),
          State: payer.address.state,
          Country: COUNTRY,
        },
      }
    : {}),
});

export const cardOf = (card: CardSecret): Record<string, unknown> => ({
  CardNumber: card.pan,
  Holder: foldedText(card.holderName, MAX_HOLDER),
  ExpirationDate: `${card.expMonth.padStart(2, "0")}/${card.expYear}`,
  ...(card.cvv === undefined ? {} : { SecurityCode: card.cvv }),
  SaveCard: false,
  Brand: BRAND_NAMES[card.brand],
});

/** On whose behalf a stored card is used, and how often. */
export function storedCardOf({ recurrence }: Pick<AuthorizeInput, "recurrence">): Record<string, unknown> {
  if (!recurrence) return {};
  const Reason = recurrence === "unscheduled" ? "Unscheduled" : "Recurring";
  return { CardOnFile: { Usage: recurrence === "initial" ? "First" : "Used", Reason } };
}

/** Mastercard's own word for who began a payment. */
export function initiatorOf({ recurrence, card, buyerPresent }: AuthorizeInput): Record<string, unknown> {
  if (!recurrence || card.brand !== "mastercard") return {};
  const Subcategory = recurrence === "unscheduled" ? "CredentialsOnFile" : "Subscription";
  return { InitiatedTransactionIndicator: { Category: buyerPresent ? "C1" : "M1", Subcategory } };
}

/** Another sale than the one asked for. */
export function mismatchOf(
  { ref }: CallContext,
  amount: number,
  reply: WireSale,
  status: number,
): Outcome<never> | undefined {
  const { MerchantOrderId, Payment } = reply;
  const differing = [
    ["reference", ref.providerReference, MerchantOrderId],
    ["currency", "BRL", Payment.Currency ?? "BRL"],
    ["amount", String(amount), String(Payment.Amount)],
  ] as const;
  for (const [field, expected, got] of differing) {
    if (expected === got) continue;
    return { kind: "mismatch", field, expected, got, providerTxId: Payment.PaymentId, raw: rawSale(status, reply) };
  }
  return undefined;
}
