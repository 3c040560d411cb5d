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

const USUAL: readonly ColumnName[] = ["status", "method", "buyer", "order", "date"];

/** Chosen in the address, in the order of the table; the usual ones when nothing is said. */
export function chosenColumns(asked: readonly string[], withMerchant: boolean): ColumnName[] {
  // Where there are several merchants, whose payment it is says more than who carried it.
  const usual: readonly string[] = [...USUAL, withMerchant ? "merchant" : "provider"];
  const wanted = asked.length > 0 ? asked : usual;
  return COLUMNS.filter((column) => wanted.includes(column));
}
