import { readFileSync, watch } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Embedded, keepEmbedded, startEmbedded } from "@/db/embedded";
import { isDatabaseLoss } from "@/db/losses";
import { migrate } from "@/db/migrate";
import { type Env, parseEnv } from "@/lib/env";
import { paymentLinkOf } from "@/lib/sessions/serializer";
import { checkDatabase, checkMachine, checkServices, checkSettings, report, whyAway } from "@/scripts/checks/checks";
import { checkLogin } from "@/scripts/checks/login";
import { readDemo } from "@/scripts/seed/demo";
import { seed } from "@/scripts/seed/seed";
import { addressesOf, givenAddresses } from "@/scripts/start/addresses";
import { ensureBuild, stopBuild, writeAmbientTypes, writeTypeScriptSettings } from "@/scripts/start/build";
import { bundled, PROGRAMS } from "@/scripts/start/bundle";
import { type Supervised, supervise } from "@/scripts/start/children";
import { claimFolder } from "@/scripts/start/instance";
import { buildIslands } from "@/scripts/start/islands";
import { onNpmGone } from "@/scripts/start/parent";
import { inRoot } from "@/scripts/start/paths";
import { requireFreePort } from "@/scripts/start/port";
import { say, sinceStart, step } from "@/scripts/start/progress";
import { type Provided, provideSecrets, recordProvided, settleProvided } from "@/scripts/start/secrets";
import { clusterIn, EMBEDDED_DATABASE, enterRoot } from "@/scripts/start/with-database";
import { SYNC_HOOKS } from "@/scripts/sync-hooks";

const RELOAD_PAUSE_MS = 300;
/** Of the pools of one web process, and what the worker and people with a tool of theirs need. */
const CONNECTIONS_OF_WEB = 52;
const CONNECTIONS_BESIDE = 148;

const isDevelopment = process.argv[2] === "dev";
/** What was started, in the order it was: stopped the other way round. */
const running: { stop(signal: NodeJS.Signals): Promise<void> | void }[] = [];
let isStopping = false;

async function main(): Promise<void> {
  const dataDir = enterRoot();
  say(`Trilho ${isDevelopment ? "for development" : "starts"}`);
  report(checkMachine(dataDir));
  const secrets = provideSecrets(dataDir);
  const settings = configuration(secrets);
  running.push({ stop: await claimFolder(dataDir, settings) });
  report(checkSettings(settings, process.env));
  report(await checkServices(settings));
  await requireFreePort(settings.PORT, settings.HOST);

  const building = isDevelopment ? developmentFolder(dataDir) : ensureBuild();
  running.push({ stop: stopBuild });
  // Reported where it is awaited; until then a failed build must not end the process by itself.
  building.catch(() => undefined);
  const { url, ownerUrl } =
    givenAddresses(settings) ?? addressesOf(await step("PostgreSQL", () => embedded(dataDir, settings)));
  await databaseAnswers(ownerUrl);
  report(await checkDatabase(ownerUrl));
  await throughLosses(ownerUrl, async () => {
    if (await settleProvided(ownerUrl, secrets))
      say(`  ✓ made the secrets of this installation (${join(dataDir, "secrets.json")})`);
  });
  await step("migrations", () => throughLosses(ownerUrl, () => migrate(ownerUrl, SYNC_HOOKS, { runtimeUrl: url })));
  await throughLosses(ownerUrl, () => recordProvided(ownerUrl, secrets));
  report(await checkLogin(url, ownerUrl));
  const environment = { ...process.env };
  // The running processes do not even know it.
  delete environment.DATABASE_OWNER_URL;
  // From here on this process speaks to the database itself, for the first account only; its request is no news.
  Object.assign(process.env, { DATABASE_URL: url, LOG_LEVEL: "warn" });
  await throughLosses(url, () => seed(url, settings));
  Object.assign(environment, {
    DATABASE_URL: url,
    HOST: settings.HOST,
    NODE_ENV: isDevelopment ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    WEB_PROCESSES: String(webProcesses(settings)),
    TRILHO_DIST: await building,
  });
  const roles = settings.TRILHO_ROLE === "all" ? (["worker", "web"] as const) : [settings.TRILHO_ROLE];
  await step(`${roles.join(" and ")} process${roles.length > 1 ? "es" : ""}`, () => startAll(roles, environment));
  welcome(settings);
}

function configuration({ source }: Provided): Env {
  const parsed = parseEnv(source);
  if (parsed.ok) return parsed.value;
  throw new Error(`The configuration is not usable:\n${parsed.problems.map((line) => `  - ${line}`).join("\n")}`);
}

async function embedded(dataDir: string, settings: Env): Promise<Embedded> {
  const options = {
    cluster: clusterIn(dataDir),
    database: EMBEDDED_DATABASE,
    settings: { max_connections: CONNECTIONS_BESIDE + webProcesses(settings) * CONNECTIONS_OF_WEB },
  };
  const server = await startEmbedded(options);
  running.push(server);
  running.push({ stop: keepEmbedded(options, server, (line) => say(`  ! ${line}`)) });
  return server;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const TELL_EVERY_MS = 60_000;

/** A database that is away is waited for, as web and worker do; one that refuses this login or name is a mistake. */
async function databaseAnswers(url: string): Promise<void> {
  let toldAt = Number.NEGATIVE_INFINITY;
  for (let tries = 0; ; tries++) {
    const reason = await whyAway(url);
    if (reason === undefined || isStopping) return;
    if (performance.now() - toldAt >= TELL_EVERY_MS) {
      toldAt = performance.now();
      say(`  ! the database cannot be reached (${reason}); waiting for it`);
    }
    await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 10)));
  }
}

