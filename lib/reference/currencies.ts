/** ISO 4217 codes that charges take; amounts are in the smallest unit of each. */
export const CURRENCIES: readonly string[] = `
  BRL USD EUR YER ZAR AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BIF BMD BND BOB BSD BWP BZD CAD CDF
  CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB ZMW FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF
  IDR ILS INR ISK JMD JPY KES KGS KHR KMF KRW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRO MUR MVR
  MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP
  SLL SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH UGX UYU UZS VND VUV WST XAF XCD XOF XPF
`
  .trim()
  .split(/\s+/);

export const DEFAULT_CURRENCY = "BRL";

const KNOWN: ReadonlySet<string> = new Set(CURRENCIES);

export const isCurrency = (code: string): boolean => KNOWN.has(code);

const decimals = new Map<string, number>();
/** Digits behind the point: 2 for BRL, 0 for JPY. */
export function decimalsOf(code: string): number {
  const known = decimals.get(code);
  if (known !== undefined) return known;
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency: code,
  }).resolvedOptions();
  decimals.set(code, maximumFractionDigits);
  return maximumFractionDigits;
}
