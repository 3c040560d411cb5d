import type postgres from "postgres";
import { createPoller } from "@/lib/engine/poller";
import { EVENTS_CHANNEL } from "@/lib/events";
import { log } from "@/lib/log";
import { pause } from "@/lib/wait";
import { claimDeliveries } from "@/lib/webhooks/claim";
import { type ConnectionOptions, createConnections } from "@/lib/webhooks/connection";
import { deliver } from "@/lib/webhooks/deliver";
import { fanOut } from "@/lib/webhooks/fan-out";

/** Told by whoever emits an event; a lost notification costs this long at most. */
const POLL_EVERY_MS = 1_000;
/** Attempts on the wire at once in this process. */
const MOST_AT_ONCE = 400;
/** A claim costs the database the same for one delivery as for many: what becomes ready meanwhile goes with the next. */
const GATHER_MS = 5;

export interface Dispatcher {
  /** Lets the attempts on the wire end; what is not recorded then is sent again by whoever finds its lease run out. */
  stop(): Promise<void>;
}

export interface DispatcherOptions extends ConnectionOptions {
  sql: postgres.Sql;
  timeoutMs?: number;
}

/** Makes deliveries of events and sends them, for as long as this process works. */
export async function startDispatcher({ sql, timeoutMs, ...options }: DispatcherOptions): Promise<Dispatcher> {
  const connections = createConnections(options);
  const onTheWire = new Set<Promise<void>>();
  let stopping = false;

  const send = createPoller({
    retryMs: POLL_EVERY_MS,
    onError: (error) => log.error({ error, job: "webhooks" }, "Deliveries could not be claimed"),
    async round() {
      while (!stopping && onTheWire.size < MOST_AT_ONCE) {
        const claimed = await claimDeliveries(sql, MOST_AT_ONCE - onTheWire.size);
        if (claimed.length === 0) break;
        for (const one of claimed) {
          const work = deliver({ connections, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, one)
            .catch((error: unknown) => log.error({ error, job: "webhooks" }, "A delivery could not be recorded"))
            .finally(() => {
              onTheWire.delete(work);
              send.poke();
            });
          onTheWire.add(work);
        }
        await pause(GATHER_MS);
      }
      return POLL_EVERY_MS;
    },
  });
  const spread = createPoller({
    retryMs: POLL_EVERY_MS,
    onError: (error) => log.error({ error, job: "webhooks" }, "Events could not be fanned out"),
    async round() {
      while (!stopping && (await fanOut(sql)) > 0) send.poke();
      return POLL_EVERY_MS;
    },
  });
  const poke = () => {
    spread.poke();
    send.poke();
  };
  const listening = await sql.listen(EVENTS_CHANNEL, poke, poke);
  return {
    async stop() {
      stopping = true;
      await listening.unlisten();
      await Promise.all([spread.stop(), send.stop()]);
      await Promise.all(onTheWire);
      await connections.close();
    },
  };
}
