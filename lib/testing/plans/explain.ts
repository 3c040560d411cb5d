import type postgres from "postgres";
import type { SentStatement } from "@/db/client";

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  Schema?: string;
  Plans?: Node[];
}

/** The tables that the generic plan of a statement reads from end to end. */
export async function readsWhole(
  sql: postgres.Sql,
  { pool, text }: Pick<SentStatement, "pool" | "text">,
  clientId: string,
): Promise<string[]> {
  return sql.begin(async (tx) => {
    await tx.unsafe(`set local role ${pool.split(":")[0]}`);
    await tx`set local plan_cache_mode = force_generic_plan`;
    await tx`select set_config('app.client_id', ${clientId}, true)`;
    await tx.unsafe(`prepare hot as ${text}`);
    const [{ count }] = await tx<[{ count: number }]>`
      select cardinality(parameter_types) as count from pg_prepared_statements where name = 'hot'`;
    const nulls = Array.from({ length: count }, () => "null").join(", ");
    const [row] = await tx.unsafe<{ "QUERY PLAN": { Plan: Node }[] }[]>(
      `explain (verbose, format json) execute hot${count > 0 ? `(${nulls})` : ""}`,
    );
    await tx.unsafe("deallocate hot");
    return row?.["QUERY PLAN"].flatMap(({ Plan }) => scannedBy(Plan)) ?? [];
  });
}

const scannedBy = (node: Node): string[] => [
  ...(node["Node Type"] === "Seq Scan" && node.Schema === "public" ? [node["Relation Name"] ?? ""] : []),
  ...(node.Plans ?? []).flatMap(scannedBy),
];

const TOTAL = /^select count\(\*\)|count\(\*\) over \(\)/;
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i;

/** Statements that have a plan, each once; an exact total reads all that the account has, whatever the plan. */
export function planned(sent: readonly SentStatement[]): SentStatement[] {
  const byText = new Map(sent.map((statement) => [`${statement.pool} ${statement.text}`, statement]));
  return [...byText.values()].filter(({ text }) => PLANNED.test(text) && !TOTAL.test(text));
}
