import { parseArgs } from "node:util";
import postgres from "postgres";
import { copyPurchase } from "@/bench/invariants/rows";
import { describeMachine } from "@/bench/machine";
import { buyWhole } from "@/bench/purchases/measure";
import { openCardShop } from "@/bench/purchases/shop";
import { table } from "@/bench/table";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { type AuditedInvariant, auditInvariants } from "@/lib/invariants/audit";
import { ROOT } from "@/scripts/start/paths";

/** What the audit of every minute costs, over so many charges. */
const { values } = parseArgs({ options: { charges: { type: "string", default: "1000000" } } });
const CARDS = 3;
const TARGET_MS = 1_000;
const ROUNDS = 5;
const SHOWN = 8;

process.chdir(ROOT);
process.stdout.write(`${describeMachine()}\n\n`);
const server = await openWorld();
try {
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  const { id } = await buyWhole(await openCardShop());
  await copyPurchase(sql, id, Math.ceil(Number(values.charges) / CARDS));
  await sql.end({ timeout: 5 });
  const runs: AuditedInvariant[][] = [];
  for (let round = 0; round < ROUNDS; round++) runs.push(await auditInvariants());
  const worst = (invariant: string): number =>
    Math.max(...runs.flat().map((one) => (one.invariant === invariant ? one.durationMs : 0)));
  const [first = []] = runs;
  const wrong = runs.flat().filter(({ violations }) => violations > 0);
  if (wrong.length > 0) throw new Error(`the copies are not whole: ${JSON.stringify(wrong)}`);
  const whole = runs.map((run) => run.reduce((sum, { durationMs }) => sum + durationMs, 0));
  process.stdout.write(
    `${Number(values.charges).toLocaleString("en")} charges: runs of all ${first.length} invariants, one after the other, take ${whole.join(", ")} ms\n\n`,
  );
  process.stdout.write(
    table(
      ["invariant", "rows of one run", "longest ms"],
      first
        .toSorted((a, b) => worst(b.invariant) - worst(a.invariant))
        .slice(0, SHOWN)
        .map(({ invariant, checked }) => [
          invariant,
          checked.toLocaleString("en"),
          `${worst(invariant)} ≤ ${TARGET_MS} ${worst(invariant) <= TARGET_MS ? "reached" : "missed"}`,
        ]),
    ),
  );
} finally {
  await closePools();
  await closeWorld(server);
}
