import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { EXPORTED, type Exported, LEFT_OUT } from "@/lib/accounts/exported-tables";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { listMembers } from "@/lib/operators/team";
import { realNow } from "@/lib/time";

/** Rows in memory at once. */
const ROWS_AT_A_TIME = 500;
const FORMAT = 1;

/** The export is written down when it is asked for, whether its last byte arrives or not. */
export const recordExport = (ctx: Context): Promise<void> =>
  inTransaction(ctx, (inside) =>
    audit(inside, { action: "account.export", object: "account", objectId: inside.account.id }),
  );

/**
 * Everything the account holds as JSON lines: what follows, then table after table, then what it all came to: how many
 * rows of each kind, the charges of each status and currency with their sums in cents under the names of the rows, and
 * the checksum of every line before. Each page is read in a transaction of its own, under the policies that show this
 * account's rows alone.
 */
export async function* exportLines(ctx: Context, name: string): AsyncGenerator<string> {
  const digest = createHash("sha256");
  const rows: Record<string, number> = {};
  const sums = chargeSums();
  const line = (kind: string, content: object): string => {
    const text = `${JSON.stringify({ kind, ...content })}\n`;
    digest.update(text);
    return text;
  };
  const { id, mode } = ctx.account;
  const kinds = [...Object.keys(EXPORTED), "members"];
  yield line("export", {
    format: FORMAT,
    account: id,
    name,
    mode,
    at: realNow().toISOString(),
    kinds,
    leftOut: LEFT_OUT,
  });
  for (const [table, exported] of Object.entries(EXPORTED)) {
    let count = 0;
    for await (const page of pagesOf(ctx, table, exported)) {
      count += page.length;
      if (table === "charges") sums.add(page);
      yield page.map((row) => line(table, { row })).join("");
    }
    rows[table] = count;
  }
  const members = await listMembers(ctx);
  rows.members = members.length;
  yield members.map((row) => line("members", { row })).join("");
  yield `${JSON.stringify({ kind: "end", rows, charges: sums.all(), sha256: digest.digest("hex") })}\n`;
}

/** Names of this module's own tables, never of a caller. */
const textArray = (names: readonly string[]) => sql.raw(`'{${names.join(",")}}'::text[]`);

interface PageRow extends Record<string, unknown> {
  row: Record<string, unknown>;
  mark: string[];
}

async function* pagesOf(ctx: Context, table: string, { key, without, json }: Exported) {
  const columns = Object.keys(key);
  const names = sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  );
  // Bytes that hold JSON are written as what they say.
  const said = (column: string) =>
    sql` || jsonb_build_object(${column}::text, convert_from(t.${sql.identifier(column)}, 'UTF8')::jsonb)`;
  const row = sql`to_jsonb(t) - ${textArray(without ?? [])}${sql.join((json ?? []).map(said), sql``)}`;
  const mark = sql.join(
    columns.map((column) => sql`t.${sql.identifier(column)}::text`),
    sql`, `,
  );
  let after: string[] | undefined;
  do {
    const since: string[] | undefined = after;
    const beyond = since
      ? sql`(${names}) > (${sql.join(
          columns.map((column, at) => sql`${since[at]}::text::${sql.raw(key[column] ?? "text")}`),
          sql`, `,
        )})`
      : sql`true`;
    const page = await inTransaction(ctx, ({ db }) =>
      db.execute<PageRow>(sql`
        select ${row} as row, array[${mark}] as mark from ${sql.identifier(table)} t
         where ${beyond} order by ${names} limit ${ROWS_AT_A_TIME}`),
    );
    if (page.length > 0) yield page.map((each) => each.row);
    after = page.length < ROWS_AT_A_TIME ? undefined : page.at(-1)?.mark;
  } while (after);
}

const SUMMED = ["original_amount", "amount", "captured_amount", "refunded_amount", "charged_back_amount"] as const;

interface ChargeSum extends Record<(typeof SUMMED)[number], number> {
  status: string;
  currency: string;
  count: number;
}

/** Of the rows as they are written: whoever reads them adds up the same. */
function chargeSums(): { add(page: readonly PageRow["row"][]): void; all(): ChargeSum[] } {
  const known = new Map<string, ChargeSum>();
  return {
    add(page) {
      for (const row of page) {
        const [status, currency] = [String(row.status), String(row.currency)];
        const key = [status, currency].join(" ");
        const sum = known.get(key) ?? { status, currency, count: 0, ...NOTHING };
        sum.count++;
        for (const name of SUMMED) sum[name] += Number(row[name]);
        known.set(key, sum);
      }
    },
    all: () => [...known.keys()].sort().flatMap((key) => known.get(key) ?? []),
  };
}

const NOTHING = {
  original_amount: 0,
  amount: 0,
  captured_amount: 0,
  refunded_amount: 0,
  charged_back_amount: 0,
} satisfies Record<(typeof SUMMED)[number], number>;
