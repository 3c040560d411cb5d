import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { npmGone } from "@/bench/engine/npm";
import {
  type Bought,
  buy,
  buyAtPace,
  type EngineShop,
  endsOf,
  offerPix,
  openEngineShop,
  pixEndedAfter,
} from "@/bench/engine/shop";
import {
  answering,
  emptyInngest,
  type Kept,
  type Keys,
  openSink,
  PORTS,
  startInngest,
  startWeb,
  startWorker,
  stopAll,
} from "@/bench/engine/world";
import { percentile } from "@/bench/latencies";
import { cpuSecondsOf, describeMachine, serverCpuSeconds } from "@/bench/machine";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools, systemDb, systemSql } from "@/db/client";
import { readEngineLink } from "@/lib/engine/inngest/link";
import { faultSaid, linkFaultOf } from "@/lib/engine/inngest/standing";
import { queueOperatorMail } from "@/lib/mail/queue";
import { wrongsOf } from "@/lib/testing/kills/judge";
import { ROOT } from "@/scripts/start/paths";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: ["fresh", "pace", "silent", "keys", "moves", "kills", "npm"] },
    /** Of the outage, in seconds. */
    outage: { type: "string", default: "600" },
    kills: { type: "string", default: "20" },
    seconds: { type: "string", default: "30" },
    /** As the guide says. */
    tick: { type: "string", default: "20" },
  },
});
const binary = process.env.INNGEST_BIN;
const show = (line: string): void => void process.stdout.write(`${line}\n`);
const wanted = (part: string): boolean => values.only.includes(part);
const PER_SECOND = 3;
const MOST_MS = 120_000;
const tick = Number(values.tick);

const WRONG = { "signing key": { signingKey: "fedcba98".repeat(4) }, "event key": { eventKey: "another" } } as const;

/** Of the processes that fall, in their order. */
const ANSWERS = [
  `http://127.0.0.1:${PORTS.inngest}/health`,
  ...PORTS.worker.map((port) => `http://127.0.0.1:${port}/livez`),
  ...PORTS.web.map((port) => `http://127.0.0.1:${port}/calls`),
];

interface Stage {
  shop: EngineShop;
  told: Map<string, Set<string>>;
}

if (!binary) {
  show("left out: INNGEST_BIN names no Inngest server");
  process.exit(0);
}
process.chdir(ROOT);
show(describeMachine());
const database = await openWorld();
process.env.HOST = "127.0.0.1";
const sink = await openSink();
try {
  const stage: Stage = { shop: await openEngineShop(sink.address), told: sink.told };
  if (wanted("pace")) await pace(stage, binary);
  if (wanted("fresh")) await fresh(stage, binary);
  if (wanted("silent")) await silent(stage, binary);
  if (wanted("keys")) await keys(stage, binary);
  if (wanted("moves")) await moves(stage, binary);
  if (wanted("kills")) await kills(stage, binary);
  if (wanted("npm")) for (const line of await npmGone(binary, tick)) show(line);
} finally {
  await stopAll();
  sink.stop();
  await closePools();
  await closeWorld(database);
}

/** Ends, books and tellings of what was bought. */
async function judged(name: string, { told }: Stage, bought: readonly Bought[], limitMs = MOST_MS): Promise<void> {
  const { ms, wrong, neverThere, pending } = await endsOf(bought, limitMs);
  const broken = await wrongsOf(bought.map(({ id }) => id));
  await sleep(3_000);
  const tellings = bought.map(
    ({ id, expected }) =>
      told.get(`${expected === "paid" ? "purchase.paid" : "purchase.failed"} ${id}`)?.size ??
      told.get(`${expected} ${id}`)?.size ??
      0,
  );
  const longest = ms.at(-1) ?? 0;
  show(
    `${name}: ${bought.length} purchases, ${wrong.length} wrong, ${neverThere} failed by cards that the killed simulator never had, ${pending} pending, ${broken.length} breaks; ` +
      `p50 ${Math.round(percentile(ms, 0.5))} ms, longest ${(longest / 1000).toFixed(1)} s; ` +
      `ends told once ${tellings.filter((count) => count === 1).length}, not ${tellings.filter((count) => count === 0).length}, more ${tellings.filter((count) => count > 1).length}`,
  );
  for (const line of [...wrong, ...broken].slice(0, 10)) show(`  ${line}`);
}

async function all(parts: readonly Kept[]): Promise<void> {
  for (const part of parts) await part.stop();
}

async function registered(limitMs = 60_000): Promise<void> {
  const until = performance.now() + limitMs;
  const sql = systemSql();
  while (performance.now() < until) {
    const link = await readEngineLink(sql);
    if (link?.registeredAt && !link.registrationFault) return;
    await sleep(50);
  }
  throw new Error("the functions were not registered");
}

