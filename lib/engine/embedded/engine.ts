import type postgres from "postgres";
import { type Clock, REAL_TIME } from "@/lib/engine/clock";
import { claimRuns, LEASE, type LeaseTimes, nextWakeAt, renewLeases } from "@/lib/engine/embedded/claims";
import { fireCrons } from "@/lib/engine/embedded/crons";
import { execute } from "@/lib/engine/embedded/execute";
import { type Connection, fanOut, WAKE_CHANNEL } from "@/lib/engine/embedded/fan-out";
import { createPresence } from "@/lib/engine/embedded/presence";
import { RunLost, recordsOf } from "@/lib/engine/embedded/records";
import { registerWorkflows } from "@/lib/engine/embedded/registry";
import { purge } from "@/lib/engine/embedded/retention";
import { transaction } from "@/lib/engine/embedded/transaction";
import type { Failure } from "@/lib/engine/errors";
import { stopListening } from "@/lib/engine/listening";
import { createPoller } from "@/lib/engine/poller";
import type { SentEvent, Workflow } from "@/lib/engine/workflow";
import { monotonicMs } from "@/lib/time";

/** A notification can be lost with its connection; nothing waits longer than this for it. */
const SAFETY_POLL_MS = 1_000;
const PURGE_EVERY_MS = 600_000;
/** The longest call to a provider is over by then; what is not is left to the lease. */
const DRAIN_MS = 23_000;
const DEFAULT_CONCURRENCY = 10;

export interface EmbeddedEngineOptions {
  /** A postgres.js pool that Drizzle does not use, because it changes the parsers of its client. */
  sql: postgres.Sql;
  workflows: readonly Workflow[];
  clock?: Clock;
  worker?: {
    /** Runs at work at once in this process. */
    concurrency?: number;
    lease?: LeaseTimes;
    /** Looked round so often although nobody told of anything. */
    safetyPollMs?: number;
  };
  onError?(error: unknown, doing: string): void;
  onRunFailed?: RunFailed;
}

/** Told of every run that has failed for good. */
export type RunFailed = (run: { workflow: string; runId: string }, failure: Failure) => void;

export interface EmbeddedEngine {
  start(): Promise<void>;
  /** Begins nothing more, lets the steps in progress end, gives the leases back. */
  stop(): Promise<void>;
  /** Starts and wakes runs; in the caller's transaction when one is given. */
  send(events: readonly SentEvent[], tx?: Connection): Promise<void>;
  /** Runs everything due now, in the caller's time instead of the worker's; returns how many claims it took. */
  drain(): Promise<number>;
  /** The next moment at which something becomes due. */
  nextWakeAt(): Promise<Date | null>;
}

interface AtWork {
  lost: AbortController;
  renewedAt: number;
  done: Promise<void>;
}

