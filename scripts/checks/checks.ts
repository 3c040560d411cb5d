import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from "node:fs";
import { connect } from "node:net";
import postgres from "postgres";
import { isDatabaseLoss } from "@/db/losses";
import { type Env, secretsFile } from "@/lib/env";
import { realNow } from "@/lib/time";
import { IMAGE_NODE, NODE_ENDS } from "@/scripts/checks/node-versions";
import { say } from "@/scripts/start/progress";

export interface Finding {
  /** A problem stops the start; a warning is said and left alone. */
  readonly kind: "problem" | "warning";
  /** What is wrong and how to mend it, in one line. */
  readonly line: string;
}

const problem = (line: string): Finding => ({ kind: "problem", line });
const warning = (line: string): Finding => ({ kind: "warning", line });

const OLDEST_NODE = [20, 19] as const;
const OLDEST_POSTGRES = 150_000;
const CONNECT_TIMEOUT_SECONDS = 5;
const REACH_TIMEOUT_MS = 3_000;
const LARGEST_CLOCK_DIFFERENCE_SECONDS = 5;
const CONNECTIONS_NEEDED = 60;

export function checkMachine(dataDir: string): Finding[] {
  return [...checkNode(process.versions.node), ...checkDataFolder(dataDir), ...checkRoom(dataDir)];
}

/** `today`: by the real clock. */
export function checkNode(version: string, today = realNow()): Finding[] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    return [problem(`Node ${version} is too old: install Node ${IMAGE_NODE}`)];
  const end = NODE_ENDS[major];
  if (end === undefined || today.getTime() < Date.parse(end)) return [];
  return [warning(`Node ${version} has had no security fixes since ${end}: install Node ${IMAGE_NODE}`)];
}

const LEAST_ROOM_BYTES = 1024 ** 3;

/** A full disk stops PostgreSQL, and every payment with it. */
export function checkRoom(dataDir: string, least = LEAST_ROOM_BYTES): Finding[] {
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    const free = bavail * bsize;
    if (free >= least) return [];
    return [warning(`The disk of ${dataDir} has ${Math.floor(free / 1024 ** 2)} MB left: make room before it is full`)];
  } catch {
    // A folder that cannot be read is told of by its own check.
    return [];
  }
}

function checkDataFolder(dataDir: string): Finding[] {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [problem(`The data folder ${dataDir} cannot be written: change its owner or set TRILHO_DATA_DIR`)];
  }
  const file = secretsFile(dataDir);
  if (!existsSync(file) || process.platform === "win32") return [];
  try {
    accessSync(file, constants.R_OK);
  } catch {
    return [problem(`${file} belongs to another user: start as that user or set TRILHO_DATA_DIR`)];
  }
  const readers = statSync(file).mode & 0o077;
  return readers === 0 ? [] : [problem(`${file} can be read by others: run chmod 600 ${file}`)];
}

