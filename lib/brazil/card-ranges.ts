import creditCardType from "credit-card-type";

/** Beginnings that the library gives to another scheme, or only in part. */
const BRAZILIAN: Readonly<Record<string, readonly string[]>> = {
  elo: ["401178", "401179", "438935", "451416", "457631", "504175", "5067", "5090", "627780", "636297", "636368"],
  hipercard: ["606282"],
  aura: ["507860"],
};

/** No scheme tells its cards apart by more digits than these. */
const PREFIX_DIGITS = 8;
const ALL_PREFIXES = 10 ** PREFIX_DIGITS;

interface Range {
  scheme: string;
  /** First and last prefix of PREFIX_DIGITS digits. */
  from: number;
  to: number;
  /** The higher one wins where ranges overlap; of equals the earlier one. */
  rank: number;
}

const BRAZILIAN_RANK = 2 * PREFIX_DIGITS;
// Elo lives inside the ranges of Visa, Discover and Maestro, sometimes under patterns as long as its own.
const ELO_RANK = PREFIX_DIGITS;

function rangeOf(scheme: string, first: string, last: string, bonus: number): Range {
  const from = Number(first.padEnd(PREFIX_DIGITS, "0"));
  return { scheme, from, to: Number(last.padEnd(PREFIX_DIGITS, "9")), rank: first.length + bonus };
}

const RANGES: Range[] = [
  ...Object.entries(BRAZILIAN).flatMap(([scheme, prefixes]) =>
    prefixes.map((prefix) => rangeOf(scheme, prefix, prefix, BRAZILIAN_RANK)),
  ),
  ...Object.values(creditCardType.types).flatMap((scheme) =>
    creditCardType.getTypeInfo(scheme).patterns.map((pattern) => {
      const [first, last] = Array.isArray(pattern) ? pattern : [pattern, pattern];
      return rangeOf(scheme, String(first), String(last), scheme === "elo" ? ELO_RANK : 0);
    }),
  ),
];

/** Where the scheme changes, in order, with the scheme from there on: one search per number instead of 250 patterns. */
const STARTS = [...new Set([0, ...RANGES.flatMap(({ from, to }) => [from, to + 1])])]
  .filter((start) => start < ALL_PREFIXES)
  .sort((a, b) => a - b)
  .map((start) => ({ start, scheme: strongestAt(start) }));

function strongestAt(prefix: number): string | undefined {
  let best: Range | undefined;
  for (const range of RANGES) {
    if (range.from <= prefix && prefix <= range.to && range.rank > (best?.rank ?? 0)) best = range;
  }
  return best?.scheme;
}

/** The scheme whose cards begin like these digits (at least 8): the library's name, or `aura`. */
export function schemeOfDigits(digits: string): string | undefined {
  const prefix = Number(digits.slice(0, PREFIX_DIGITS).padEnd(PREFIX_DIGITS, "0"));
  let low = 0;
  let high = STARTS.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((STARTS[middle]?.start ?? 0) <= prefix) low = middle;
    else high = middle - 1;
  }
  return STARTS[low]?.scheme;
}

const LENGTHS: ReadonlyMap<string, readonly number[]> = new Map(
  Object.values(creditCardType.types).map((scheme) => [scheme, creditCardType.getTypeInfo(scheme).lengths]),
);

/** Lengths of the cards of one of the library's schemes. */
export const lengthsOfScheme = (scheme: string): readonly number[] => LENGTHS.get(scheme) ?? [];
