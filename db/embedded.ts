import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { accountFor, checkReach, type ServerAccount } from "@/db/embedded/account";
import { type Binaries, findBinaries } from "@/db/embedded/binaries";
import {
  createCluster,
  RUNTIME_LOGIN,
  readPassword,
  runProgram,
  runtimePassword,
  runtimePasswordFile,
  SUPERUSER,
  serverEnvironment,
} from "@/db/embedded/cluster";
import { isAlive, withFileLock } from "@/db/embedded/lock";
import { endOrphans } from "@/db/embedded/orphans";
import { type Postmaster, readPostmaster, removeForeignPidFile } from "@/db/embedded/postmaster";
import { setLogin } from "@/db/migrating/login";

export interface EmbeddedOptions {
  /** The folder of the cluster; made when missing. */
  cluster: string;
  database: string;
  /** false: a throw-away server that may lose its data with the machine. */
  durable?: boolean;
  settings?: Readonly<Record<string, string | number>>;
  /** Where it must listen, because others know its address; without it the usual one, or any that is free. */
  port?: number;
  onProgress?: (line: string) => void;
}

export interface Embedded {
  /** Of the owner, who migrates. */
  readonly url: string;
  /** Of the running processes. */
  readonly runtimeUrl: string;
  readonly port: number;
  readonly pid: number;
  /** false when the server already ran. */
  readonly started: boolean;
  /** Stops the server if this process owns it; otherwise leaves it to its owner. */
  stop(): Promise<void>;
}

const USUAL_PORT = 54_329;
const START_ATTEMPTS = 8;
/** After a crash it first replays its log, on a slow disk for minutes. */
const READY_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 20;
const RETRY_MS = 500;
const CONNECT_TIMEOUT_SECONDS = 5;

/** Errors and statements quote values, and so personal data: the log holds what the server says of itself only. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  shared_buffers: "128MB",
  max_wal_size: "1GB",
  // What pg_basebackup and an archive of the log need.
  wal_level: "replica",
  max_wal_senders: 4,
  jit: "off",
  // Until its statistics are there, a plan may read all rows of an account where one was asked for by its id.
  autovacuum_naptime: "10s",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_parameter_max_length: 0,
  log_parameter_max_length_on_error: 0,
} as const;

const THROW_AWAY = {
  wal_level: "minimal",
  max_wal_senders: 0,
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
} as const;

/** Starts the PostgreSQL that came with npm, or joins the one that already serves this folder. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const cluster = resolve(options.cluster);
  mkdirSync(dirname(cluster), { recursive: true, mode: 0o755 });
  return withFileLock(`${cluster}.lock`, async () => {
    const account = accountFor(cluster);
    const running = await joinRunning(cluster);
    if (running !== undefined) {
      await prepareDatabase(cluster, running.port, options.database);
      if (!isAlive(ownerOf(cluster))) own(cluster);
      return handle(cluster, running, options.database, false);
    }
    removeForeignPidFile(cluster);
    if (existsSync(cluster) && readPostmaster(cluster) === undefined) endOrphans(cluster);
    const binaries = findBinaries();
    checkReach(account, dirname(cluster));
    checkReach(account, binaries.postgres);
    if (!existsSync(cluster)) {
      options.onProgress?.("creating the database cluster");
      await createCluster(cluster, account, binaries, options.durable ?? true);
    }
    const postmaster = await launch(cluster, account, binaries, options);
    own(cluster);
    await prepareDatabase(cluster, postmaster.port, options.database);
    return handle(cluster, postmaster, options.database, true);
  });
}

/** The addresses of the server of this folder when it runs. */
export function embeddedUrls(folder: string, database: string): Pick<Embedded, "url" | "runtimeUrl"> | undefined {
  const cluster = resolve(folder);
  const postmaster = readPostmaster(cluster);
  if (!postmaster?.ready || !existsSync(runtimePasswordFile(cluster))) return undefined;
  const { port } = postmaster;
  return { url: urlOf(cluster, port, database), runtimeUrl: runtimeUrlOf(cluster, port, database) };
}

const LOOK_EVERY_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Starts the server of this folder again whenever it is gone, at the address it had; answers what ends that. `tell` hears of
 * each fall, and of a start that fails for the first time.
 */
export function keepEmbedded(
  options: EmbeddedOptions,
  { port }: Embedded,
  tell: (line: string) => void,
): () => Promise<void> {
  const cluster = resolve(options.cluster);
  const ending = new AbortController();
  const keep = async (): Promise<void> => {
    for (let failures = 0; !ending.signal.aborted; ) {
      await sleep(Math.min(LONGEST_PAUSE_MS, LOOK_EVERY_MS * 2 ** failures), undefined, { signal: ending.signal });
      if (readPostmaster(cluster) !== undefined) continue;
      if (failures === 0) tell("PostgreSQL ended; starting it again");
      try {
        const { started } = await startEmbedded({ ...options, port });
        if (started) tell("PostgreSQL is back");
        failures = 0;
      } catch (error) {
        if (failures === 0) tell(`PostgreSQL did not start: ${error instanceof Error ? error.message : String(error)}`);
        failures = Math.min(failures + 1, 10);
      }
    }
  };
  const kept = keep().catch(() => undefined);
  return async () => {
    ending.abort();
    await kept;
  };
}

function handle(cluster: string, { pid, port }: Postmaster, database: string, started: boolean): Embedded {
  return {
    url: urlOf(cluster, port, database),
    runtimeUrl: runtimeUrlOf(cluster, port, database),
    port,
    pid,
    started,
    stop: () => withFileLock(`${cluster}.lock`, () => stopOwned(cluster)),
  };
}

