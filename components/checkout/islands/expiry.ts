import { typedExpiry } from "@/lib/checkout/expiry";

const DIGITS_WITH_CENTURY = 6;
const DIGITS = 4;

/** As the field shows it, `01/31`; empty while it is not complete. */
export function expiryText(text: string): string {
  const expiry = typedExpiry(text);
  return expiry ? `${expiry.month}/${expiry.year.slice(-2)}` : "";
}

/** A sign typed at the end: the slash comes by itself, and a month of one digit gets its zero. */
export function expiryTyped(text: string, before: string): string {
  let digits = text.replace(/^\D*(\d)\D+/, "0$1").replace(/\D/g, "");
  if (/^([2-9]|1[3-9])/.test(digits)) digits = `0${digits}`;
  digits = digits.slice(0, digits.startsWith("20", 2) ? DIGITS_WITH_CENTURY : DIGITS);
  const isErasing = before.endsWith("/") && text.length < before.length;
  return digits.length >= 2 && !isErasing ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
}
