/** Widths of the five elements of each digit: two of five are wide. */
const DIGITS = ["nnwwn", "wnnnw", "nwnnw", "wwnnn", "nnwnw", "wnwnn", "nwwnn", "nnnww", "wnnwn", "nwnwn"] as const;
const START = "nnnn";
const STOP = "wnn";
/** A wide element is three narrow ones. */
const WIDE = 3;

/** Bars and spaces of Interleaved 2 of 5, in narrow widths, beginning with a bar. An even number of digits. */
export function elementsOf(digits: string): number[] {
  if (!/^(?:\d\d)+$/.test(digits)) throw new Error("pairs of digits are interleaved");
  let pattern: string = START;
  for (let i = 0; i < digits.length; i += 2) {
    const bars = DIGITS[Number(digits[i])] ?? "";
    const spaces = DIGITS[Number(digits[i + 1])] ?? "";
    for (let element = 0; element < bars.length; element++) pattern += `${bars[element]}${spaces[element]}`;
  }
  return Array.from(pattern + STOP, (element) => (element === "w" ? WIDE : 1));
}
