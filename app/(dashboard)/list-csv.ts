import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { csvCell, csvLine } from "@/lib/csv";
import { centsToDecimal } from "@/lib/money";

export const ROWS_AT_A_TIME = 1_000;
/** Excel reads accents only after it. */
const BYTE_ORDER_MARK = "\uFEFF";

export interface CsvColumn<Row> {
  label: string;
  cell: (row: Row) => string;
  /** Stands bare, so that a negative amount stays a number. */
  isNumber?: true;
}

/** Cents as a decimal number, also below nothing. */
export const decimalCell = (cents: number): string => `${cents < 0 ? "-" : ""}${centsToDecimal(Math.abs(cents))}`;

interface CsvFile<Position> {
  name: string;
  /** The first line. */
  head: string;
  /** From the beginning, then from each `next` on. */
  page: (after: Position | undefined) => Promise<{ text: string; next?: Position | undefined }>;
}

/** Every row there is: one page is read when the one before it was taken, so a long list needs no more memory. */
export function csvFile<Position>({ name, head, page }: CsvFile<Position>): Response {
  const encoder = new TextEncoder();
  let after: Position | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(head));
    },
    async pull(controller) {
      const { text, next } = await page(after);
      controller.enqueue(encoder.encode(text));
      after = next;
      if (next === undefined) controller.close();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}-utc.csv"`,
      "cache-control": "no-store",
    },
  });
}

interface ListCsv<Row, Position> {
  /** Of the file and in the audit log. */
  name: string;
  filters?: Readonly<Record<string, string | undefined>>;
  columns: readonly CsvColumn<Row>[];
  page: (after: Position | undefined) => Promise<{ items: readonly Row[]; next?: Position | undefined }>;
}

/** The rows that the page shows with these filters, in its order, times in UTC; the export is in the audit log. */
export async function csvOfList<Row, Position = string>(
  ctx: Context,
  { name, filters = {}, columns, page }: ListCsv<Row, Position>,
): Promise<Response> {
  // The policies of somebody limited to some merchants let nothing be written.
  const { merchants: _merchants, ...unlimited } = ctx;
  await inTransaction(unlimited, (inside) =>
    audit(inside, {
      action: "list.export",
      object: "account",
      objectId: ctx.account.id,
      after: { list: name, filters },
    }),
  );
  const lineOf = (row: Row): string => {
    const line = columns.map(({ cell, isNumber }) => (isNumber ? cell(row) : csvCell(cell(row))));
    return `${line.join(",")}\r\n`;
  };
  return csvFile<Position>({
    name,
    head: BYTE_ORDER_MARK + csvLine(columns.map(({ label }) => label)),
    async page(after) {
      const { items, next } = await page(after);
      return { text: items.map(lineOf).join(""), next };
    },
  });
}
