import { createInterface } from "node:readline";
import { operationMachine, purchaseMachine, slotMachine } from "@/lib/purchases/machine";
import { scriptedProvider } from "@/lib/testing/simulator/provider";
import { runSchedule } from "@/lib/testing/simulator/schedule";
import { bytesFor } from "@/lib/testing/simulator/seeded";
import { forget, openShop } from "@/lib/testing/simulator/shop";
import { acting, Crashed, clock, gate, guard, START_MS, type Virtual } from "@/lib/testing/simulator/virtual";
import { told, World } from "@/lib/testing/simulator/world";

/** A process that runs schedules: seeds come in on standard input, one a line, and a line of JSON goes out for each. */

let world: World | undefined;
const setupBytes = bytesFor("setup");
const covered = new Set<string>();

const virtual: Virtual = {
  now: () => new Date(clock.atMs),
  monotonicMs: () => clock.atMs,
  bytes: (size) => (world ? world.bytes(size) : setupBytes(size)),
  pause: async (ms) => {
    await acting.getStore()?.reaches("pause", clock.atMs + ms);
  },
  provider: () => provider,
  gate,
  guard,
  logged: (level, fields, message) => {
    if (level !== "error" || isCrash(fields.error)) return;
    world?.logged.push(
      `${message}: ${told(fields.error)} ${process.env.STORY && fields.error instanceof Error ? fields.error.stack : ""}`,
    );
  },
  moved: (machine, from, fact) => {
    covered.add(`${machine} ${from} ${fact}`);
  },
};
Object.assign(globalThis, { trilhoVirtual: virtual });

/** The query builder wraps what a statement fails with. */
const isCrash = (thrown: unknown): boolean =>
  thrown instanceof Crashed || (thrown instanceof Error && isCrash(thrown.cause));

const provider = scriptedProvider(() => {
  if (!world) throw new Error("no schedule runs");
  return { bank: world.bank, mood: world.mood, seed: String(world.seed) };
});

const rowsCovered = (): string[] =>
  [slotMachine, operationMachine, purchaseMachine].flatMap(({ name, rows }) =>
    rows.filter(([, from, fact]) => covered.has(`${name} ${from} ${fact}`)).map(([row]) => row),
  );

const shop = await openShop(process.env.DATABASE_URL ?? "");
// The day of its merchant comes again and again: no schedule would end.
await forget(shop);

async function run(seed: number) {
  clock.atMs = START_MS;
  await shop.owner.setClock(START_MS);
  world = new World(seed, shop.owner);
  let wrongs: string[];
  try {
    wrongs = await runSchedule(world, shop);
  } catch (thrown) {
    wrongs = [told(thrown)];
  }
  await forget(shop);
  const { log } = world.bank;
  const print = createPrint(log);
  const { counts } = world;
  return { seed, wrongs, counts, calls: log.filter(({ kind }) => kind === "call").length, print, story: world.story };
}

/** Two runs of one seed have one print. */
const createPrint = (log: World["bank"]["log"]): string =>
  log
    .map(({ atMs, operation, slot, kind, says }) => `${atMs - START_MS}${operation[0]}${slot}${kind[0]}${says ?? ""}`)
    .join(" ");

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "end") break;
  const { story, print, ...result } = await run(Number(line));
  const isTold = result.wrongs.length > 0 || process.env.STORY !== undefined;
  process.stdout.write(`${JSON.stringify({ ...result, ...(isTold ? { story, print } : {}) })}\n`);
}
process.stdout.write(`${JSON.stringify({ rows: [...new Set(rowsCovered())] })}\n`);
process.exit(0);
