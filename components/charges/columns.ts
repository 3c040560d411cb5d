/** What a row of the list can show besides its amount. */
export const COLUMNS = [
  "status",
  "method",
  "buyer",
  "order",
  "link",
  "merchant",
  "provider",
  "decline",
  "date",
] as const;
export type ColumnName = (typeof COLUMNS)[number];

const USUAL: readonly ColumnName[] = ["status", "method", "buyer", "order", "provider", "date"];

/** Chosen in the address, in the order of the table; the usual ones when nothing is said. */
export function chosenColumns(asked: readonly string[], withMerchant: boolean): ColumnName[] {
  const usual: readonly string[] = withMerchant ? [...USUAL, "merchant"] : USUAL;
  const wanted = asked.length > 0 ? asked : usual;
  return COLUMNS.filter((column) => wanted.includes(column));
}
