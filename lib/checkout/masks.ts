import type { FieldName } from "@/lib/checkout/view";
import { maskedEmail } from "@/lib/masked-email";

const SHOWN = 2;
const DOT = "•";
const HIDDEN = DOT.repeat(3);

/** No value that anybody types holds a dot of it, and of a mask that was typed into only some may be left. */
export const isMasked = (text: string): boolean => text.includes(DOT);

/** `Ana S•••` */
export function maskedName(name: string): string {
  const [first = "", ...others] = name.trim().split(/\s+/);
  const last = others.at(-1);
  return last ? `${first} ${[...last][0] ?? ""}${HIDDEN}` : `${[...first].slice(0, SHOWN).join("")}${HIDDEN}`;
}

/** The digits in the middle: `•••.982.247-••` of a CPF, `••.•••.678/0001-••` of a CNPJ. */
export const maskedDocument = (bare: string): string =>
  bare.length === CPF_DIGITS
    ? `${HIDDEN}.${bare.slice(3, 6)}.${bare.slice(6, 9)}-••`
    : `••.${HIDDEN}.${bare.slice(5, 8)}/${bare.slice(8, 12)}-••`;
const CPF_DIGITS = 11;

/** `Av•••`; of what is short, such as a number of a house, nothing. */
export const maskedAddress = (text: string): string =>
  `${text.length > SHORT ? [...text].slice(0, SHOWN).join("") : ""}${HIDDEN}`;
const SHORT = 4;

/** As a field shows it: enough to know oneself again. The state is no secret, and a choice of a list. */
export function maskOf(field: FieldName, value: string): string {
  switch (field) {
    case "name":
      return maskedName(value);
    case "email":
      return maskedEmail(value);
    case "document":
      return maskedDocument(value);
    case "state":
      return value;
    default:
      return maskedAddress(value);
  }
}
