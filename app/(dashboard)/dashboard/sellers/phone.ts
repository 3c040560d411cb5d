/** What people put between the digits. */
const BETWEEN = /[\s().\-\u2013/]/g;
const WITH_COUNTRY = /^\+[1-9]\d{7,14}$/;
/** An area code, and eight digits or nine. */
const BRAZILIAN = /^[1-9]{2}\d{8,9}$/;
const COUNTRY = "+55";

/** "+5511999990000" of "(11) 99999-0000": a number that names no country is Brazilian. Undefined of what is no number. */
export function phoneIn(text: string): string | undefined {
  const bare = text.replace(BETWEEN, "");
  if (bare.startsWith(COUNTRY)) return BRAZILIAN.test(bare.slice(COUNTRY.length)) ? bare : undefined;
  if (bare.startsWith("+")) return WITH_COUNTRY.test(bare) ? bare : undefined;
  // Of "011", as it is dialed from afar, the zero is no part of the number.
  const national = bare.replace(/^0/, "");
  if (BRAZILIAN.test(national)) return COUNTRY + national;
  return `+${bare}`.startsWith(COUNTRY) ? phoneIn(`+${bare}`) : undefined;
}
