import { systemSql } from "@/db/client";
import { isDatabaseLoss } from "@/db/losses";
import { schemaState } from "@/db/schema-state";
import { type Link, readEngineLink } from "@/lib/engine/inngest/link";
import { faultSaid, linkFaultOf } from "@/lib/engine/inngest/standing";
import { isWorkerAlive } from "@/lib/health/beat";
import type { SecretsReport } from "@/lib/keys/checks";
import { noteOwnSecrets, secretsState } from "@/lib/keys/own";
import { log } from "@/lib/log";
import { pause } from "@/lib/wait";

/** Answers what is wrong, in a few words without figures or secrets; undefined when all is well. */
type Check = () => Promise<string | undefined>;

interface Row {
  /** `required`: without it nothing can be served. `told`: payments are still taken. */
  readonly weight: "required" | "told";
  readonly check: Check;
  /** Also asked once when a process first reaches its database; it ends when this says that something is wrong. */
  readonly atStart?: true;
}

/** What /readyz looks at, in its order. A package with something of its own to look at adds a row. */
const CHECKS: Readonly<Record<string, Row>> = {
  database: { weight: "required", check: database },
  schema: { weight: "required", check: () => schema() },
  secrets: { weight: "required", check: () => secrets(), atStart: true },
  worker: { weight: "told", check: async () => ((await isWorkerAlive()) ? undefined : "no worker is running") },
  engine: { weight: "told", check: async () => saidOf(await readEngineLink(systemSql())) },
  // Before Inngest knows whom to call nothing that is accepted would be done; afterwards workers do without it.
  registration: { weight: "required", check: async () => saidOf(await unregistered()) },
  // Migrations may come a little later; older code never fits again.
  release: { weight: "required", check: release, atStart: true },
};

const LONGEST_MS = 2_000;
const FRESH_MS = 1_000;

export interface Readiness {
  ready: boolean;
  checks: Record<string, { ok: boolean; reason?: string }>;
}

let asked: { at: number; answer: Promise<Readiness> } | undefined;

/** Of one second ago at the most: nobody keeps the database busy by asking. */
export function readiness(): Promise<Readiness> {
  if (asked === undefined || performance.now() - asked.at > FRESH_MS) {
    asked = { at: performance.now(), answer: examine() };
  }
  return asked.answer;
}

async function examine(): Promise<Readiness> {
  const found = await Promise.all(
    Object.entries(CHECKS).map(async ([name, { weight, check }]) => ({ name, weight, reason: await inTime(check) })),
  );
  return {
    ready: found.every(({ weight, reason }) => weight === "told" || reason === undefined),
    checks: Object.fromEntries(
      found.map(({ name, reason }) => [name, reason === undefined ? { ok: true } : { ok: false, reason }]),
    ),
  };
}

async function inTime(check: Check): Promise<string | undefined> {
  const patience = new AbortController();
  try {
    const late = pause(LONGEST_MS, patience.signal).then(() => "no answer");
    late.catch(() => undefined);
    return await Promise.race([check(), late]);
  } catch (error) {
    if (isDatabaseLoss(error)) return "the database is away";
    log.error({ error }, "a readiness check failed");
    return "could not be examined";
  } finally {
    patience.abort();
  }
}

/** What makes this process useless for its database, one line each: asked when it is first reached. */
export async function startProblems(): Promise<string[]> {
  const rows = Object.entries(CHECKS).filter(([, { atStart }]) => atStart);
  const found = await Promise.all(rows.map(async ([name, { check }]) => ({ name, reason: await check() })));
  const problems = found.flatMap(({ name, reason }) => (reason === undefined ? [] : [`${name}: ${reason}`]));
  if (problems.length > 0) return problems;
  // Of several that meet an empty database with other secrets, the first decides.
  const reason = wordsOf(await noteOwnSecrets());
  return reason === undefined ? [] : [`secrets: ${reason}`];
}

async function database(): Promise<string | undefined> {
  await systemSql()`select 1`;
  return undefined;
}

const STANDINGS = {
  ready: undefined,
  behind: "migrations of this version are missing",
  ahead: "only newer code may serve this database",
} as const;

const schema: Check = async () => STANDINGS[(await schemaState()).standing];

async function release(): Promise<string | undefined> {
  const { standing } = await schemaState();
  return standing === "ahead" ? STANDINGS.ahead : undefined;
}

async function unregistered(): Promise<Link | undefined> {
  const link = await readEngineLink(systemSql());
  return link?.registeredAt === null ? link : undefined;
}

/** Without a link the engine is the embedded one, which needs nobody. */
function saidOf(link: Link | undefined): string | undefined {
  const fault = link && linkFaultOf(link);
  return link && fault ? faultSaid(fault, link) : undefined;
}

const SECRET_STATES = { missing: "is missing", differ: "is not the one the data was written with" } as const;

const secrets: Check = async () => wordsOf(await secretsState());

function wordsOf({ problems }: SecretsReport): string | undefined {
  const found = new Set(problems.map(({ name, state }) => `${name} ${SECRET_STATES[state]}`));
  return found.size === 0 ? undefined : [...found].join(", ");
}
