import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { measureVitals, weigh } from "@/bench/checkout/browser";
import { measurePages } from "@/bench/checkout/pages";
import { comparison } from "@/bench/compare/comparison";
import { measureWrites, type Result, ratioOf } from "@/bench/compare/measure";
import { GROUPS, measureDashboard, type Timed } from "@/bench/dashboard/measure";
import { measurePages as measureOperatorPages } from "@/bench/dashboard/pages";
import { measureLists } from "@/bench/lists/measure";
import { describeMachine } from "@/bench/machine";
import { measureStart, start as startProduct } from "@/bench/start/measure";
import { table } from "@/bench/table";
import { measureWebhooks } from "@/bench/webhooks/measure";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { readDemo } from "@/scripts/seed/demo";
import { inRoot, ROOT } from "@/scripts/start/paths";

const PARTS = ["charges", "lists", "dashboard", "webhooks", "checkout", "start"];
const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: PARTS },
    profile: { type: "string" },
    against: { type: "string" },
    processes: { type: "string" },
    besides: { type: "string", default: "http,external,next" },
  },
});
const unknown = values.only.find((part) => !PARTS.includes(part));
if (unknown !== undefined) {
  throw new Error(`--only takes ${PARTS.join(", ")}, and not ${unknown}; bench/README.md names the others' commands`);
}
/** At which a shop sees its latency; 32 show what the machine gives in all. */
const FEW_CONNECTIONS = 8;
/** `--quick` shows within a minute whether something broke; its figures are rough. */
const PLAN = values.quick
  ? {
      charges: { rounds: 3, requests: 200, warmUp: 150, connections: [32] },
      lists: { sizes: [1_000, 10_000], rounds: 2, requests: 20 },
      dashboard: { sizes: [1_000, 10_000], rounds: 1, requests: 10 },
      checkout: { sizes: [1_000, 10_000], requests: 40, rounds: 1 },
      webhooks: { rounds: 2, deliveries: 2_000, paced: 300, pace: 100 },
    }
  : {
      charges: { rounds: 7, requests: 800, warmUp: 800, connections: [FEW_CONNECTIONS, 32] },
      lists: { sizes: [10_000, 100_000, 1_000_000], rounds: 5, requests: 60 },
      dashboard: { sizes: [10_000, 1_000_000], rounds: 4, requests: 25 },
      checkout: { sizes: [1_000, 1_000_000], requests: 300, rounds: 5 },
      webhooks: { rounds: 5, deliveries: 10_000, paced: 3_000, pace: 200 },
    };
const KILOBYTE = 1024;
const CORES_FOR_TWO = 4;
const MEGABYTE = KILOBYTE ** 2;
const TARGETS = {
  /** design/checkout.md section 1. */
  pageMs: 80,
  lcpMs: 1_200,
  inpMs: 100,
  /** design/dashboard.md section 11: of the list on a slow laptop. */
  slowInpMs: 150,
  cls: 0,
  pixScripts: 20,
  cardInAll: 50,
  deliveries: 0.6,
  firstAttemptMs: 250,
  healthyMs: 5_000,
  charges: {
    ofEarlier: 3,
    ofMinimum: 1 / 8,
    ofMinimumElsewhere: 1 / 6,
    ofNext: 1,
    p99Ms: 60,
    nodeMs: 2.2,
    databaseMs: 4.6,
    walBytes: 12 * 1024,
  },
  megabytes: 350,
  coldSeconds: 60,
  warmSeconds: 3,
};

const say = (line: string): void => {
  process.stderr.write(`${line} …\n`);
};
const show = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const wanted = (part: string): boolean => values.only.includes(part) && !(values.quick && part === "start");
const verdict = (isReached: boolean): string => (isReached ? "reached" : "missed");
const timesOf = ({ group, name, rows, p50, p95, ratio }: Timed): string[] => [
  GROUPS[group].title,
  name,
  rows.toLocaleString("en"),
  p50.toFixed(1),
  p95.toFixed(1),
  ratio.toFixed(2),
];
const targetOf = ({ group, p95 }: Timed): string =>
  `≤ ${GROUPS[group].target} ms ${verdict(p95 <= GROUPS[group].target)}`;

process.chdir(ROOT);
show(`${describeMachine()}\n`);
if (wanted("charges")) await charges();
// Before the database of a million links, whose filling takes longest.
if (wanted("checkout")) await checkout();
if (["lists", "dashboard", "webhooks", "checkout"].some(wanted)) {
  say("a database of its own");
  const server = await openWorld();
  try {
    if (wanted("lists")) await lists(server.url);
    if (wanted("dashboard")) await dashboard(server);
    if (wanted("webhooks")) await webhooks(server.pid);
    if (wanted("checkout")) await pages(server.url);
  } finally {
    await closePools();
    await closeWorld(server);
  }
}
if (wanted("start")) await start();
show(describeMachine());

