import { throughLosses } from "@/db/availability";
import { systemSql } from "@/db/client";
import { engine } from "@/inngest/client";
import { serverOf } from "@/inngest/serving";
import { startWatch } from "@/inngest/watch";
import { EngineFault, type Fault } from "@/lib/engine/inngest/faults";
import { closeLink, noteEvents, openEngineLink } from "@/lib/engine/inngest/link";
import { stopListening } from "@/lib/engine/listening";
import { createPoller } from "@/lib/engine/poller";
import type { SentEvent } from "@/lib/engine/workflow";
import { env } from "@/lib/env";
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
    onError: (error) => {
      // The watch tells of it, once.
      if (!(error instanceof EngineFault)) log.error({ error, job: "outbox" }, "The outbox could not be relayed");
    },
    async round() {
      while (!stopping && (await relayOutbox(sql, send)) > 0);
      return RELAY_EVERY_MS;
    },
  });
  let fault: Fault | null | undefined;
  /** What Inngest answered is kept when it changes. */
  const note = async (now: Fault | null) => {
    if (own.inngest && fault !== now) await noteEvents(sql, now);
    fault = now;
  };
  const send = async (events: readonly SentEvent[]) => {
    try {
      await own.send(events);
    } catch (thrown) {
      if (thrown instanceof EngineFault) await note(thrown.fault);
      throw thrown;
    }
    await note(null);
  };
  await throughLosses(() => (own.inngest ? openEngineLink(sql, serverOf(env())) : closeLink(sql)));
  const watch = own.inngest && startWatch();
  await own.start();
  const listening = await sql.listen(OUTBOX_CHANNEL, relay.poke, relay.poke);
  const dispatcher = await startDispatcher({ sql });
  return {
    async stop() {
      stopping = true;
      await stopListening(listening);
      await relay.stop();
      await watch?.stop();
      await Promise.all([dispatcher.stop(), own.stop(), stopDraining()]);
    },
  };
}
