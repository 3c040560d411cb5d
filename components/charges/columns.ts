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

/** What there is more than one of: a column that says the same in every row says nothing. */
export interface Several {
  merchants: boolean;
  providers: boolean;
}

/** Chosen in the address, in the order of the table; the usual ones when nothing is said. */
export function chosenColumns(asked: readonly string[], several: Several): ColumnName[] {
  const usual: readonly string[] = [
    ...USUAL,
    ...(several.merchants ? ["merchant"] : []),
    ...(several.providers ? ["provider"] : []),
  ];
  const wanted = asked.length > 0 ? asked : usual;
  return COLUMNS.filter((column) => wanted.includes(column));
}
