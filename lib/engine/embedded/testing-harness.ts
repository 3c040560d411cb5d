import postgres from "postgres";
import { z } from "zod";
import { systemSql } from "@/db/client";
import { endingWithConnection } from "@/db/driver/lost-connection";
import { createEmbeddedEngine, type EmbeddedEngineOptions } from "@/lib/engine/embedded/engine";
import { virtualClock } from "@/lib/engine/testing-clock";
import { eventType, type Workflow } from "@/lib/engine/workflow";
import { plannedDatabaseUrl } from "@/lib/testing/database";

const sql = systemSql();
let count = 0;

/** Tests of one file share a database: each makes its own ids and events. */
export const unique = (): string => `test-${process.pid}-${++count}`;
export const charged = () => eventType(`${unique()}/charge.made`, z.object({ chargeId: z.string() }));

/** An engine that runs only when it is drained, on a clock that stands still. */
export function start(workflows: Workflow[]) {
  const clock = virtualClock();
  const errors: unknown[] = [];
  const failed: { workflow: string; name: string }[] = [];
  const engine = createEmbeddedEngine({
    sql,
    workflows,
    clock,
    onError: (error) => errors.push(error),
    onRunFailed: ({ workflow }, { name }) => failed.push({ workflow, name }),
  });
  return {
    ...engine,
    clock,
    errors,
    failed,
    async later(seconds: number) {
      clock.advance(seconds);
      return engine.drain();
    },
  };
}

const open: { stop(): Promise<void> }[] = [];

/** A worker in this process, on real time, with a pool of its own. */
export async function startWorker(
  workflows: Workflow[],
  worker?: EmbeddedEngineOptions["worker"],
  databaseUrl = plannedDatabaseUrl(),
) {
  const pool = endingWithConnection(postgres(databaseUrl, { max: 4, onnotice: () => undefined }));
  const errors: unknown[] = [];
  const engine = createEmbeddedEngine({ sql: pool, workflows, worker, onError: (error) => errors.push(error) });
  await engine.start();
  const started = {
    ...engine,
    errors,
    pool,
    async stop() {
      if (!open.includes(started)) return;
      open.splice(open.indexOf(started), 1);
      await engine.stop();
      await pool.end({ timeout: 1 });
    },
  };
  open.push(started);
  return started;
}

export const stopWorkers = () => Promise.all([...open].map((worker) => worker.stop()));

export async function runsOf(id: string) {
  const rows = await sql<{ status: string; output: string | null; error: string | null }[]>`
    select status, output, error from engine_runs where workflow = ${id} order by created_at, id`;
  return rows.map(({ status, output, error }) => ({
    status,
    output: output && JSON.parse(output),
    ...(error && { error: JSON.parse(error).message }),
  }));
}
