import { parseArgs } from "node:util";
import { comparison } from "@/bench/compare/comparison";
import { measureWrites, ratioOf } from "@/bench/compare/measure";
import { describeMachine } from "@/bench/machine";
import { FLOOR_MS, measurePurchases, PROVIDER_MS } from "@/bench/purchases/measure";
import { table } from "@/bench/table";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { ROOT } from "@/scripts/start/paths";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, against: { type: "string" } } });
const PLAN = values.quick
  ? { sizes: [1_000, 5_000], whole: 5, accepted: 400, compared: { rounds: 3, requests: 150, warmUp: 100 } }
  : {
      sizes: [10_000, 100_000, 1_000_000],
      whole: 60,
      accepted: 2_000,
      compared: { rounds: 7, requests: 500, warmUp: 300 },
    };
/** The p95 of the six calls, the p99 of an acceptance of its p50, and its speed of an earlier commit. */
const TARGETS = { ofCalls: 1.3, spread: 4, ofEarlier: 2 };
const CONNECTIONS = 32;

const verdict = (isReached: boolean): string => (isReached ? "reached" : "missed");

const say = (line: string): void => {
  process.stderr.write(`${line} …\n`);
};

process.chdir(ROOT);
process.stdout.write(`${describeMachine()}\n\n`);
await compare();
const server = await openWorld();
try {
  const results = await measurePurchases(server.url, PLAN, say);
  const [first] = results;
  process.stdout.write(
    `Three cards from request to paid, a provider of ${PROVIDER_MS} ms: ${FLOOR_MS} ms at least; POST /v1/purchases, 32 connections\n\n`,
  );
  process.stdout.write(
    table(
      [
        "purchases in the table",
        "paid p50 ms",
        "paid p95 ms",
        "its calls p50 ms",
        "p95 of its calls",
        "accepted/s",
        "p50 ms",
        "p99 ms",
        "p99 of the smallest",
      ],
      results.map((one) => [
        one.rows.toLocaleString("en"),
        one.wholeP50.toFixed(0),
        one.wholeP95.toFixed(0),
        one.callsP50.toFixed(0),
        `${one.ofCalls.toFixed(2)} ≤ ${TARGETS.ofCalls} ${verdict(one.ofCalls <= TARGETS.ofCalls)}`,
        one.perSecond.toFixed(0),
        one.acceptP50.toFixed(1),
        `${one.acceptP99.toFixed(1)} ≤ ${TARGETS.spread} × p50 ${verdict(one.acceptP99 <= TARGETS.spread * one.acceptP50)}`,
        (one.acceptP99 / (first?.acceptP99 ?? Number.NaN)).toFixed(2),
      ]),
    ),
  );
} finally {
  await closePools();
  await closeWorld(server);
}

async function compare(): Promise<void> {
  const plan = { ...PLAN.compared, what: "purchases", connections: [CONNECTIONS], against: values.against } as const;
  const results = await measureWrites(plan, say);
  for (const contenders of results.values()) {
    const [product, earlier] = contenders;
    if (!product) throw new Error("nothing was measured");
    process.stdout.write(`POST /v1/purchases with three cards, accepted, ${CONNECTIONS} connections\n\n`);
    process.stdout.write(comparison(contenders));
    if (!earlier) continue;
    const isReached = ratioOf(product, earlier) >= TARGETS.ofEarlier;
    process.stdout.write(`≥ ${TARGETS.ofEarlier} × ${earlier.name}: ${verdict(isReached)}\n\n`);
  }
}
