import type postgres from "postgres";
import { systemSql } from "@/db/client";
import { realNow } from "@/lib/time";
import { pause } from "@/lib/wait";
import type { Attempted } from "@/lib/webhooks/record";

/** More rows in one statement save nothing any more. */
const MOST_AT_ONCE = 100;
/** A statement costs the database about as much as ten of its rows. */
const GATHER_MS = 4;

interface Waiting {
  attempted: Attempted;
  resolve(): void;
  reject(error: unknown): void;
}
const waiting: Waiting[] = [];
let isWriting = false;

/**
 * The usual case: a healthy webhook took its event at the first attempt. What ends while a statement is on its way is
 * written by the next one, all of it together.
 */
export function recordPlainSuccess(attempted: Attempted): Promise<void> {
  const recorded = new Promise<void>((resolve, reject) => waiting.push({ attempted, resolve, reject }));
  if (!isWriting) void writeWaiting();
  return recorded;
}

async function writeWaiting(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    await pause(GATHER_MS);
    const batch = waiting.splice(0, MOST_AT_ONCE);
    await write(batch.map(({ attempted }) => attempted)).then(
      () => {
        for (const { resolve } of batch) resolve();
      },
      () => oneByOne(batch),
    );
  }
  isWriting = false;
}

/** One that cannot be written keeps no other from it. */
async function oneByOne(batch: Waiting[]): Promise<void> {
  for (const { attempted, resolve, reject } of batch) await write([attempted]).then(resolve, reject);
}

async function write(attempts: Attempted[]): Promise<void> {
  const sql = systemSql();
  const rows = attempts.map(({ claimed, requestId, requestHeaders, at, answer }) => ({
    id: requestId,
    delivery: claimed.id,
    epoch: claimed.epoch,
    at: at.toISOString(),
    ms: answer.durationMs,
    code: answer.statusCode ?? null,
    sent: requestHeaders,
    got: answer.headers ?? null,
    body: answer.body?.toString("base64") ?? null,
  }));
  // Guarantee: rows hold text, numbers, null and records of texts, all of which JSON takes.
  const given = sql.json(rows as unknown as postgres.JSONValue);
  // Lost with a crash of the database it is sent once more, which a receiver must bear: nothing waits for the disk.
  await sql`
    with at_leisure as materialized (select set_config('synchronous_commit', 'off', true)
    ), given as materialized (
      select * from jsonb_to_recordset(${given}::jsonb) as given(
        id uuid, delivery uuid, epoch int, at timestamptz, ms int, code int, sent jsonb, got jsonb, body text)
    ), done as (
      update webhook_deliveries d
         set status = 'delivered', attempts = 1, counted = 1, first_attempt_at = given.at, delivered_at = given.at,
             next_attempt_at = null, ready_at = null
        from given
       where d.id = given.delivery and d.epoch = given.epoch and d.status = 'sending'
      returning d.id, d.client_id)
    insert into webhook_attempts (id, client_id, delivery_id, number, at, duration_ms, status_code,
                                  request_headers, response_headers, response_body, recorded_at)
    select given.id, done.client_id, done.id, 1, given.at, given.ms, given.code, given.sent, given.got,
           decode(given.body, 'base64'), ${realNow()}
      from done join given on given.delivery = done.id cross join at_leisure`;
}
