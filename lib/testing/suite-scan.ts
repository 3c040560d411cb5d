import postgres from "postgres";
import { SANDBOX_BRANDS, SANDBOX_OUTCOMES, sandboxPan } from "@/lib/reference/sandbox-pans";

/** Every number of the simulator's table. */
const NUMBERS = SANDBOX_OUTCOMES.flatMap((outcome) => SANDBOX_BRANDS.map((brand) => sandboxPan(outcome, brand)));
const inHex = (digits: string): string => Buffer.from(digits).toString("hex");

/** As text and as the hex that a bytea column shows. */
const ANY_NUMBER = `(${NUMBERS.flatMap((pan) => [pan, inHex(pan)]).join("|")})`;

/** More of a number than may be shown, with few branches: what does not match it needs not be compared with all of them. */
const BEGINS = [...new Set(NUMBERS.map((pan) => pan.slice(0, 6)))];
const ANY_BEGINNING = `((${BEGINS.join("|")})[0-9]{4}|(${BEGINS.map(inHex).join("|")})(3[0-9]){4})`;

/** Tables of a test file's database in which a card number of the simulator stands: after every file there must be none. */
export async function tablesWithNumbers(url: string): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const tables = await sql<{ schema: string; name: string }[]>`
      select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and pg_relation_size(c.oid) > 0`;
    if (tables.length === 0) return [];
    const shows = tables.map(
      ({ schema, name }) => sql`
        select ${`${schema}.${name}`} as name where exists (
          select from ${sql(schema)}.${sql(name)} t where t::text ~ ${ANY_BEGINNING} and t::text ~ ${ANY_NUMBER})`,
    );
    const found = await sql<{ name: string }[]>`${shows.reduce((all, one) => sql`${all} union all ${one}`)}`;
    return found.map(({ name }) => name);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
