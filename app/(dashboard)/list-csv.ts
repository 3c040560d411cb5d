import { getLocale, getTimeZone } from "next-intl/server";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { csvCell, csvLine, type Delimiter } from "@/lib/csv";
import { wallIn } from "@/lib/i18n/time-zones";
import { decimalsOf } from "@/lib/reference/currencies";
import { withDecimals, zonedInstant } from "@/lib/reports/cells";

export const ROWS_AT_A_TIME = 1_000;
/** Excel reads accents only after it. */
const BYTE_ORDER_MARK = "\uFEFF";
const REAL = "BRL";
const SHARE_DECIMALS = 4;
const DAY_CHARS = "2026-11-30".length;

/** How a file is written for who takes it: as their reports are unless they ask for something else. */
export interface CsvForm {
  delimiter: Delimiter;
  point: "," | ".";
  moment: (at: Date) => string;
}

/** As Excel in Brazil reads dates: 30/11/2026 12:57:53, of `2026-11-30T12:57:53-03:00`. */
const brazilianMoment = (instant: string): string =>
  instant.replace(/^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2}).*$/, "$3/$2/$1 $4");

/** What a file is called in Portuguese, by its list. */
const PORTUGUESE_NAMES: Readonly<Record<string, string>> = {
  audit: "auditoria",
  events: "eventos",
  holds: "retencoes",
  payments: "pagamentos",
  replay: "reprocessamento",
  requests: "requisicoes",
  reviews: "revisoes",
  "sale-plans": "planos-de-venda",
  "seller-reviews": "revisoes-de-cadastro",
  statements: "extratos",
  vendors: "fornecedores",
};

/** In the language and the time zone of the page. */
export async function csvForm(): Promise<CsvForm> {
  const [locale, timezone] = await Promise.all([getLocale(), getTimeZone()]);
  const instant = zonedInstant(timezone);
  const moment = (at: Date): string => instant(at.getTime());
  if (locale === "en") return { delimiter: ",", point: ".", moment };
  return { delimiter: ";", point: ",", moment: (at) => brazilianMoment(moment(at)) };
}

/** Numbers and amounts stand bare, so that a negative one stays a number; everything else is text, never a formula. */
export type CsvColumn<Row> = { label: string } & (
  | { cell: (row: Row) => string; isNumber?: true }
  | { moment: (row: Row) => Date | null }
  /** From 0 to 1. */
  | { share: (row: Row) => number | null }
  | {
      /** Null where there is none. */
      cents: (row: Row) => number | null;
      /** Of all rows the same where this is left out. */
      currency?: (row: Row) => string;
    }
);

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
      "content-disposition": `attachment; filename="${name}.csv"`,
      "cache-control": "no-store",
    },
  });
}

interface Table<Row, Position> {
  name: string;
  /** On the account's clock, as everything in the file. */
  now: Date;
  columns: readonly CsvColumn<Row>[];
  page: (after: Position | undefined) => Promise<{ items: readonly Row[]; next?: Position | undefined }>;
}

/** Rows as a file in the form of who takes it; what is exported, the caller tells the audit log. */
export async function csvTable<Row, Position = string>({
  name,
  now: at,
  columns,
  page,
}: Table<Row, Position>): Promise<Response> {
  const [form, timezone, locale] = await Promise.all([csvForm(), getTimeZone(), getLocale()]);
  const called = locale === "en" ? name : (PORTUGUESE_NAMES[name] ?? name);
  const lineOf = (row: Row): string => `${columns.map((column) => cellOf(column, row, form)).join(form.delimiter)}\r\n`;
  return csvFile<Position>({
    // What it is of, and the day it was made.
    name: `${called}-${wallIn(timezone, at).slice(0, DAY_CHARS)}`,
    head:
      BYTE_ORDER_MARK +
      csvLine(
        columns.map(({ label }) => label),
        form.delimiter,
      ),
    async page(after) {
      const { items, next } = await page(after);
      return { text: items.map(lineOf).join(""), next };
    },
  });
}

function cellOf<Row>(column: CsvColumn<Row>, row: Row, { delimiter, point, moment }: CsvForm): string {
  if ("moment" in column) {
    const at = column.moment(row);
    return at ? moment(at) : "";
  }
  if ("cents" in column) {
    const cents = column.cents(row);
    return cents === null ? "" : withDecimals(String(cents), decimalsOf(column.currency?.(row) ?? REAL), point);
  }
  if ("share" in column) return column.share(row)?.toFixed(SHARE_DECIMALS).replace(".", point) ?? "";
  const text = column.cell(row);
  return column.isNumber ? text : csvCell(text, delimiter);
}

interface ListCsv<Row, Position> extends Omit<Table<Row, Position>, "now"> {
  filters?: Readonly<Record<string, string | undefined>>;
}

/** The rows that the page shows with these filters, in its order; the export is in the audit log. */
export async function csvOfList<Row, Position = string>(
  ctx: Context,
  { filters = {}, ...table }: ListCsv<Row, Position>,
): Promise<Response> {
  // The policies of somebody limited to some merchants let nothing be written.
  const { merchants: _merchants, ...unlimited } = ctx;
  await inTransaction(unlimited, (inside) =>
    audit(inside, {
      action: "list.export",
      object: "account",
      objectId: ctx.account.id,
      after: { list: table.name, filters },
    }),
  );
  return csvTable({ ...table, now: now(ctx) });
}
