import { parseArgs } from "node:util";
import postgres from "postgres";
import { percentile } from "@/bench/latencies";
import { describeMachine, serverCpuSeconds } from "@/bench/machine";
import { launch, ownCpuSeconds } from "@/bench/processes";
import { fillDue, fillLists } from "@/bench/subscriptions/rows";
import { ask, type Club, openClub, payNow, subscribe } from "@/bench/subscriptions/shop";
import { table } from "@/bench/table";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools, systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { providerFor } from "@/lib/providers/registry";
import { drainLane } from "@/lib/scheduler/drain";
import { listSubscriptionsForOperator, subscriptionFiguresOf } from "@/lib/subscriptions/operator-queries";
import { pause } from "@/lib/wait";
import { ROOT } from "@/scripts/start/paths";

/** Many that fall due at once beside an account that pays, a year by the clock, and lists of a large account. */
const { values } = parseArgs({
  options: {
    due: { type: "string", default: "100000" },
    lists: { type: "string", default: "1000000" },
    only: { type: "string", multiple: true, default: ["year", "lists", "due"] },
    /** After so many seconds no more is begun; the pace stands for the rest. */
    seconds: { type: "string", default: "1200" },
  },
});
const TARGETS = { dueSeconds: 600, yearSeconds: 5, listP95: 200 };
const PROVIDER_MS = 50;
const CARDS = 100;
const REQUESTS = 60;
/** So many warm a process up, or are an average. */
const PLAIN = 100;
const BESIDE_MS = 500;
const MILLISECONDS = 1_000;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const reached = (isReached: boolean): string => (isReached ? "reached" : "missed");
const sorted = (times: readonly number[]): number[] => [...times].sort((a, b) => a - b);
const elapsed = (began: number): number => (performance.now() - began) / MILLISECONDS;
const times = (list: readonly number[]): string =>
  [0.5, 0.95].map((part) => percentile(sorted(list), part).toFixed(0)).join(", ");
/** CPU seconds of this process and of the database, from here to the call: what others do beside them counts little. */
function watchCpu(): () => { whole: string; each: (count: number) => string } {
  const [own, database] = [ownCpuSeconds(), serverCpuSeconds(server.pid)];
  return () => {
    const used = [ownCpuSeconds() - own, serverCpuSeconds(server.pid) - database];
    const each = (count: number) => used.map((one) => ((one * MILLISECONDS) / count).toFixed(1)).join(" + ");
    return { whole: `${used.map((one) => one.toFixed(1)).join(" + ")} s`, each };
  };
}
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

process.chdir(ROOT);
say(`${describeMachine()}\n`);
const server = await openWorld();
const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
try {
  if (values.only.includes("year")) await measureYear();
  if (values.only.includes("lists")) await measureLists(Number(values.lists));
  if (values.only.includes("due")) await measureDue(Number(values.due), Number(values.seconds));
} finally {
  await sql.end({ timeout: 5 });
  await closePools();
  await closeWorld(server);
}

async function measureYear(): Promise<void> {
  const club = await openClub(1);
  const { id } = await subscribe(club, { interval: "monthly", cycles: 12 });
  const began = performance.now();
  const cpu = watchCpu();
  const { jobsRun } = await ask<{ jobsRun: number }>(club, "POST", "/v1/sandbox/clock", { advance: "P366D" });
  const seconds = (performance.now() - began) / MILLISECONDS;
  const { status } = await ask<{ status: string }>(club, "GET", `/v1/subscriptions/${id}`);
  if (status !== "expired") throw new Error(`after a year it is ${status}`);
  say(
    `a year of twelve cycles by clock, ${jobsRun} jobs, CPU of Node + PostgreSQL ${cpu().whole}: ${seconds.toFixed(2)} s ≤ ${TARGETS.yearSeconds} ${reached(seconds <= TARGETS.yearSeconds)}\n`,
  );
}

async function measureLists(rows: number): Promise<void> {
  const club = await openClub(1);
  const { id } = await subscribe(club, { interval: "monthly", startAt: inDays(1) });
  say(`filling in ${rows.toLocaleString("en")} subscriptions`);
  await fillLists(sql, club, id, rows);
  const ctx = systemContext(await loadAccount(club.clientId), newId());
  const api = (query: string) => () => ask(club, "GET", `/v1/subscriptions?limit=10&${query}`);
  const cases: Readonly<Record<string, (nth: number) => Promise<unknown>>> = {
    "API, page 1": api("page=1"),
    "API, page 1,000": api("page=1000"),
    "API, last page": api(`page=${Math.ceil((rows + 1) / 10)}`),
    "API, status=active": api("page=1&status=active"),
    "API, status=unpaid": api("page=1&status=unpaid"),
    "API, by merchant": api(`page=1&merchantId=${club.merchantId}`),
    "API, by reference": (nth) => ask(club, "GET", `/v1/subscriptions?referenceKey=ref-${(nth * 7_919) % rows}`),
    "dashboard, list": () => listSubscriptionsForOperator(ctx, "owner", {}),
    "dashboard, unpaid": () => listSubscriptionsForOperator(ctx, "owner", { status: "unpaid" }),
    "dashboard, figures": () => subscriptionFiguresOf(ctx, "owner"),
    "dashboard, of a customer": () => listSubscriptionsForOperator(ctx, "owner", { customerId: club.customerId }),
  };
  const lines: string[][] = [];
  for (const [name, run] of Object.entries(cases)) {
    const times: number[] = [];
    for (let nth = 0; nth < REQUESTS + 5; nth++) {
      const began = performance.now();
      await run(nth);
      if (nth >= 5) times.push(performance.now() - began);
    }
    const [p50, p95] = [0.5, 0.95].map((part) => percentile(sorted(times), part));
    const isReached = (p95 ?? Number.NaN) <= TARGETS.listP95;
    lines.push([
      name,
      (p50 ?? Number.NaN).toFixed(1),
      `${(p95 ?? Number.NaN).toFixed(1)} ≤ ${TARGETS.listP95} ${reached(isReached)}`,
    ]);
  }
  say(table([`${rows.toLocaleString("en")} subscriptions`, "p50 ms", "p95 ms"], lines));
  await sql`delete from subscription_cycles where client_id = ${club.clientId}`;
}

