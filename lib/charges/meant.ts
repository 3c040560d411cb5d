import { and, inArray, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { MeantTerm, SearchTerm } from "@/lib/charges/search-terms";

/**
 * Payments of an order written so or beginning so, those that the whole text names, or those that everything else holds
 * for.
 */
export interface Meant {
  orders: readonly string[];
  /** In the words of charges, and of purchases; undefined where no beginning is meant. */
  begun: Readonly<Record<"charge" | "purchase", SQL>> | undefined;
  whole: readonly SearchTerm[];
  terms: readonly (readonly MeantTerm[])[];
  /** Buyers of the name that was typed; undefined where none was. */
  buyers: readonly string[] | undefined;
  /** Payment links whose name or description has the words. */
  links: readonly string[];
  /** Payments without a buyer whose card has that name; undefined where none was typed. */
  held: Readonly<Record<"charge" | "purchase", Named>> | undefined;
}

/** Rows found by their key, and the condition of those that are too many for that. */
export interface Named {
  ids: readonly string[];
  common: SQL | undefined;
}

export function anyMeant(
  column: PgColumn,
  { orders }: Meant,
  others: readonly (SQL | undefined)[],
  all: readonly SQL[],
): SQL {
  const written = orders.length > 0 ? inArray(column, [...orders]) : undefined;
  return or(written, ...others, all.length > 0 ? and(...all) : undefined) ?? sql`false`;
}

/** One list of keys for whoever is known by them: as conditions of their own, each row of the list would be walked past. */
export function ofPayers(id: PgColumn, found: readonly SQL[], held: Named | undefined): SQL {
  const named = held?.ids.length ? [sql`select unnest(${`{${held.ids.join(",")}}`}::uuid[])`] : [];
  const keys = sql`${id} in (${sql.join([...found, ...named], sql` union all `)})`;
  return held?.common ? sql`(${keys} or ${held.common})` : keys;
}

/** An amount in the words of charges, or of purchases. */
interface OfAmount {
  side: "charge" | "purchase";
  is: (amount: number) => SQL | undefined;
  ids: (amount: number) => SQL[];
}

/** Rows that other readings of a text list, and those of the amount that it may be. */
export function orOfAmount(
  id: PgColumn,
  found: readonly SQL[],
  terms: readonly MeantTerm[],
  { side, is, ids }: OfAmount,
): SQL | undefined {
  const amount = terms.find((term) => term.kind === "amount");
  if (!amount) return sql`${id} in (${sql.join([...found], sql` union all `)})`;
  // Walks its index in the order of the list: half a million payments may be of one price.
  if (terms.length === 1) return is(amount.value);
  const isCommon = "isCommon" in amount && amount.isCommon[side];
  const keys = sql.join(isCommon ? [...found] : [...found, ...ids(amount.value)], sql` union all `);
  return isCommon ? or(sql`${id} in (${keys})`, is(amount.value)) : sql`${id} in (${keys})`;
}
