import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { observeStatements, type SentStatement } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { balancesOf, checkpoint } from "@/lib/ledger/checkpoints";
import { openClient } from "@/lib/testing/api";

const sent: SentStatement[] = [];
observeStatements((statement) => sent.push(statement));

interface Node {
  "Relation Name"?: string;
  "Index Cond"?: string;
  Plans?: Node[];
}

const conditionsOn = (table: string, node: Node): string[] => [
  ...(node["Relation Name"] === table ? [node["Index Cond"] ?? "none"] : []),
  ...(node.Plans ?? []).flatMap((inner) => conditionsOn(table, inner)),
];

test("a balance and a checkpoint are read from the last checkpoint on, behind row security too", async () => {
  const ctx = await (await openClient()).context();
  sent.length = 0;
  await inTransaction(ctx, async (inside) => {
    await balancesOf(inside, [newId()]);
    await checkpoint(inside, newId());
  });
  const statements = sent.filter(({ text }) => text.includes("ledger_checkpoints"));
  expect(statements).toHaveLength(2);
  for (const { text, parameters } of statements) {
    const conditions = await inTransaction(ctx, async ({ db }) => {
      const run = (statement: string) => db.execute(sql.raw(statement));
      // Whether the index could be used, however few rows there are.
      await run("set local enable_seqscan = off");
      await run("set local enable_bitmapscan = off");
      await run("set local plan_cache_mode = force_generic_plan");
      await run(`prepare balance as ${text}`);
      const values = parameters.map(() => "null").join(", ");
      const [row] = await run(`explain (format json) execute balance(${values})`);
      await run("deallocate balance");
      // Guarantee: EXPLAIN answers a list of plans.
      const plans = row?.["QUERY PLAN"] as { Plan: Node }[];
      return plans.flatMap(({ Plan }) => conditionsOn("transfers", Plan));
    });
    expect(conditions).toHaveLength(2);
    for (const condition of conditions) expect(condition).toContain("tx >=");
  }
});
