import postgres from "postgres";
import { SANDBOX_BRANDS, SANDBOX_OUTCOMES, sandboxPan } from "@/lib/reference/sandbox-pans";

/** Every number of the simulator's table, as text and as the hex that a bytea column shows. */
const NUMBERS = SANDBOX_OUTCOMES.flatMap((outcome) => SANDBOX_BRANDS.map((brand) => sandboxPan(outcome, brand)));
const ANY_NUMBER = `(${NUMBERS.flatMap((pan) => [pan, Buffer.from(pan).toString("hex")]).join("|")})`;

/** Tables of a test file's database in which a card number of the simulator stands: after every file there must be none. */
export async function tablesWithNumbers(url: string): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const tables = await sql<{ schema: string; name: string }[]>`
      select table_schema as schema, table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
    const found: string[] = [];
    for (const { schema, name } of tables) {
      const table = sql`${sql(schema)}.${sql(name)}`;
      const [row] = await sql<
        { hit: boolean }[]
      >`select exists (select from ${table} t where t::text ~ ${ANY_NUMBER}) as hit`;
      if (row?.hit) found.push(`${schema}.${name}`);
    }
    return found;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