/** A provider elsewhere: it answers after so long, and takes nobody's processor. */
function slowProvider(): void {
  const sandbox = providerFor("SANDBOX");
  const authorize = sandbox.authorize.bind(sandbox);
  sandbox.authorize = async (...given) => {
    await pause(PROVIDER_MS);
    return authorize(...given);
  };
}

async function measureDue(rows: number, mostSeconds: number): Promise<void> {
  const [club, beside] = [await openClub(CARDS), await openClub(1)];
  // Whoever pays does it from a web process; what is drained is a worker's.
  const payer = launch("subscriptions/payer.ts");
  const pay = () => payer.ask<number>({ club: beside });
  for (let nth = 0; nth < PLAIN; nth++) await payNow(beside);
  const plainCpu = watchCpu();
  for (let nth = 0; nth < PLAIN; nth++) await payNow(beside);
  const plain = plainCpu().each(PLAIN);
  const { id } = await subscribe(club, { interval: "monthly", startAt: inDays(1) });
  slowProvider();
  const alone: number[] = [];
  for (let nth = 0; nth < PLAIN; nth++) await pay();
  for (let nth = 0; nth < REQUESTS; nth++) alone.push(await pay());
  say(`filling in ${rows.toLocaleString("en")} that are due`);
  await fillDue(sql, club, id, rows);
  const due: number[] = [];
  const during: number[] = [];
  const state = { isOver: false };
  const besideThem = whileOthersPay(beside, pay, { during, due, state });
  const began = performance.now();
  const cpu = watchCpu();
  const rounds: number[] = [];
  for (let left = rows; left > 0 && elapsed(began) < mostSeconds; ) {
    await drainLane("provider", { forMs: 5_000 });
    const [counted] = await systemSql()<{ n: number }[]>`
      select count(*)::int as n from due_jobs
       where client_id = ${club.clientId} and kind = 'subscription.due' and due_at <= now()`;
    left = counted?.n ?? 0;
    rounds.push(rows - left);
  }
  const seconds = elapsed(began);
  const used = cpu();
  state.isOver = true;
  await besideThem;
  await payer.stop();
  const started = rounds.at(-1) ?? 0;
  const [made] = await systemSql()<{ n: number; twice: number }[]>`
    select count(*)::int as n, (count(*) - count(distinct subscription_id))::int as twice
      from charges where client_id = ${club.clientId} and subscription_id is not null`;
  const pace = started / seconds;
  const whole = rows / pace;
  say(
    table(
      ["due at once", "figure"],
      [
        ["started", `${started.toLocaleString("en")} of ${rows.toLocaleString("en")} in ${seconds.toFixed(0)} s`],
        ["charges made, of them second ones", `${made?.n}, ${made?.twice}`],
        ["a second", pace.toFixed(0)],
        ["CPU of Node + PostgreSQL, each in ms", used.each(started)],
        ["the same of a payment that the API is asked for", plain],
        [
          "100,000 at this pace",
          `${((whole / rows) * 100_000).toFixed(0)} s ≤ ${TARGETS.dueSeconds} ${reached((whole / rows) * 100_000 <= TARGETS.dueSeconds)}`,
        ],
        ["another account's payment alone, p50 and p95 ms", times(alone)],
        ["the same beside them", times(during)],
        ["another account's own due charge, s after it was due", (sorted(due).at(-1) ?? Number.NaN).toFixed(2)],
      ],
    ),
  );
  if (made && (made.twice > 0 || made.n < started)) throw new Error("not each was charged once");
}

interface Beside {
  during: number[];
  due: number[];
  state: { isOver: boolean };
}

/** Another account: it pays every half second, and one subscription of its own falls due in the middle. */
async function whileOthersPay(club: Club, pay: () => Promise<number>, { during, due, state }: Beside): Promise<void> {
  await pause(BESIDE_MS * 4);
  while (!state.isOver) {
    // Where nobody is free in time a payment is turned away: that counts as the longest.
    const took = await pay().catch(() => Number.POSITIVE_INFINITY);
    during.push(took);
    const { id } = await subscribe(club, { interval: "monthly", startAt: inDays(1) });
    await fillDue(sql, club, id, 1);
    const began = performance.now();
    const isCharged = async (): Promise<boolean> => {
      const [row] = await systemSql()<{ n: number }[]>`
        select count(*)::int as n from due_jobs
         where client_id = ${club.clientId} and kind = 'subscription.due' and due_at <= now()`;
      return row?.n === 0;
    };
    while (!state.isOver && !(await isCharged())) await pause(50);
    if (!state.isOver) due.push(elapsed(began));
    await pause(BESIDE_MS);
  }
}
