import { systemSql } from "@/db/client";
import { engine } from "@/inngest/client";
import { createPoller } from "@/lib/engine/poller";
import { log } from "@/lib/log";
import { relayOutbox } from "@/lib/outbox";
import { startDraining, stopDraining } from "@/lib/scheduler/drain";
import { startDispatcher } from "@/lib/webhooks/dispatcher";

/** Told by whoever writes to the outbox; a lost notification costs this long at most. */
const OUTBOX_CHANNEL = "outbox";
const RELAY_EVERY_MS = 1_000;

export interface Worker {
  stop(): Promise<void>;
}

/** Relays the outbox, sends to webhooks and, with the embedded driver, runs the workflows in this process. */
export async function startWorker(): Promise<Worker> {
  const sql = systemSql();
  const own = engine();
  let stopping = false;
  startDraining();
  const relay = createPoller({
    retryMs: RELAY_EVERY_MS,
    onError: (error) => log.error({ error, job: "outbox" }, "The outbox could not be relayed"),
    async round() {
      while (!stopping && (await relayOutbox(sql, (events) => own.send(events))) > 0);
      return RELAY_EVERY_MS;
    },
  });
  await own.start();
  const listening = await sql.listen(OUTBOX_CHANNEL, relay.poke, relay.poke);
  const dispatcher = await startDispatcher({ sql });
  return {
    async stop() {
      stopping = true;
      await listening.unlisten();
      await relay.stop();
      await Promise.all([dispatcher.stop(), own.stop(), stopDraining()]);
    },
  };
}