async function charges(): Promise<void> {
  const isAsked = (kind: string): boolean => values.besides.split(",").includes(kind);
  const besides = {
    acquirers: (["http", "external"] as const).filter(isAsked),
    processes: processCounts(values.processes),
    isNext: isAsked("next"),
  };
  const results = await measureWrites(
    { ...PLAN.charges, what: "charges", profile: values.profile, against: values.against, besides },
    say,
  );
  for (const [connections, contenders] of results) {
    const [product] = contenders;
    if (!product) throw new Error("nothing was measured");
    show(
      `POST /v1/charges by token, captured, SANDBOX without latency and in process where nothing else is said, ${connections} connections\n`,
    );
    show(comparison(contenders));
    for (const [what, isReached] of chargeTargets(product, contenders, connections)) {
      show(`${what}: ${verdict(isReached)}`);
    }
    show("");
  }
}

function chargeTargets(product: Result, contenders: readonly Result[], connections: number): [string, boolean][] {
  const { ofEarlier, ofMinimum, ofMinimumElsewhere, ofNext, p99Ms, nodeMs, databaseMs, walBytes } = TARGETS.charges;
  if (connections === FEW_CONNECTIONS) return [[`p99 ≤ ${p99Ms} ms`, product.p99 <= p99Ms]];
  const of = (kind: Result["kind"]): Result | undefined => contenders.find((one) => one.kind === kind);
  const minimum = of("minimum");
  const against = (what: string, one: Result | undefined, other: Result | undefined, least: number) =>
    one && other ? [[what, ratioOf(one, other) >= least] satisfies [string, boolean]] : [];
  return [
    ...against(`≥ ${ofEarlier} × the earlier commit`, product, of("earlier"), ofEarlier),
    ...against(`≥ ${partText(ofMinimum)} of the fixed minimum`, product, minimum, ofMinimum),
    ...against(
      `≥ ${partText(ofMinimumElsewhere)} of it with an acquirer elsewhere`,
      of("external"),
      minimum,
      ofMinimumElsewhere,
    ),
    ...against(`≥ ${ofNext} × Next with Drizzle`, product, of("next"), ofNext),
    [`≤ ${nodeMs} + ${databaseMs} ms of CPU`, product.node <= nodeMs && product.database <= databaseMs],
    [`≤ ${walBytes / KILOBYTE} KB of WAL`, product.walBytes <= walBytes],
  ];
}

function partText(part: number): string {
  return `1/${Math.round(1 / part)}`;
}

/** As asked; else, on a machine that has cores for them, two and one for every two cores. */
function processCounts(asked: string | undefined): number[] {
  if (asked !== undefined) return asked.split(",").map(Number);
  const cores = availableParallelism();
  return cores < CORES_FOR_TWO ? [] : [...new Set([2, Math.floor(cores / 2)])];
}

async function lists(url: string): Promise<void> {
  const results = await measureLists(url, PLAN.lists, say);
  show("GET /v1/charges, 10 items, totalItems exact, one connection\n");
  show(
    table(
      ["list", "rows of the client", "p50 ms", "p95 ms", "p95 of the smallest", "target"],
      results.map(({ name, rows, p50, p95, ratio, target }) => [
        name,
        rows.toLocaleString("en"),
        p50.toFixed(1),
        p95.toFixed(1),
        ratio.toFixed(2),
        `≤ ${target} ${verdict(ratio <= target)}`,
      ]),
    ),
  );
}

async function dashboard(server: { url: string; pid: number }): Promise<void> {
  const { accounts, results, partial } = await measureDashboard(server, PLAN.dashboard, say);
  show("The dashboard's own queries, as its pages ask them, one operator\n");
  show(
    table(
      ["page", "what", "charges", "p50 ms", "p95 ms", "p95 of the smallest", "CPU ms: PostgreSQL + Node", "target"],
      results.map(({ cpu, ...timed }) => [
        ...timesOf(timed),
        `${cpu.database.toFixed(0)} + ${cpu.node.toFixed(0)}`,
        targetOf(timed),
      ]),
    ),
  );
  show(`searches that left something out: ${partial}\n`);
  const { times, list } = await measureOperatorPages(server.url, accounts, PLAN.dashboard, say);
  show("The dashboard's pages as npm start answers a signed-in operator, to the last byte, one connection\n");
  show(
    table(
      ["page", "what", "charges", "p50 ms", "p95 ms", "p95 of the smallest", "target"],
      times.map((timed) => [...timesOf(timed), targetOf(timed)]),
    ),
  );
  for (const { cpu, lcp, inp, cls } of list) {
    const most = cpu === 1 ? TARGETS.inpMs : TARGETS.slowInpMs;
    show(
      `the list with the CPU ${cpu} times slower, keys and clicks: LCP ${lcp.toFixed(0)} ms, INP ${inp.toFixed(0)} ms, ` +
        `≤ ${most} ms ${verdict(inp <= most)}; CLS ${cls.toFixed(3)}`,
    );
  }
}

