import type postgres from "postgres";
import { stopListening } from "@/lib/engine/listening";
import { createPoller } from "@/lib/engine/poller";
import { EVENTS_CHANNEL } from "@/lib/events";
import { log } from "@/lib/log";
import { pause } from "@/lib/wait";
import { type ClaimedDelivery, claimDeliveries } from "@/lib/webhooks/claim";
import { type ConnectionOptions, createConnections } from "@/lib/webhooks/connection";
import { attemptDelivery } from "@/lib/webhooks/deliver";
import { BATCH, fanOutAndClaim } from "@/lib/webhooks/fan-out";
import { READY } from "@/lib/webhooks/wake";

/** Told by whoever emits an event; a lost notification costs this long at most. */
const POLL_EVERY_MS = 1_000;
/** Attempts on the wire at once in this process. */
const MOST_AT_ONCE = 400;
/** A claim costs the database the same for one delivery as for many: what becomes ready meanwhile goes with the next. */
const GATHER_MS = 5;
/** So many of the places on the wire are for what is sent as it is made; the others belong to those that wait. */
const AT_ONCE = MOST_AT_ONCE / 2;
/** Fewer events at a time are not worth a statement, while there are more. */
const LEAST_AT_ONCE = 64;
const MOST_GATHERED = 4;

export interface Dispatcher {
  /** Lets the attempts on the wire end; what is not recorded then is sent again by whoever finds its lease run out. */
  stop(): Promise<void>;
}

export interface DispatcherOptions extends ConnectionOptions {
  sql: postgres.Sql;
  timeoutMs?: number;
  pollEveryMs?: number;
}

/** Makes deliveries of events and sends them, for as long as this process works. */
export async function startDispatcher({
  sql,
  timeoutMs,
  pollEveryMs = POLL_EVERY_MS,
  ...options
}: DispatcherOptions): Promise<Dispatcher> {
  const connections = createConnections(options);
  const onTheWire = new Set<Promise<void>>();
  let stopping = false;
  /** What ends on the wire makes room for others: asked only when there may be some. */
  let mayOthersWait = true;

  const start = (claimed: readonly ClaimedDelivery[]): void => {
    for (const one of claimed) {
      const work = attemptDelivery({ connections, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, one)
        .catch((error: unknown) => log.error({ error, job: "webhooks" }, "A delivery could not be recorded"))
        .finally(() => {
          onTheWire.delete(work);
          if (mayOthersWait) send.poke();
        });
      onTheWire.add(work);
    }
  };
  const send = createPoller({
    retryMs: POLL_EVERY_MS,
    onError: (error) => log.error({ error, job: "webhooks" }, "Deliveries could not be claimed"),
    async round() {
      while (!stopping && onTheWire.size < MOST_AT_ONCE) {
        const { claimed, isAnyReady } = await claimDeliveries(sql, MOST_AT_ONCE - onTheWire.size);
        start(claimed);
        mayOthersWait = isAnyReady;
        if (claimed.length === 0) break;
        await pause(GATHER_MS);
      }
      return pollEveryMs;
    },
  });
  const claimNow = () => {
    mayOthersWait = true;
    send.poke();
  };
  const spread = createPoller({
    retryMs: POLL_EVERY_MS,
    onError: (error) => log.error({ error, job: "webhooks" }, "Events could not be fanned out"),
    async round() {
      for (let [count, limit] = [1, 1]; count >= limit && !stopping; ) {
        const room = await roomAtOnce();
        limit = Math.min(BATCH, Math.max(LEAST_AT_ONCE, room));
        const fannedOut = await fanOutAndClaim(sql, limit, room);
        count = fannedOut.count;
        start(fannedOut.claimed);
        if (fannedOut.isAnyReady) claimNow();
        if (count > 0) await pause(GATHER_MS);
      }
      return pollEveryMs;
    },
  });
  /** For what is sent as soon as it is made; a wire that stays full is no reason to wait for long. */
  const roomAtOnce = async (): Promise<number> => {
    const room = () => Math.max(0, AT_ONCE - onTheWire.size);
    for (let n = 0; n < MOST_GATHERED && room() < LEAST_AT_ONCE && !stopping; n++) await pause(GATHER_MS);
    return room();
  };
  const told = (what: string) => (what === READY ? claimNow() : spread.poke());
  const listening = await sql.listen(EVENTS_CHANNEL, told, () => {
    spread.poke();
    claimNow();
  });
  return {
    async stop() {
      stopping = true;
      await stopListening(listening);
      await Promise.all([spread.stop(), send.stop()]);
      await Promise.all(onTheWire);
      await connections.close();
    },
  };
}
