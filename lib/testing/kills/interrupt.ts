import { rmSync } from "node:fs";
import postgres from "postgres";
import { systemSql } from "@/db/client";
import { pipelined } from "@/lib/pipeline";
import { sweepOperations } from "@/lib/purchases/sweep";
import type { TestClient } from "@/lib/testing/api";
import { type Cell, FAULTS, type KillFault } from "@/lib/testing/kills/cells";
import { type Held, underReview, wrongsOf, wrongsOfShares } from "@/lib/testing/kills/judge";
import {
  begin,
  cellAt,
  described,
  endLeases,
  environment,
  keptCards,
  type Run,
  recover,
  type Tell,
} from "@/lib/testing/kills/runs";
import { POINTS } from "@/lib/testing/kills/seams";
import { startWorker, type Worker } from "@/lib/testing/kills/worker";
import type { Shop } from "@/lib/testing/payments";
import { isProof, proofFrom } from "@/lib/testing/proof";
import { bundled } from "@/lib/testing/simulator/bundle";
import { pause } from "@/lib/wait";

/** Longer than the lease of an operation; the suite brings the lease's end forward instead. */
const STOPPED_MS = isProof() ? 60_000 : 500;

export interface Interrupting {
  shop: Shop;
  cells: Cell[];
  runs: number;
  /** Operations of one worker, which meet one fault together. */
  atOnce: number;
  /** What the workers are told besides. */
  environment?: Record<string, string>;
  tell?: Tell;
  /** Who shares each purchase. */
  splitRules?: readonly object[];
  /** Books of another acquirer than the simulator. */
  elsewhere?: () => readonly Held[];
  /** How a card behaves is its holder's name too, for who cannot read it from the number. */
  isNamed?: boolean;
}

export interface Interrupted {
  violations: string[];
  figures: Figures;
  /** Step boundaries at which somebody stood when it happened. */
  points: string[];
}

/** Begins operations, interrupts each at its step, lets others find what is left, and judges what became of it. */
export async function interruptAll({
  shop,
  cells,
  runs,
  atOnce,
  environment: more = {},
  tell,
  elsewhere,
  isNamed = false,
  splitRules,
}: Interrupting): Promise<Interrupted> {
  const program = await bundled("lib/testing/kills/worker-program.ts", `kill-worker-${shop.merchant.id}`, POINTS);
  const { client } = shop;
  const cardOf = keptCards(client, isNamed ? (outcome) => outcome : undefined);
  const first = proofFrom();
  const violations: string[] = [];
  const figures: Figures = {
    processesKilled: 0,
    processesStopped: 0,
    connectionsBroken: 0,
    operationsOvertaken: 0,
    operationsInterrupted: 0,
    operationsNotInterrupted: 0,
    underReview: 0,
  };
  const points = new Set<string>();
  const start = () => startWorker(program, { ...environment(), ...more });
  let next = start();
  for (let done = 0; done < runs; done += atOnce) {
    const batch = Math.floor((first + done) / atOnce);
    const fault = FAULTS[batch % FAULTS.length] ?? "kill";
    const chosen = Array.from({ length: Math.min(atOnce, runs - done) }, (_, index) =>
      cellAt(cells, first + done + index),
    );
    const worker = await next;
    next = start();
    const begun = (await pipelined(chosen.map((cell) => begin(shop, cardOf, cell, { tell, splitRules })))).filter(
      (run) => run !== undefined,
    );
    await interrupt(fault, client, worker, begun, figures, splitRules !== undefined);
    for (const { id, at } of worker.told) if (at !== undefined && id !== "process") points.add(at);
    await recover(client, tell);
    const ids = begun.map(({ purchaseId }) => purchaseId);
    const wrongs = [...(await wrongsOf(ids, elsewhere?.())), ...(splitRules ? await wrongsOfShares(ids) : [])];
    violations.push(...wrongs.map((wrong) => `${fault}: ${wrong} ${described(begun, wrong)}`));
    figures.underReview += await underReview(ids);
    // A short operation ends before its step comes.
    const held = begun.filter(({ operationId }) =>
      worker.told.some(({ id, at }) => id === operationId && at !== undefined),
    );
    figures.operationsInterrupted += held.length;
    figures.operationsNotInterrupted += chosen.length - held.length;
    if (fault === "second") figures.operationsOvertaken += held.length;
  }
  (await next).child.kill("SIGKILL");
  rmSync(program, { force: true });
  return { violations, figures, points: [...points] };
}

/** What was done, by what it is called: a kill is a process that got SIGKILL in the middle of its work. */
type Figures = Record<
  | "processesKilled"
  | "processesStopped"
  | "connectionsBroken"
  | "operationsOvertaken"
  | "operationsInterrupted"
  | "operationsNotInterrupted"
  | "underReview",
  number
>;

async function interrupt(
  fault: KillFault,
  { clientId }: TestClient,
  worker: Worker,
  begun: Run[],
  figures: Figures,
  areShared: boolean,
): Promise<void> {
  const ids = begun.map(({ operationId }) => operationId);
  for (const { operationId, cell } of begun) {
    worker.give({
      id: operationId,
      clientId,
      operationId,
      stopAt: cell.stopAt,
      holdsLocks: fault !== "stop" && fault !== "second",
    });
  }
  await (areShared ? worker.settledOrHeldUp(ids, isAnyHeldUp) : worker.settled(ids));
  const { child } = worker;
  switch (fault) {
    case "kill":
      if (child.kill("SIGKILL")) figures.processesKilled += 1;
      return;
    case "stop":
      if (child.kill("SIGSTOP")) figures.processesStopped += 1;
      await pause(STOPPED_MS);
      if (!isProof()) await endLeases(clientId);
      await sweepOperations();
      child.kill("SIGCONT");
      break;
    case "second":
      await sweepOperations();
      await endLeases(clientId);
      await sweepOperations();
      break;
    case "reset":
      figures.connectionsBroken += await resetConnections();
      break;
  }
  worker.go();
  await worker.settled(ids, true);
  child.kill("SIGKILL");
}

/** Somebody waits for a lock: of a seller that another operation holds where it stands still. */
async function isAnyHeldUp(): Promise<boolean> {
  const [row] = await systemSql()<{ any: boolean }[]>`
    select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                    where not l.granted and a.datname = current_database()) as any`;
  return row?.any ?? false;
}

const GONE_MS = 30_000;

/**
 * Every connection of every process breaks, as when PostgreSQL starts again; only its owner may do that. Answers once
 * they are gone: on a busy machine one of our own would otherwise break under the next statement of the trial itself.
 */
async function resetConnections(): Promise<number> {
  const owner = postgres(process.env.DATABASE_OWNER_URL ?? "", { max: 1, onnotice: () => undefined });
  const broken = await owner<{ pid: number; done: boolean }[]>`
    select pid, pg_terminate_backend(pid) as done from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`;
  const pids = broken.map(({ pid }) => pid);
  await owner`select pg_terminate_backend(pid, ${GONE_MS}) from pg_stat_activity where pid = any(${pids}::int[])`;
  await owner.end({ timeout: 5 });
  return broken.filter(({ done }) => done).length;
}
