import { Cron } from "croner";
import type postgres from "postgres";
import { startRun } from "@/lib/engine/embedded/fan-out";
import type { RegisteredCron, WorkflowRegistry } from "@/lib/engine/embedded/registry";
import { transaction } from "@/lib/engine/embedded/transaction";
import { CRON_EVENT, type CronTrigger } from "@/lib/engine/workflow";

export function nextFiring({ cron, timeZone }: CronTrigger, after: Date): Date {
  const next = new Cron(cron, { timezone: timeZone, mode: "5-part", paused: true }).nextRun(after);
  if (!next) throw new Error(`The cron ${cron} never fires again`);
  return next;
}

/**
 * Starts a run for every cron whose moment has come, once over all workers. Moments missed while no worker ran are made
 * up for by a single run. A cron without a row, because it is new or the table was emptied, gets one.
 */
export async function fireCrons(sql: postgres.Sql, { crons }: WorkflowRegistry, now: Date): Promise<void> {
  if (crons.length === 0) return;
  const ids = crons.map((cron) => cron.id);
  const rows = await sql<{ id: string; nextAt: Date }[]>`
    select id, next_at as "nextAt" from engine_crons where id = any (${ids}::text[])`;
  const known = new Map(rows.map((row) => [row.id, row.nextAt]));
  for (const cron of crons) {
    const nextAt = known.get(cron.id);
    if (nextAt === undefined) await plan(sql, cron, now);
    else if (nextAt <= now) await fire(sql, cron, now);
  }
}

async function plan(sql: postgres.Sql, cron: RegisteredCron, now: Date): Promise<void> {
  await sql`
    insert into engine_crons (id, workflow, next_at) values (${cron.id}, ${cron.runnable.id}, ${nextFiring(cron, now)})
    on conflict do nothing`;
}

async function fire(sql: postgres.Sql, cron: RegisteredCron, now: Date): Promise<void> {
  await transaction(sql, async (tx) => {
    const [due] = await tx<{ nextAt: Date }[]>`
      select next_at as "nextAt" from engine_crons where id = ${cron.id} and next_at <= ${now} for update skip locked`;
    if (!due) return;
    const event = { id: `cron:${cron.id}:${due.nextAt.toISOString()}`, name: CRON_EVENT, data: { cron: cron.cron } };
    await startRun(tx, cron.runnable, event, now);
    await tx`update engine_crons set next_at = ${nextFiring(cron, now)} where id = ${cron.id}`;
  });
}
