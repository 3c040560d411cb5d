/** Month and year of a card, as people and password managers write them. */
export interface Expiry {
  /** Two digits. */
  readonly month: string;
  /** Four digits. */
  readonly year: string;
}

const YEAR_FIRST = /^(20\d{2})\D*(\d{1,2})$/;
const MONTH_FIRST = /^(\d{1,2})\D+(\d{2}|\d{4})$/;
/** Without a sign between: `131`, `1231`, `12031`, `122031`. */
const DIGITS = /^(\d{1,2}?)(\d{2}|20\d{2})$/;
const MONTHS = 12;

/** `1/31`, `131`, `01/2031`, `12 / 2031`, `2031-12`; undefined for anything that names no month. */
export function typedExpiry(text: string): Expiry | undefined {
  const typed = text.trim();
  const yearFirst = YEAR_FIRST.exec(typed);
  const [, month = "", year = ""] = yearFirst
    ? [typed, yearFirst[2], yearFirst[1]]
    : (MONTH_FIRST.exec(typed) ?? DIGITS.exec(typed) ?? []);
  if (Number(month) < 1 || Number(month) > MONTHS) return undefined;
  return { month: month.padStart(2, "0"), year: year.length === 2 ? `20${year}` : year };
}
