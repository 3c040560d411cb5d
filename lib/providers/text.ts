const MARKS = /\p{M}/gu;
const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Text as providers take it: accents folded, everything else outside printable ASCII dropped, cut to a length. */
export const foldedText = (text: string, maxLength: number): string =>
  text
    .normalize("NFD")
    .replace(MARKS, "")
    .replace(UNPRINTABLE, "")
    .replace(/ {2,}/g, " ")
    .trim()
    .slice(0, maxLength)
    .trim();
