/** What a spreadsheet would take for a formula, also behind spaces (spec/reliability.md 2.12). */
const FORMULA = /^[\s\0]*[=+\-@\t\r\n\0＝＋－＠]/;

export type Delimiter = "," | ";";

/** Text as one cell (RFC 4180), never a formula. */
export function csvCell(text: string, delimiter: Delimiter = ","): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return (delimiter === "," ? QUOTED : QUOTED_SEMICOLON).test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
const QUOTED = /[",\r\n]/;
const QUOTED_SEMICOLON = /[";\r\n]/;

export const csvLine = (cells: readonly string[], delimiter: Delimiter = ","): string =>
  `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
