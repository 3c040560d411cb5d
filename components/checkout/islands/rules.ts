import { cvvDigits, luhn } from "@/components/checkout/islands/brands";
import { cnpjOk, cpfOk, typedTaxId } from "@/lib/brazil/cpf-cnpj";
import { typedExpiry } from "@/lib/checkout/expiry";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const MONTHS = 12;

export const digitsIn = (text: string): string => text.replace(/\D/g, "");

function isExpiryGood(text: string): boolean {
  const expiry = typedExpiry(text);
  const at = new Date(performance.timeOrigin + performance.now());
  const last = expiry ? Number(expiry.year) * MONTHS + Number(expiry.month) : 0;
  return last > at.getUTCFullYear() * MONTHS + at.getUTCMonth();
}

/** Longer than any CPF or CNPJ: what stands in the place of a name is a card's number. */
const LEAST_CARD_DIGITS = 15;
const NAMES: ReadonlySet<string> = new Set(["name", "cardHolderName"]);

export const isCardAsName = (field: string, value: string): boolean =>
  NAMES.has(field) && digitsIn(value).length >= LEAST_CARD_DIGITS;

type Rule = (value: string, brand: string) => boolean;
const filled: Rule = (value) => value.trim().length > 0;

/** What can be known to be wrong without asking anybody; the server asks again. */
const RULES: Readonly<Record<string, Rule>> = {
  name: (value) => value.trim().length > 2 && /\p{L}/u.test(value),
  document: (value) => cpfOk(typedTaxId(value)) || cnpjOk(typedTaxId(value)),
  email: (value) => EMAIL.test(value.trim()),
  zipCode: (value) => digitsIn(value).length === 8,
  cardNumber: (value) => luhn(digitsIn(value)),
  cardHolderName: (value) => value.trim().length > 1 && /\p{L}/u.test(value),
  cardExpiration: isExpiryGood,
  cardCvv: (value, brand) => {
    const { length } = digitsIn(value);
    return brand === "" ? length === 3 || length === 4 : length === cvvDigits(brand);
  },
};

/** Of a field with no rule of its own nothing but that it is filled in. */
export const ruleOf = (field = ""): Rule => RULES[field] ?? filled;