async function webhooks(pid: number): Promise<void> {
  // As npm start has it with its own database: endpoints on this machine may be told.
  process.env.HOST = "127.0.0.1";
  say("webhooks: signed and posted by nothing else, and by the dispatcher, in turns");
  const { floor, product, ratio, cpu, firstAttempt, withDead } = await measureWebhooks(
    pid,
    PLAN.webhooks,
    values.profile,
  );
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  show("Webhooks: 40 clients with an endpoint each, two signatures, recorded attempt by attempt\n");
  show(
    table(
      ["what", "measured", "target"],
      [
        ["only signed and posted", `${floor.toFixed(0)}/s`, ""],
        [
          "delivered",
          `${product.toFixed(0)}/s`,
          `≥ ${TARGETS.deliveries} of it: ${ratio.toFixed(2)} ${verdict(ratio >= TARGETS.deliveries)}`,
        ],
        ["CPU of one delivery: Node + PostgreSQL", `${cpu.worker.toFixed(0)} + ${cpu.database.toFixed(0)} µs`, ""],
        [
          "first attempt after commit, p50 / p95",
          `${ms(firstAttempt.p50)} / ${ms(firstAttempt.p95)}`,
          `≤ 250 ms ${verdict(firstAttempt.p95 <= TARGETS.firstAttemptMs)}`,
        ],
        [
          "the same with 10 % dead endpoints, p50 / p99",
          `${ms(withDead.p50)} / ${ms(withDead.p99)}`,
          `≤ 5 s ${verdict(withDead.p99 <= TARGETS.healthyMs)}`,
        ],
      ],
    ),
  );
}

async function start(): Promise<void> {
  const { coldSeconds, warmSeconds, webBytes, workerBytes } = await measureStart(say);
  const [web, worker] = [webBytes / MEGABYTE, workerBytes / MEGABYTE];
  show("npm start\n");
  show(
    table(
      ["what", "measured", "target"],
      [
        [
          "cold, with the build",
          `${coldSeconds.toFixed(1)} s`,
          `≤ 60 s ${verdict(coldSeconds <= TARGETS.coldSeconds)}`,
        ],
        ["warm", `${warmSeconds.toFixed(1)} s`, `≤ 3 s ${verdict(warmSeconds <= TARGETS.warmSeconds)}`],
        [
          "memory of web + worker after 500 charges",
          `${web.toFixed(0)} + ${worker.toFixed(0)} MB`,
          `≤ 350 MB ${verdict(web + worker <= TARGETS.megabytes)}`,
        ],
      ],
    ),
  );
}

async function pages(url: string): Promise<void> {
  const results = await measurePages(url, PLAN.checkout, say);
  show("GET /pay/{sessionId}: server time, another link each time, one connection\n");
  show(
    table(
      ["page", "sessions", "p50 ms", "p95 ms", "target"],
      results.map(({ name, sessions, p50, p95 }) => [
        name,
        sessions.toLocaleString("en"),
        p50.toFixed(1),
        p95.toFixed(1),
        `≤ ${TARGETS.pageMs} ms ${verdict(p95 <= TARGETS.pageMs)}`,
      ]),
    ),
  );
}

async function checkout(): Promise<void> {
  const folder = inRoot(".data", "bench-checkout");
  say("npm start, for a browser");
  const product = await startProduct(folder);
  try {
    const demo = readDemo(folder);
    if (!demo) throw new Error("npm start left no demo.json");
    const origin = `http://127.0.0.1:${product.port}`;
    const files = await weigh(origin, demo);
    const kilobytes = (bytes: number): string => (bytes / KILOBYTE).toFixed(1);
    show("First load of the checkout, KB\n");
    show(
      table(
        ["path", "file", "as it is", "gzip", "brotli", "as it came"],
        files.map(({ path, file, raw, gzip, brotli, wire }) => [
          path,
          file,
          ...[raw, gzip, brotli, wire].map(kilobytes),
        ]),
      ),
    );
    const sum = (path: string, isScript: boolean): number =>
      files
        .filter((one) => one.path === path && (!isScript || one.file.endsWith(".js")))
        .reduce((all, { gzip }) => all + gzip, 0) / KILOBYTE;
    const [scripts, card] = [sum("Pix", true), sum("card", false)];
    show(
      `Pix path, scripts: ${scripts.toFixed(1)} KB of gzip, ≤ ${TARGETS.pixScripts} KB ${verdict(scripts <= TARGETS.pixScripts)}\n` +
        `card path, in all: ${card.toFixed(1)} KB of gzip, ≤ ${TARGETS.cardInAll} KB ${verdict(card <= TARGETS.cardInAll)}\n`,
    );
    const vitals = await measureVitals(origin, demo, PLAN.checkout.rounds, say);
    show(`Checkout with the CPU four times slower and slow 4G, median of ${PLAN.checkout.rounds}\n`);
    show(
      table(
        ["screen", "LCP", "INP", "CLS", "LCP / INP / CLS"],
        vitals.map(({ name, lcp, inp, cls }) => [
          name,
          `${lcp.toFixed(0)} ms`,
          inp === undefined ? "" : `${inp.toFixed(0)} ms`,
          cls.toFixed(3),
          `${verdict(lcp <= TARGETS.lcpMs)} / ${inp === undefined ? "" : verdict(inp <= TARGETS.inpMs)} / ${verdict(cls <= TARGETS.cls)}`,
        ]),
      ),
    );
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
