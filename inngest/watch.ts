import { systemSql } from "@/db/client";
import { engine } from "@/inngest/client";
import { workflows } from "@/inngest/index";
import { serverOf } from "@/inngest/serving";
import { FAULT_WORDS, type Fault } from "@/lib/engine/inngest/faults";
import { noteTold, openEngineLink, readEngineLink, watch } from "@/lib/engine/inngest/link";
import { faultSaid, linkFaultOf, mustSweep } from "@/lib/engine/inngest/standing";
import { createPoller } from "@/lib/engine/poller";
import { runNow } from "@/lib/engine/run-now";
import { isCron, type Workflow } from "@/lib/engine/workflow";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { tellOfEngine } from "@/lib/notices/engine";
import { longestWaitSeconds } from "@/lib/purchases/queue";
import { monotonicMs } from "@/lib/time";

const LOOK_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 15_000;
const EVERY_MINUTE = "* * * * *";

/** What every minute does; claimed by leases, so that doing it twice changes nothing. */
const sweeps = workflows.filter(({ triggers }) => triggers.some((one) => isCron(one) && one.cron === EVERY_MINUTE));

/** A worker notices that Inngest does not call, tells of it, and does the minute's work itself until it calls again. */
export function startWatch(): { stop(): Promise<void> } {
  const sql = systemSql();
  const ended = new AbortController();
  const busy = new Map<Workflow, Promise<void>>();
  let sweptAt = Number.NEGATIVE_INFINITY;

  const sweep = (workflow: Workflow): void => {
    if (busy.has(workflow)) return;
    const done = runNow(workflow, engine().send, ended.signal)
      .catch((error: unknown) => log.error({ error, job: workflow.id }, "A sweep of a worker's own failed"))
      .finally(() => busy.delete(workflow));
    busy.set(workflow, done);
  };

  const poller = createPoller({
    retryMs: LOOK_EVERY_MS,
    onError: (error) => log.error({ error, job: "engine watch" }, "The engine could not be watched"),
    async round() {
      await openEngineLink(sql, serverOf(env()));
      await watch(sql);
      const link = await readEngineLink(sql);
      if (!link) return LOOK_EVERY_MS;
      const fault = linkFaultOf(link);
      if (await noteTold(sql, fault)) say(fault, fault === null ? "" : faultSaid(fault, link));
      await tellOfEngine(fault);
      if (monotonicMs() - sweptAt >= SWEEP_EVERY_MS && mustSweep(link, await longestWaitSeconds())) {
        sweptAt = monotonicMs();
        for (const workflow of sweeps) sweep(workflow);
      }
      return LOOK_EVERY_MS;
    },
  });
  poller.poke();
  return {
    async stop() {
      ended.abort();
      await poller.stop();
      await Promise.all(busy.values());
    },
  };
}

function say(fault: Fault | null, words: string): void {
  if (fault === null) log.info({ job: "engine" }, "Inngest calls");
  else log.error({ job: "engine" }, `Inngest: ${words || FAULT_WORDS[fault]}`);
}
