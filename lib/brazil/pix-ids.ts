import { randomBytes } from "node:crypto";
import { cnpjOk, cpfOk } from "@/lib/brazil/cpf-cnpj";

const CHARGE_TXID = /^[a-zA-Z0-9]{26,35}$/;

/** Whether this can be the txid of a charge; unique per receiver. */
export const isPixTxid = (text: string): boolean => CHARGE_TXID.test(text);

/** Our txid of a charge: its UUID without hyphens, 32 hexadecimal digits. */
export const pixTxidOf = (uuid: string): string => uuid.replaceAll("-", "");

// E, the payer bank's ISPB (which may hold letters like the CNPJ it comes from), the minute in UTC, 11 characters.
const END_TO_END_ID = /^E[0-9A-Z]{8}\d{12}[a-zA-Z0-9]{11}$/;

export const isEndToEndId = (text: string): boolean => END_TO_END_ID.test(text);

const SUFFIX_CHARACTERS = 11;

/** An endToEndId as the payer's bank would give it to a payment. */
export function endToEndId(
  ispb: string,
  at: Date,
  suffix = randomBytes(SUFFIX_CHARACTERS).toString("hex").slice(0, SUFFIX_CHARACTERS),
): string {
  const minute = at.toISOString().replace(/[-:T]/g, "").slice(0, 12);
  const id = `E${ispb}${minute}${suffix}`;
  if (!isEndToEndId(id)) throw new RangeError("ISPB has 8 characters, the suffix 11");
  return id;
}

export type PixKeyKind = "cpf" | "cnpj" | "email" | "phone" | "evp";

const EMAIL = /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const MAX_EMAIL = 77;
const PHONE = /^\+55[1-9]{2}9\d{8}$/;
const EVP = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BARE_CPF = /^\d{11}$/;
const BARE_CNPJ = /^[0-9A-Z]{12}\d{2}$/;

/** The kind of a Pix key in its canonical form; undefined when it is not a key. */
export function pixKeyKind(key: string): PixKeyKind | undefined {
  if (BARE_CPF.test(key)) return cpfOk(key) ? "cpf" : undefined;
  if (BARE_CNPJ.test(key)) return cnpjOk(key) ? "cnpj" : undefined;
  if (PHONE.test(key)) return "phone";
  if (EVP.test(key)) return "evp";
  return key.length <= MAX_EMAIL && EMAIL.test(key) ? "email" : undefined;
}