export function createEmbeddedEngine({
  sql,
  workflows,
  clock = REAL_TIME,
  worker = {},
  onError = () => undefined,
  onRunFailed = () => undefined,
}: EmbeddedEngineOptions): EmbeddedEngine {
  const registry = registerWorkflows(workflows);
  const presence = createPresence(sql);
  const { concurrency: capacity = DEFAULT_CONCURRENCY, lease = LEASE, safetyPollMs = SAFETY_POLL_MS } = worker;
  const atWork = new Map<string, AtWork>();
  const stopping = new AbortController();
  let started = false;
  let lookedAroundAt = Number.NEGATIVE_INFINITY;
  const tickers: NodeJS.Timeout[] = [];
  let unlisten: (() => Promise<void>) | undefined;

  const claim = async (): Promise<number> => {
    const free = capacity - atWork.size;
    if (free <= 0) return 0;
    const claimedAt = monotonicMs();
    const runs = await claimRuns(sql, registry, free, clock.now(), lease.seconds);
    for (const run of runs) {
      const runnable = registry.byId.get(run.workflow);
      if (!runnable) continue;
      const lost = new AbortController();
      const records = recordsOf(sql, registry, run);
      const onFailed = (failure: Failure) => onRunFailed({ workflow: run.workflow, runId: run.id }, failure);
      const done = execute({ run, runnable, records, clock, lost: lost.signal, stopping: stopping.signal, onFailed })
        .catch((thrown: unknown) => {
          if (!(thrown instanceof RunLost)) onError(thrown, `recording the run ${run.id} of ${run.workflow}`);
        })
        .finally(() => {
          atWork.delete(run.owner);
          if (started) poller.poke();
        });
      atWork.set(run.owner, { lost, renewedAt: claimedAt, done });
    }
    return runs.length;
  };

  const poller = createPoller({
    retryMs: SAFETY_POLL_MS,
    onError: (thrown) => onError(thrown, "looking for due runs"),
    async round() {
      await atMostEverySecond();
      while (!stopping.signal.aborted && (await claim()) > 0);
      const next = await nextWakeAt(sql, registry, clock.now());
      return next ? Math.min(safetyPollMs, Math.max(1, next.getTime() - clock.now().getTime())) : safetyPollMs;
    },
  });

  /** Here and not in the heartbeat, because nothing is claimed meanwhile. */
  const atMostEverySecond = async () => {
    if (monotonicMs() - lookedAroundAt < SAFETY_POLL_MS) return;
    lookedAroundAt = monotonicMs();
    await presence.endLeasesOfTheDead([...atWork.keys()]);
    await fireCrons(sql, registry, clock.now());
  };

  const heartbeat = async () => {
    const owners = [...atWork.keys()];
    if (owners.length === 0) return;
    const askedAt = monotonicMs();
    const kept = await renewLeases(await presence.connection(), owners, lease.seconds);
    for (const owner of owners) {
      const run = atWork.get(owner);
      if (kept.has(owner) && run) run.renewedAt = askedAt;
      else run?.lost.abort(new RunLost());
    }
  };

  /** Without an answer from the database somebody else may hold the runs by now. */
  const giveUpUnrenewed = () => {
    for (const run of atWork.values()) {
      if (monotonicMs() - run.renewedAt > lease.seconds * 1_000) run.lost.abort(new RunLost());
    }
  };

  const every = (ms: number, doing: string, work: () => Promise<void>) => {
    let running = false;
    const ticker = setInterval(() => {
      if (running) return;
      running = true;
      work()
        .catch((thrown: unknown) => onError(thrown, doing))
        .finally(() => {
          running = false;
        });
    }, ms);
    tickers.push(ticker);
  };

  return {
    async start() {
      // Without a database the first round takes the lock, before it claims anything.
      await presence.connection().catch((thrown: unknown) => onError(thrown, "saying that this worker lives"));
      started = true;
      every(lease.heartbeatSeconds * 1_000, "renewing leases", heartbeat);
      tickers.push(setInterval(giveUpUnrenewed, lease.heartbeatSeconds * 1_000));
      every(PURGE_EVERY_MS, "deleting old runs", () => purge(sql, clock.now()));
      const listening = await sql.listen(WAKE_CHANNEL, poller.poke, poller.poke);
      unlisten = () => stopListening(listening);
    },

    async stop() {
      stopping.abort();
      await poller.stop();
      await unlisten?.();
      let giveUp: NodeJS.Timeout | undefined;
      await Promise.race([
        Promise.all([...atWork.values()].map((run) => run.done)),
        new Promise((resolve) => {
          giveUp = setTimeout(resolve, DRAIN_MS);
        }),
      ]);
      clearTimeout(giveUp);
      for (const ticker of tickers) clearInterval(ticker);
      await presence.release();
    },

    async send(events, tx) {
      if (tx) await fanOut(tx, registry, events, clock.now());
      else await transaction(sql, (own) => fanOut(own, registry, events, clock.now()));
    },

    async drain() {
      let claims = 0;
      for (;;) {
        await fireCrons(sql, registry, clock.now());
        const claimed = await claim();
        if (claimed === 0 && atWork.size === 0) return claims;
        claims += claimed;
        await Promise.race([...atWork.values()].map((run) => run.done));
      }
    },

    nextWakeAt: () => nextWakeAt(sql, registry, clock.now()),
  };
}
