/** What a spreadsheet would take for a formula, also behind spaces (spec/reliability.md 2.12). */
const FORMULA = /^[\s\0]*[=+\-@\t\r\n\0＝＋－＠]/;

/** Text as one cell (RFC 4180), never a formula. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;
