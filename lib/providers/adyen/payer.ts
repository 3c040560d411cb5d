import type { Payer } from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";

const MAX_NAME = 80;
const MAX_LINE = 200;

/** A person has two names there: what has one alone repeats it. */
export function shopperName(name: string): { firstName: string; lastName: string } {
  const [firstName = "", ...others] = foldedText(name, MAX_NAME * 2).split(" ");
  const lastName = others.join(" ") || firstName;
  return { firstName: firstName.slice(0, MAX_NAME), lastName: lastName.slice(0, MAX_NAME) };
}

export const payerFields = ({ name, email, document, phone, address }: Payer): Record<string, unknown> => ({
  shopperName: shopperName(name),
  ...(email ? { shopperEmail: email } : {}),
  ...(document ? { socialSecurityNumber: document.number } : {}),
  ...(phone ? { telephoneNumber: phone } : {}),
  ...(address
    ? {
        billingAddress: {
          street: foldedText(address.street, MAX_LINE),
          houseNumberOrName: foldedText([address.streetNumber, address.complement].filter(Boolean).join(" "), MAX_LINE),
          city: foldedText(address.city, MAX_LINE),
          stateOrProvince: address.state,
          postalCode: address.zipCode.replace(/\D/g, ""),
          country: address.country,
        },
      }
    : {}),
});