function urlOf(cluster: string, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${readPassword(cluster)}@127.0.0.1:${port}/${database}`;
}

const runtimeUrlOf = (cluster: string, port: number, database: string): string =>
  `postgres://${RUNTIME_LOGIN}:${runtimePassword(cluster)}@127.0.0.1:${port}/${database}`;

async function joinRunning(cluster: string): Promise<Postmaster | undefined> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  let found = readPostmaster(cluster);
  while (found !== undefined && !found.ready && performance.now() < deadline) {
    if (!(await isPostgres(cluster, found.port))) return undefined;
    await sleep(POLL_MS);
    found = readPostmaster(cluster);
  }
  return found?.ready && (await isPostgres(cluster, found.port)) ? found : undefined;
}

/** After a crash of the machine the recorded process number may belong to anything: only an answer counts. */
async function isPostgres(cluster: string, port: number): Promise<boolean> {
  const sql = connect(urlOf(cluster, port, "postgres"));
  try {
    await sql`select 1`;
    return true;
  } catch (error) {
    // 57P03: it is ours and still starting or stopping.
    return error instanceof postgres.PostgresError && error.code === "57P03";
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function prepareDatabase(cluster: string, port: number, database: string): Promise<void> {
  const sql = connect(urlOf(cluster, port, "postgres"));
  try {
    const found = await sql`select 1 from pg_database where datname = ${database}`;
    if (found.length === 0) await sql`create database ${sql(database)}`;
    await setLogin(sql, { name: RUNTIME_LOGIN, password: runtimePassword(cluster) });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function connect(url: string) {
  return postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => {} });
}

async function launch(cluster: string, account: ServerAccount, binaries: Binaries, options: EmbeddedOptions) {
  const log = `${cluster}.log`;
  for (let attempt = 1; ; attempt++) {
    options.onProgress?.("starting PostgreSQL");
    const port = options.port ?? (await freePort(attempt === 1 ? USUAL_PORT : 0));
    const mark = existsSync(log) ? readFileSync(log).length : 0;
    const postmaster = await launchOnce(cluster, account, binaries, port, options);
    if (postmaster !== undefined) return postmaster;
    const said = existsSync(log) ? readFileSync(log).subarray(mark).toString() : "";
    // Both pass: another program took the port, or processes of a killed server are still leaving.
    const passing = /could not bind|Address already in use|pre-existing shared memory|lock file .* already exists/i;
    if (attempt === START_ATTEMPTS || !passing.test(said)) {
      throw new Error(`PostgreSQL did not start in ${cluster}:\n${said.trim().split("\n").slice(-10).join("\n")}`);
    }
    await sleep(RETRY_MS);
  }
}

async function launchOnce(
  cluster: string,
  account: ServerAccount,
  binaries: Binaries,
  port: number,
  { durable, settings }: EmbeddedOptions,
): Promise<Postmaster | undefined> {
  const all = { ...SETTINGS, ...(durable === false ? THROW_AWAY : {}), ...settings };
  const log = openSync(`${cluster}.log`, "a", 0o600);
  const child = spawn(
    binaries.postgres,
    ["-D", cluster, "-p", String(port), ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    {
      env: serverEnvironment(),
      cwd: dirname(binaries.postgres),
      // Its own process group: a Ctrl-C must reach the web server first and the database last.
      detached: true,
      stdio: ["ignore", log, log],
      windowsHide: true,
      ...(account.uid === undefined ? {} : { uid: account.uid, gid: account.gid }),
    },
  );
  closeSync(log);
  let ended = false;
  child.once("exit", () => {
    ended = true;
  });
  child.once("error", () => {
    ended = true;
  });
  child.unref();
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!ended && performance.now() < deadline) {
    const postmaster = readPostmaster(cluster);
    if (postmaster?.ready && postmaster.pid === child.pid) return postmaster;
    await sleep(POLL_MS);
  }
  return undefined;
}

/** Stops the server of a folder whoever owns it: for callers that know nobody else uses it. */
export async function stopEmbedded(folder: string): Promise<void> {
  const cluster = resolve(folder);
  const postmaster = readPostmaster(cluster);
  if (postmaster === undefined) return;
  if (process.platform === "win32") {
    await runProgram(findBinaries().pgCtl, accountFor(cluster), ["stop", "-m", "fast", "-D", cluster]);
  } else {
    process.kill(postmaster.pid, "SIGINT");
  }
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (isAlive(postmaster.pid)) {
    if (performance.now() > deadline) {
      // Immediate shutdown: safe, the next start replays the log.
      process.kill(postmaster.pid, "SIGQUIT");
      break;
    }
    await sleep(POLL_MS);
  }
  rmSync(ownerFile(cluster), { force: true });
}

async function stopOwned(cluster: string): Promise<void> {
  if (ownerOf(cluster) !== process.pid) return;
  await stopEmbedded(cluster);
}

const ownerFile = (cluster: string): string => `${cluster}.owner`;

function own(cluster: string): void {
  writeFileSync(ownerFile(cluster), `${process.pid}\n`, { mode: 0o600 });
}

function ownerOf(cluster: string): number {
  try {
    return Number.parseInt(readFileSync(ownerFile(cluster), "utf8"), 10);
  } catch {
    return 0;
  }
}

async function freePort(wanted: number): Promise<number> {
  const port = await tryPort(wanted);
  return port ?? (await tryPort(0)) ?? 0;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(undefined));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      const bound = typeof address === "object" && address !== null ? address.port : undefined;
      probe.close(() => resolve(bound));
    });
  });
}
