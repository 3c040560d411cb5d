import { type SQL, sql } from "drizzle-orm";

/** Texts as one parameter and an array of the database, whatever they hold; cast it for other types. */
export const textArray = (values: readonly string[]): SQL =>
  sql`array(select json_array_elements_text(${JSON.stringify(values)}::json))`;
