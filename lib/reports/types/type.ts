import type { ReportType } from "@/db/schema/reports";

/**
 * How a value is written: `amount` is money in cents, summed in the manifest; numbers and amounts stand bare in a
 * sheet, everything else is text that is never a formula.
 */
export type ColumnKind = "text" | "number" | "amount" | "instant" | "boolean";

export interface Column {
  readonly id: string;
  /** Where it has one; the English label is the identifier. */
  readonly pt?: string;
  readonly kind: ColumnKind;
  /** Fixed text of this module, never of a caller. */
  readonly sql: string;
  /** Where its values are words: in Portuguese. */
  readonly sqlPt?: string;
  /** Of a buyer: a public key sees it only where a secret key allowed that. */
  readonly isPersonal?: true;
}

/** What a condition may compare with: checked at the edge, and written as a literal of its own type. */
export type Condition =
  | { readonly sql: string; readonly uuid: string }
  | { readonly sql: string; readonly words: readonly string[] }
  /** A whole condition, of fixed text. */
  | { readonly is: string };

export interface RowSource {
  readonly type: ReportType;
  /** In the order of `all`. */
  readonly columns: readonly Column[];
  /** Accepted besides, and no part of `all`. */
  readonly further?: readonly Column[];
  /** The same, for people: the dashboard offers them behind the column of this id. */
  readonly offered?: Readonly<Record<string, readonly Column[]>>;
  /** Other names of a column on input. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** The table of the rows, with its alias. */
  readonly from: string;
  /** By the alias that a column or a condition names; joined only where one does. */
  readonly joins: readonly (readonly [alias: string, sql: string])[];
  readonly clientId: string;
  /** Of the row: the span compares it, and the files are in its order. */
  readonly createdAt: string;
  readonly id: string;
  /** Null where no amount has one. */
  readonly currency: string | null;
  /** The public key that made the row, where rows have one. */
  readonly createdByKey?: string;
}

const column =
  (kind: ColumnKind) =>
  (id: string, sql: string, pt?: string): Column => ({ id, kind, sql, ...(pt === undefined ? {} : { pt }) });
export const textColumn = column("text");
export const amountColumn = column("amount");
export const number = column("number");
export const instantColumn = column("instant");
export const boolean = column("boolean");
export const personal = (id: string, sql: string, pt?: string): Column => ({
  ...textColumn(id, sql, pt),
  isPersonal: true,
});

/** Of an English column: `customer__name` is `customer name`. */
export const labelOf = ({ id, pt }: Column, language: "en" | "pt"): string =>
  language === "pt" && pt !== undefined ? pt : id.replaceAll("_", " ").replace(/ +/g, " ").toLowerCase();

/** The column with its values in the report's language. */
export const spokenIn = (language: "en" | "pt", column: Column): Column =>
  language === "pt" && column.sqlPt !== undefined ? { ...column, sql: column.sqlPt } : column;
