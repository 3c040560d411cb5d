import type { Payer } from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";

const MAX_NAME = 60;
const MAX_LINE = 100;

/** A name in two parts, as its forms have it. */
export function payerOf({ name, email, document, address }: Payer) {
  const [first = "", ...rest] = foldedText(name, MAX_NAME).split(" ");
  return {
    ...(email === undefined ? {} : { email }),
    first_name: first,
    ...(rest.length > 0 ? { last_name: rest.join(" ") } : {}),
    ...(document ? { identification: { type: document.type.toUpperCase(), number: document.number } } : {}),
    ...(address
      ? {
          address: {
            zip_code: address.zipCode,
            street_name: foldedText(address.street, MAX_LINE),
            street_number: address.streetNumber,
            neighborhood: foldedText(address.district, MAX_LINE),
            city: foldedText(address.city, MAX_LINE),
            federal_unit: address.state,
          },
        }
      : {}),
  };
}