/** CPU seconds until now, by process. */
function spentBy(parts: readonly Kept[]): [string, number][] {
  return [
    ["database", serverCpuSeconds(database.pid)],
    ...parts.map(({ name, pid }): [string, number] => [name, cpuSecondsOf(pid())]),
  ];
}

function spentSince(before: [string, number][], after: [string, number][], purchases: number): string {
  const each = after.map(([name, seconds], index) => {
    const ms = ((seconds - (before[index]?.[1] ?? 0)) * 1_000) / purchases;
    return `${name} ${Math.round(ms)}`;
  });
  return `ms of CPU a purchase: ${each.join(", ")}`;
}

/** The embedded engine and Inngest in turns, at a pace both hold and at one that makes a queue. */
async function pace(stage: Stage, bin: string): Promise<void> {
  const seconds = Number(values.seconds);
  for (const kind of ["embedded", "inngest", "embedded", "inngest"] as const) {
    const keys = kind === "inngest" ? {} : null;
    emptyInngest();
    const parts = [
      ...(kind === "inngest" ? [startInngest(bin, tick)] : []),
      startWorker(0, keys),
      startWeb(0, keys),
      startWeb(1, keys),
    ];
    await answering(`http://127.0.0.1:${PORTS.web[0]}/calls`);
    await answering(`http://127.0.0.1:${PORTS.web[1]}/calls`);
    if (keys) await registered();
    await endsOf(await buyAtPace(stage.shop, 2, 5), MOST_MS);
    await judged(`${kind}, ${PER_SECOND}/s`, stage, await buyAtPace(stage.shop, PER_SECOND, seconds, 1_000));
    const before = spentBy(parts);
    const many = await Promise.all(Array.from({ length: 200 }, (_, index) => buy(stage.shop, 5_000 + index)));
    await endsOf(many, MOST_MS);
    const [rate] = await systemSql()<{ rate: number }[]>`
      select count(*) / extract(epoch from max(e.created_at) - min(e.created_at))::float8 as rate
        from events e where e.entity_id = any(${many.map(({ id }) => id)}::uuid[]) and e.event in ('paid', 'failed')`;
    show(
      `${kind}: 200 at once, ${(rate?.rate ?? 0).toFixed(1)} ends/s; ${spentSince(before, spentBy(parts), many.length)}`,
    );
    await all(parts.reverse());
  }
}

/** The server knows nothing of us; then the installation starts, and nobody helps. */
async function fresh(stage: Stage, bin: string): Promise<void> {
  emptyInngest();
  const server = startInngest(bin, tick);
  await answering(`http://127.0.0.1:${PORTS.inngest}/health`);
  await systemSql()`delete from engine_link`;
  const parts = [server, startWorker(0, {}), startWeb(0, {}), startWeb(1, {})];
  await answering(`http://127.0.0.1:${PORTS.web[1]}/calls`);
  await answering(`http://127.0.0.1:${PORTS.web[0]}/calls`);
  await registered();
  await judged("first start, the first purchase after registration", stage, [await buy(stage.shop, 0)], 30_000);
  const calls = await Promise.all(
    PORTS.web.map(
      async (port) => ((await (await fetch(`http://127.0.0.1:${port}/calls`)).json()) as { calls: number }).calls,
    ),
  );
  show(`calls taken by web processes: ${calls.join(", ")}`);
  await all(parts.reverse());
}

