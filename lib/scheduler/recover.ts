import type postgres from "postgres";
import { systemSql } from "@/db/client";
import { deleteInBatches } from "@/db/delete-in-batches";
import { loadAccount } from "@/lib/accounts/service";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { resume } from "@/lib/charges/engine/settle";
import { systemContext } from "@/lib/context";
import { LANES } from "@/lib/due-jobs/kinds";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { KEPT_DAYS, type KeptFor } from "@/lib/retention";
import { inTurns } from "@/lib/turns";

const BATCH = 100;

/** An analyst may be asked: one that is silent keeps only its own account waiting. */
const TURNS = { atOnce: 16, perAccount: 4 };

/** Finishes charges whose driver died: their lease ran out. Whoever claims one first finishes it. */
export async function recoverCharges(turns = TURNS): Promise<number> {
  await wakeStranded();
  const left = await systemSql()<{ id: string; client_id: string }[]>`
    select id, client_id from (
      select id, client_id, lease_until, row_number() over (partition by client_id order by lease_until) as turn
        from charges where lease_until < now()) expired
     order by turn, lease_until limit ${BATCH}`;
  await inTurns(left, turns, async ({ id, client_id }) => {
    try {
      await resume(systemContext(await loadAccount(client_id), newId()), id);
    } catch (thrown) {
      if (!(thrown instanceof ChargeBusy)) log.error({ chargeId: id, error: thrown }, "recovery failed");
    }
  });
  return left.length;
}

/**
 * A move of a test clock that was cut off leaves jobs without a real moment; they get the one of the clock as it
 * stands. Those of a clock that stands still before them keep none.
 */
export async function wakeStranded(): Promise<void> {
  await systemSql()`
    update due_jobs j
       set wake_at = case when c.clock_frozen_at is null
                          then j.due_at - make_interval(secs => c.clock_offset_seconds) else now() end
      from clients c
     where j.lane = any(${[...LANES]}::text[]) and j.wake_at is null and j.queue is null and c.id = j.client_id
       and (c.clock_frozen_at is null or j.due_at <= c.clock_frozen_at)`;
}

const olderThan = (sql: postgres.Sql, column: string, kept: KeptFor) =>
  sql`${sql(column)} < now() - make_interval(days => ${KEPT_DAYS[kept]})`;

/** Rows that are kept for a while only. */
const EXPIRED: Readonly<Record<string, (sql: postgres.Sql) => postgres.PendingQuery<postgres.Row[]>>> = {
  idempotency_keys: (sql) => sql`keep_until < now() and state = 'done'`,
  request_logs: (sql) => olderThan(sql, "created_at", "requestLogs"),
  outbox: (sql) => olderThan(sql, "relayed_at", "relayedEvents"),
  events: (sql) => olderThan(sql, "created_at", "events"),
  notices: (sql) => olderThan(sql, "created_at", "notices"),
  provider_returns: (sql) => sql`expires_at < now() - interval '1 day'`,
  passkey_challenges: (sql) => sql`expires_at < now() - interval '1 day'`,
  rate_buckets: (sql) => sql`updated_at < now() - interval '1 day'`,
};

export async function deleteExpired(): Promise<void> {
  const sql = systemSql();
  for (const [table, isExpired] of Object.entries(EXPIRED)) await deleteInBatches(sql, table, isExpired(sql));
}
