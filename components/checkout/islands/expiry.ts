import { typedExpiry } from "@/lib/checkout/expiry";

const DIGITS_WITH_CENTURY = 6;
const DIGITS = 4;
const YEAR = 4;
/** The `0` is the one that stands before a month of one digit. */
const YEAR_FIRST = /^0?20[2-9]/;

/** As the field shows it, `01/31`; empty while it is not complete. */
export function expiryText(text: string): string {
  const expiry = typedExpiry(text);
  return expiry ? `${expiry.month}/${expiry.year.slice(-2)}` : "";
}

/** A sign typed at the end: the slash comes by itself, and a month of one digit gets its zero. */
export function expiryTyped(text: string, before: string): string {
  const first = text.replace(/\D/g, "");
  // No card ends in 2003: whoever types that writes the year first.
  if (YEAR_FIRST.test(first)) {
    const bare = first.replace(/^0/, "");
    return bare.length > YEAR ? `${bare.slice(0, YEAR)}-${bare.slice(YEAR, DIGITS_WITH_CENTURY)}` : bare;
  }
  // A sign after two digits says that they are the month, although the first alone could have been one.
  const [, tens, ones] = /^0(\d)\/(\d)\D$/.exec(text) ?? [];
  if (tens !== undefined) return `${tens}${ones}/`;
  let digits = text.replace(/^\D*(\d)\D+/, "0$1").replace(/\D/g, "");
  if (!/^\d\d\D/.test(text) && /^([2-9]|1[3-9])/.test(digits)) digits = `0${digits}`;
  digits = digits.slice(0, digits.startsWith("20", 2) ? DIGITS_WITH_CENTURY : DIGITS);
  const isErasing = before.endsWith("/") && text.length < before.length;
  return digits.length >= 2 && !isErasing ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
}