/** Inngest is stopped, then emptied; a purchase every five seconds, an e-mail, and a Pix that nobody pays. */
async function silent(stage: Stage, bin: string): Promise<void> {
  emptyInngest();
  const server = startInngest(bin, tick);
  const parts = [startWorker(0, {}), startWorker(1, {}), startWeb(0, {}), startWeb(1, {})];
  await answering(`http://127.0.0.1:${PORTS.web[0]}/calls`);
  await registered();
  await endsOf([await buy(stage.shop, 0)], MOST_MS);
  await server.stop("SIGKILL");
  emptyInngest();
  const began = performance.now();
  const bought: Bought[] = [];
  await systemDb()
    .transaction((db) =>
      queueOperatorMail(db, {
        template: "password-reset",
        locale: "en",
        to: "ana@bench.example",
        data: { url: "https://bench.example/", expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
      }),
    )
    .catch((error: unknown) => show(`no e-mail: ${String(error).slice(0, 200)}`));
  const pix = await offerPix(stage.shop);
  const said = new Set<string>();
  while (performance.now() - began < Number(values.outage) * 1_000) {
    bought.push(await buy(stage.shop, bought.length));
    const link = await readEngineLink(systemSql());
    const fault = link && linkFaultOf(link);
    if (link && fault) said.add(faultSaid(fault, link).replace(/\d+/, "N"));
    await sleep(5_000);
  }
  await judged(`server away for ${values.outage} s`, stage, bought, MOST_MS);
  const [notices] = await systemSql()<
    { n: number }[]
  >`select count(*)::int as n from notices where kind = 'engine_silent'`;
  const [mails] = await systemSql()<{ queued: number; done: number }[]>`
    select count(*) filter (where status = 'queued')::int as queued, count(*) filter (where status <> 'queued')::int as done from emails`;
  const expired = await pixEndedAfter(pix);
  show(
    `said: ${[...said].join("; ")}; notices ${notices?.n}; e-mails queued ${mails?.queued}, gone ${mails?.done}; ` +
      `a Pix ended ${expired === undefined ? "never" : `${expired.toFixed(0)} s after its code`}`,
  );
  const again = startInngest(bin, tick);
  const back = performance.now();
  await answering(`http://127.0.0.1:${PORTS.inngest}/health`);
  while (performance.now() - back < MOST_MS) {
    const link = await readEngineLink(systemSql());
    if (link && linkFaultOf(link) === null && link.calledAt && link.quietSeconds < 5) break;
    await sleep(200);
  }
  show(`server back, emptied: calls again after ${((performance.now() - back) / 1000).toFixed(1)} s`);
  await judged("after it", stage, await buyAtPace(stage.shop, PER_SECOND, 5, 100));
  await judged("what was bought during it, once more", stage, bought, 1_000);
  await all([again, ...parts].reverse());
}

/** Keys that the server does not know: what is said of them, and what becomes of purchases. */
async function keys(stage: Stage, bin: string): Promise<void> {
  for (const [name, wrong] of Object.entries(WRONG)) {
    emptyInngest();
    const server = startInngest(bin, tick);
    await answering(`http://127.0.0.1:${PORTS.inngest}/health`);
    await systemSql()`delete from engine_link`;
    const parts = [server, startWorker(0, wrong), startWeb(0, wrong), startWeb(1, wrong)];
    await Promise.all(PORTS.web.map((port) => answering(`http://127.0.0.1:${port}/calls`)));
    const began = performance.now();
    const bought = await buyAtPace(stage.shop, PER_SECOND, 5, 5_000);
    let said: string | undefined;
    while (said === undefined && performance.now() - began < MOST_MS) {
      const link = await readEngineLink(systemSql());
      const fault = link && linkFaultOf(link);
      if (link && (fault === "signing_key" || fault === "event_key")) said = faultSaid(fault, link);
      await sleep(200);
    }
    show(`wrong ${name}: said after ${((performance.now() - began) / 1000).toFixed(1)} s: ${said ?? "nothing"}`);
    await judged(`wrong ${name}`, stage, bought, 2 * MOST_MS);
    await all(parts.reverse());
  }
}

/** From the embedded engine to Inngest and back, as the guide says, while purchases come. */
async function moves(stage: Stage, bin: string): Promise<void> {
  emptyInngest();
  const server = startInngest(bin, tick);
  await answering(`http://127.0.0.1:${PORTS.inngest}/health`);
  // The worker first, then one web process after the other.
  const starts = [
    (engine: Keys | null) => startWorker(0, engine),
    (engine: Keys | null) => startWeb(0, engine),
    (engine: Keys | null) => startWeb(1, engine),
  ];
  const parts = starts.map((start) => start(null));
  await Promise.all(PORTS.web.map((port) => answering(`http://127.0.0.1:${port}/calls`)));
  const buying = buyAtPace(stage.shop, PER_SECOND, 60, 20_000);
  for (const engine of [{}, null]) {
    await sleep(15_000);
    for (const [index, start] of starts.entries()) {
      await parts[index]?.stop();
      parts[index] = start(engine);
      if (index > 0) await answering(`http://127.0.0.1:${PORTS.web[index - 1]}/calls`);
    }
    if (engine) await registered();
  }
  await judged("embedded to Inngest and back", stage, await buying, 2 * MOST_MS);
  await all([server, ...parts].reverse());
}

/**
 * Web, workers and server fall in turns while purchases come; each is back before the next one falls, or on a busy machine
 * nobody would be left to accept anything.
 */
async function kills(stage: Stage, bin: string): Promise<void> {
  emptyInngest();
  const parts = [startInngest(bin, tick), startWorker(0, {}), startWorker(1, {}), startWeb(0, {}), startWeb(1, {})];
  await answering(`http://127.0.0.1:${PORTS.web[0]}/calls`);
  await answering(`http://127.0.0.1:${PORTS.web[1]}/calls`);
  await registered();
  const count = Number(values.kills);
  const buying = buyAtPace(stage.shop, PER_SECOND, count * 4, 10_000);
  for (let index = 0; index < count; index++) {
    await sleep(4_000);
    const part = index % parts.length;
    parts[part]?.kill();
    await sleep(1_000);
    await answering(ANSWERS[part] ?? "");
  }
  await judged(`${count} kills, two web and two workers`, stage, await buying, 180_000);
  show(`started again: ${parts.map(({ name, restarts }) => `${name} ${restarts}`).join(", ")}`);
  await all(parts.reverse());
}