export async function checkDatabase(url: string): Promise<Finding[]> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => {} });
  try {
    const [row] = await sql<{ version: number; may: boolean; connections: number; now: number }[]>`
      select current_setting('server_version_num')::int as version,
             current_setting('max_connections')::int as connections,
             (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
               or not has_database_privilege(current_database(), 'create') as may,
             extract(epoch from clock_timestamp())::float8 as now`;
    if (!row) return [problem("The database gave no answer: check DATABASE_URL")];
    const here = (performance.timeOrigin + performance.now()) / 1000;
    const findings: Finding[] = [];
    if (row.version < OLDEST_POSTGRES)
      findings.push(problem("The database is older than PostgreSQL 15: upgrade it or unset DATABASE_URL"));
    // Who may not migrate at all is told by the migration, when there is something to do.
    if (!row.may)
      findings.push(
        problem("The database user may not create roles: run alter role … createrole, row security needs them"),
      );
    if (row.connections < CONNECTIONS_NEEDED)
      findings.push(
        warning(`The database allows ${row.connections} connections: raise max_connections or lower DATABASE_POOL`),
      );
    if (Math.abs(here - row.now) > LARGEST_CLOCK_DIFFERENCE_SECONDS)
      findings.push(
        warning("The clocks of this machine and of the database differ by seconds: switch on time synchronisation"),
      );
    return findings;
  } catch (error) {
    return [problem(`The database cannot be reached: check DATABASE_URL (${reasonOf(error)})`)];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Why a database that is meant to be there does not answer now; undefined when it does, or refuses for good. */
export async function whyAway(url: string): Promise<string | undefined> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => {} });
  try {
    await sql`select 1`;
    return undefined;
  } catch (error) {
    return isDatabaseLoss(error) ? reasonOf(error) : undefined;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Real cards are typed on an origin of their own, away from operators' sign-ins (design/checkout.md section 15). */
export async function checkOrigins(url: string, { BASE_URL, CHECKOUT_URL }: Env): Promise<Finding[]> {
  if (new URL(BASE_URL).origin !== new URL(CHECKOUT_URL).origin) return [];
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => {} });
  try {
    // Row security holds for the owner too.
    await sql`set role trilho_system`;
    const [live] = await sql`
      select 1 from providers p join clients c on c.id = p.client_id
       where c.mode = 'live' and p.deleted_at is null limit 1`;
    return live
      ? [problem("A live provider is configured while the checkout shares the dashboard's origin: set CHECKOUT_URL")]
      : [];
  } catch {
    // Before the first start there are no tables; a database that does not answer is told of by its own check.
    return [];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const COMPARED_WITHIN_HOURS = 49;

interface PageCheck {
  count: number;
  failure: string | null;
  is_old: boolean;
}

/** What the daily comparison of the payment page found, and what browsers reported of it in a week. */
export async function checkPaymentPage(url: string): Promise<Finding[]> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => {} });
  try {
    // Row security holds for the owner too.
    await sql`set role trilho_system`;
    const [last] = await sql<PageCheck[]>`
      select jsonb_array_length(differences) as count, failure,
             checked_at < now() - ${COMPARED_WITHIN_HOURS} * interval '1 hour' as is_old
        from page_checks order by checked_at desc limit 1`;
    const [told] = await sql<{ count: number }[]>`
      select count(*)::int as count from notices where kind = 'payment_page' and created_at > now() - interval '7 days'`;
    return [
      ...(last && last.count > 0
        ? [problem(`The payment page differs from the build in ${last.count} ways: select * from page_checks`)]
        : []),
      ...(last?.failure ? [warning(`The payment page could not be compared with the build: ${last.failure}`)] : []),
      ...(last?.is_old ? [warning("The payment page was not compared with the build for two days: run a worker")] : []),
      ...(told && told.count > 0
        ? [warning(`Payment pages held something unexpected ${told.count} times in 7 days: see the accounts' notices`)]
        : []),
    ];
  } catch {
    // Before the first start there are no tables; a database that does not answer is told of by its own check.
    return [];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Things that work on one machine and would surprise on several, or in public. */
export function checkSettings(settings: Env, source: Readonly<Record<string, string | undefined>>): Finding[] {
  const findings: Finding[] = [];
  const { hostname, protocol } = new URL(settings.BASE_URL);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (!isLocal && protocol === "http:")
    findings.push(
      warning("BASE_URL is not https: put a proxy with a certificate in front and set BASE_URL to its address"),
    );
  if (isLocal && settings.DATABASE_URL !== undefined)
    findings.push(warning("BASE_URL is localhost: set it to the address that payers and callers use"));
  if (settings.DATABASE_URL !== undefined && !source.TRILHO_KEK)
    findings.push(
      warning("TRILHO_KEK is kept in the data folder only: set it, the same on every machine, and back it up"),
    );
  if (settings.TRUST_PROXY === 0 && !isLocal)
    findings.push(
      warning("TRUST_PROXY is 0: behind a proxy every caller has the proxy's address; set the number of proxies"),
    );
  if (settings.SMTP_URL === undefined && !isLocal)
    findings.push(
      warning("SMTP_URL is not set: e-mails stay in the data folder and nobody gets them; set it with MAIL_FROM"),
    );
  if (settings.S3_ENDPOINT === undefined && settings.DATABASE_URL !== undefined)
    findings.push(
      warning("S3_ENDPOINT is not set: logos and documents stay on this machine; with several, set the S3_ variables"),
    );
  if (settings.METRICS_TOKEN === undefined && !isLocal)
    findings.push(
      warning(
        "METRICS_TOKEN is not set: nothing can watch what the audit of each minute finds; set it and read /metrics",
      ),
    );
  if (settings.RATE_LIMITS === Number.POSITIVE_INFINITY)
    findings.push(warning("RATE_LIMITS is off: anybody may call as often as they like; set it to on"));
  if (settings.WEBHOOK_ADDRESSES === "private")
    findings.push(
      warning("WEBHOOK_ADDRESSES is private: npm run dev sends webhooks of sandbox accounts into private networks"),
    );
  return findings;
}

/** Servers named in the configuration that do not even take a connection. */
export async function checkServices(settings: Env): Promise<Finding[]> {
  const services = [
    ["INNGEST_BASE_URL", settings.INNGEST_BASE_URL],
    ["SMTP_URL", settings.SMTP_URL],
    ["S3_ENDPOINT", settings.S3_ENDPOINT],
    ["OIDC_ISSUER", settings.OIDC_ISSUER],
  ] as const;
  const findings = await Promise.all(
    services.map(async ([name, url]) => {
      if (url === undefined || (await reaches(new URL(url)))) return [];
      return [warning(`${name}: ${new URL(url).host} does not answer; check the address and the network`)];
    }),
  );
  return findings.flat();
}

const USUAL_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443, "smtp:": 587, "smtps:": 465 };

function reaches(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) || (USUAL_PORTS[url.protocol] ?? 0) });
    const settle = (isReached: boolean) => {
      socket.destroy();
      resolve(isReached);
    };
    socket.setTimeout(REACH_TIMEOUT_MS, () => settle(false));
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}

/** A driver's message may quote the address with its password: only the code is shown. */
function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "no answer";
}

/** Says warnings and stops at problems. */
export function report(findings: readonly Finding[]): void {
  const problems = findings.filter(({ kind }) => kind === "problem");
  for (const { line } of findings.filter(({ kind }) => kind === "warning")) say(`  ! ${line}`);
  if (problems.length > 0) throw new Error(problems.map(({ line }) => `  ✗ ${line}`).join("\n"));
}
