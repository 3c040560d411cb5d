import { parseArgs } from "node:util";
import { startRecording } from "@/bench/charges/recording";
import { describeMachine } from "@/bench/machine";
import { againstBare, FLOOR_MS, measurePurchases, PROVIDER_MS } from "@/bench/purchases/measure";
import { table } from "@/bench/table";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { ROOT } from "@/scripts/start/paths";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const PLAN = values.quick
  ? { sizes: [1_000, 5_000], whole: 5, accepted: 400, rounds: 3 }
  : { sizes: [10_000, 100_000, 1_000_000], whole: 60, accepted: 2_000, rounds: 7 };
/** The p95 of the six calls, the p99 of an acceptance of its p50, and its speed of a bare server with the same statements. */
const TARGETS = { ofCalls: 1.3, spread: 4, ofBare: 0.5 };

const verdict = (isReached: boolean): string => (isReached ? "reached" : "missed");

process.chdir(ROOT);
process.stdout.write(`${describeMachine()}\n\n`);
const server = await openWorld();
try {
  startRecording();
  const bare = await againstBare(server.url, PLAN);
  process.stdout.write(
    `POST /v1/purchases, ${bare.statements} statements in ${bare.flights} round trips: ${bare.product.toFixed(0)}/s, a bare server with the same ${bare.bare.toFixed(0)}/s, ${bare.ratio.toFixed(2)} ≥ ${TARGETS.ofBare} ${verdict(bare.ratio >= TARGETS.ofBare)}\n\n`,
  );
  const results = await measurePurchases(server.url, PLAN, (line) => process.stderr.write(`${line} …\n`));
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
