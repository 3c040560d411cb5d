import { type SQL, sql } from "drizzle-orm";

/** A name in small letters as lib/operators/buyers.ts shows it to who sees names masked. */
const shownName = (name: SQL): SQL =>
  sql`regexp_replace(btrim(${name}), '^(\\S+)\\s+(?:.*\\s)?(\\S)\\S*$', '\\1 \\2.')`;

/** Whether what is shown of a name in small letters begins as it was typed: nothing more of it answers anybody. */
export const shownBegins = (name: SQL, typed: string): SQL =>
  sql`starts_with(${shownName(name)}, ${typed.split(/\s+/).join(" ")})`;

const LIKE_SIGNS = /[%_\\]/g;

/** For LIKE: any part of a text. */
export const anyPart = (typed: string): string => `%${typed.replaceAll(LIKE_SIGNS, "\\$&")}%`;
