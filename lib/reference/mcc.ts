/** Merchant category codes of ISO 18245 in use; a range holds every code. Codes outside are accepted, only not known. */
const RANGES = `
  742 744 763 780 1520 1711 1731 1740 1750 1761 1771 1799 2741 2791 2842 4011 4111 4112 4119 4121 4131 4214 4215
  4225 4411 4457 4468 4511 4582 4722 4723 4784 4789 4812 4813 4814 4816 4821 4829 4899 4900 5013 5021 5039 5044-5047
  5051 5065 5072 5074 5085 5094 5099 5111 5122 5131 5137 5139 5169 5172 5192 5193 5198-5200 5211 5231 5251 5261 5271
  5300 5309-5311 5331 5399 5411 5422 5441 5451 5462 5499 5511 5521 5531-5533 5541 5551 5561 5571 5592 5598 5599 5611
  5621 5631 5641 5651 5655 5661 5681 5691 5697-5699 5712-5714 5718 5719 5722 5732-5735 5811-5818 5912 5921 5931-5933
  5935 5937 5940-5950 5960 5962-5973 5975-5978 5983 5992-5999 6010-6012 6050 6051 6211 6300 6513 6532 6533 7011 7012
  7032 7033 7210 7211 7216 7217 7221 7230 7251 7261 7273 7276-7278 7296-7299 7311 7321 7333 7338 7339 7342 7343 7349
  7361 7372 7375 7379 7392-7395 7399 7511-7513 7519 7523 7531 7534 7535 7538 7542 7549 7622 7623 7629 7631 7641 7692
  7699 7829 7832 7841 7911 7922 7929 7932 7933 7941 7991-7999 8011 8021 8031 8041-8043 8049 8050 8062 8071 8099 8111
  8211 8220 8241 8244 8249 8299 8351 8398 8641 8651 8661 8675 8699 8734 8911 8931 8999 9211 9222 9223 9311 9399 9402
  9405 9406 9950
`
  .trim()
  .split(/\s+/);

const MCC_DIGITS = 4;
const MCC = /^\d{3,4}$/;

/** Four digits: 742 and 0742 are the same code. Undefined when it is not 3 or 4 digits. */
export function normalizeMcc(code: string | number): string | undefined {
  const text = String(code);
  return MCC.test(text) ? text.padStart(MCC_DIGITS, "0") : undefined;
}

function expand(range: string): string[] {
  const [first, last] = range.split("-").map(Number);
  if (first === undefined) return [];
  return Array.from({ length: (last ?? first) - first + 1 }, (_, i) => String(first + i).padStart(MCC_DIGITS, "0"));
}

export const MCC_CODES: readonly string[] = RANGES.flatMap(expand);

const KNOWN: ReadonlySet<string> = new Set(MCC_CODES);

export function isKnownMcc(code: string | number): boolean {
  const normal = normalizeMcc(code);
  return normal !== undefined && KNOWN.has(normal);
}