/** The database may fall while the installation starts: what is done to it then can be done again. */
async function throughLosses(url: string, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isDatabaseLoss(error) || isStopping) throw error;
      await databaseAnswers(url);
    }
  }
}

/** Each data folder has its own, so that two instances can be developed side by side. */
async function developmentFolder(dataDir: string): Promise<string> {
  await buildIslands();
  watchIslands();
  writeTypeScriptSettings();
  writeAmbientTypes();
  return dataDir === inRoot(".data")
    ? ".next"
    : join(".next", `dev-${Buffer.from(dataDir).toString("hex").slice(-16)}`);
}

function watchIslands(): void {
  let pause: NodeJS.Timeout | undefined;
  watch(inRoot("components", "checkout"), { recursive: true }, (_event, file) => {
    if (!file?.endsWith(".ts") || file.endsWith(".test.ts")) return;
    clearTimeout(pause);
    pause = setTimeout(() => void buildIslands().catch((error: unknown) => say(explain(error))), RELOAD_PAUSE_MS);
  });
}

/** One is a core's work, and PostgreSQL takes as much: on fewer than four cores a second one only takes its turns. */
const CORES_FOR_TWO = 4;

const webProcesses = ({ WEB_PROCESSES }: Env): number =>
  // The pages' development server reloads what it serves by itself.
  isDevelopment ? 1 : (WEB_PROCESSES ?? (availableParallelism() >= CORES_FOR_TWO ? 2 : 1));

/** They stop together too: each takes its time to finish what it does. */
async function startAll(roles: readonly ("web" | "worker")[], environment: NodeJS.ProcessEnv): Promise<void> {
  const children = roles.flatMap((role) => {
    const script = isDevelopment ? `scripts/${PROGRAMS[role]}.ts` : bundled(environment.TRILHO_DIST ?? "", role);
    const count = role === "web" ? Number(environment.WEB_PROCESSES) : 1;
    return Array.from({ length: count }, (_, index) => {
      const name = count === 1 ? role : `${role} ${index + 1}`;
      const program = { name, script, environment, isShared: count > 1 };
      return { role, child: supervise(program, (reason) => void stop("SIGTERM", reason)) };
    });
  });
  running.push({
    stop: async (signal) => {
      await Promise.all(children.map(({ child }) => child.stop(signal)));
    },
  });
  await Promise.all(children.map(({ child }) => child.ready));
  const worker = children.find(({ role }) => role === "worker")?.child;
  if (isDevelopment && worker) reloadOnChange(worker);
}

function reloadOnChange(worker: Supervised): void {
  let pause: NodeJS.Timeout | undefined;
  for (const folder of ["lib", "inngest", "db"]) {
    watch(inRoot(folder), { recursive: true }, (_event, file) => {
      if (!file?.endsWith(".ts") || file.endsWith(".test.ts")) return;
      clearTimeout(pause);
      pause = setTimeout(() => {
        if (!isStopping) void worker.restart();
      }, RELOAD_PAUSE_MS);
    });
  }
}

function welcome(settings: Env): void {
  const { BASE_URL, TRILHO_DATA_DIR } = settings;
  const demo = readDemo(TRILHO_DATA_DIR);
  say(`\nTrilho is ready after ${sinceStart()}.\n`);
  say(`  Start page       ${BASE_URL}`);
  say(`  API              ${BASE_URL}/v1`);
  say(`  API reference    ${BASE_URL}/docs`);
  say(`  Dashboard        ${BASE_URL}/dashboard`);
  if (demo?.sessionId) say(`  Demo checkout    ${paymentLinkOf(demo.sessionId, settings)}`);
  if (demo) {
    say(`\n  Client id        ${demo.clientId}`);
    say(`  Secret key       ${demo.apiKey}`);
    say(`  Merchant id      ${demo.merchantId}`);
    say(`  Dashboard login  ${demo.dashboard.email} / ${demo.dashboard.password}`);
  }
  say(`\n  ${version()} · Ctrl-C stops everything.`);
}

function version(): string {
  // Our own file: it always has a version.
  const { version: number } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as { version: string };
  return `Trilho ${number}`;
}

/** The deepest cause says what happened; what wraps it says where. */
function explain(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return reason.cause === undefined ? reason.message : `${reason.message}\n${explain(reason.cause)}`;
}

async function stop(signal: NodeJS.Signals, reason?: unknown): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  if (reason !== undefined) say(`\n${explain(reason)}`);
  else say("\nStopping …");
  let code = reason === undefined ? 0 : 1;
  for (const part of running.reverse()) {
    try {
      await part.stop(signal);
    } catch (error) {
      code = 1;
      say(explain(error));
    }
  }
  if (reason === undefined) say("Stopped.");
  process.exit(code);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(signal));
onNpmGone(() => void stop("SIGTERM"));
main().catch((error: unknown) => stop("SIGTERM", error));
