import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

const BEAT_EVERY_MS = 10_000;
/** Without a beat for so long no worker is there. */
const SILENCE_SECONDS = 60;
const FORGOTTEN_AFTER_SECONDS = 3_600;

/** Says in the database that a worker lives, whatever engine it runs; answers what ends that. */
export function startBeating(): () => Promise<void> {
  const id = newId();
  const beat = async (): Promise<void> => {
    await systemSql()`
      with gone as (
        delete from worker_beats where beat_at < now() - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS})
      )
      insert into worker_beats (id, beat_at) values (${id}, now())
      on conflict (id) do update set beat_at = excluded.beat_at`;
  };
  const tell = (error: unknown) => log.error({ error, job: "heartbeat" }, "The worker could not say that it lives");
  let beating = beat().catch(tell);
  const ticker = setInterval(() => {
    beating = beating.then(beat).catch(tell);
  }, BEAT_EVERY_MS);
  return async () => {
    clearInterval(ticker);
    await beating;
    await systemSql()`delete from worker_beats where id = ${id}`.catch(tell);
  };
}

export async function isWorkerAlive(): Promise<boolean> {
  const rows = await systemSql()`
    select from worker_beats where beat_at > now() - make_interval(secs => ${SILENCE_SECONDS}) limit 1`;
  return rows.length > 0;
}
