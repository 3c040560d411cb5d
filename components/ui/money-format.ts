/** Cents in the words of the language; the currency is always named, and a negative amount has a real minus sign. */
export function formatCents(amount: number, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  // What is taken off may be nothing: zero has no sign.
  return format.format(amount / 10 ** digits + 0).replace("-", "\u2212");
}
