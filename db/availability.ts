import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { gatheringSocket } from "@/db/driver/gathering-socket";
import { failingSocket, onWrite } from "@/db/driver/sockets";
import { AWAY, isDatabaseLoss } from "@/db/losses";

/** What becomes of the database, for the log: told once for each change, and once a minute while it is away. */
export type DatabaseNews =
  | { is: "away"; reason: string; seconds: number }
  | { is: "back"; seconds: number }
  /** Connections broke, and it answers. */
  | { is: "shaken" };

/** An answer may take this long when the connection is the only thing that is silent. */
const SILENCE_MS = 400;
const TICK_MS = 200;
/** With the silence before it less than the three seconds in which a request is answered. */
const PROBE_MS = 2_000;
/** This process stood still so long that its own clock proves nothing. */
const STALL_MS = 300;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const TELL_EVERY_MS = 60_000;

interface Tracked {
  socket: Socket;
  /** Since when an answer is awaited on it; undefined when nothing is. */
  waitingSince: number | undefined;
}

interface Watch {
  state: "unproven" | "here" | "away";
  reason: string;
  awaySince: number;
  toldAt: number;
  shakenAt: number;
  heardAt: number;
  tracked: Set<Tracked>;
  probing: Promise<void> | undefined;
  isDoubted: boolean;
  isBroken: boolean;
  waiting: Set<() => void>;
  tell: (news: DatabaseNews) => void;
  ticker: NodeJS.Timeout | undefined;
}

/** Guarantee: only this module writes the property. One for the process, however often this module is bundled. */
const holder = globalThis as typeof globalThis & { trilhoDatabase?: Watch };
const watch = (): Watch => {
  holder.trilhoDatabase ??= {
    state: "unproven",
    reason: "",
    awaySince: 0,
    toldAt: Number.NEGATIVE_INFINITY,
    shakenAt: Number.NEGATIVE_INFINITY,
    heardAt: 0,
    tracked: new Set(),
    probing: undefined,
    isDoubted: false,
    isBroken: false,
    waiting: new Set(),
    tell: () => undefined,
    ticker: undefined,
  };
  return holder.trilhoDatabase;
};

export const isDatabaseAway = (): boolean => watch().state === "away";
/** A connection broke, and whether the database is away is being found out. */
export const isDatabaseDoubted = (): boolean => watch().state === "away" || watch().probing !== undefined;

export function onDatabaseNews(tell: (news: DatabaseNews) => void): void {
  watch().tell = tell;
}

/** Settles when the database has answered: at once when it is known to be here. */
export async function databaseHere(signal?: AbortSignal): Promise<void> {
  const own = watch();
  if (own.state === "here") return;
  doubt();
  await new Promise<void>((resolve) => {
    own.waiting.add(resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Does again what failed for want of a database alone, when it is back: only for what may be done twice. */
export async function throughLosses<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      if (!isDatabaseLoss(thrown)) throw thrown;
      await sleep(LONGEST_PAUSE_MS);
      await databaseHere();
    }
  }
}

/**
 * A socket of the driver, watched. While the database is away none is opened: a pool fails at once, and what only listens
 * waits.
 */
export async function watchedSocket(port: number, host: string, isListener: boolean): Promise<Socket> {
  const own = watch();
  if (own.state === "away") {
    if (!isListener) return failingSocket(Object.assign(new Error("the database is away"), { code: AWAY }));
    await databaseHere();
  }
  const socket = gatheringSocket(port, host);
  const tracked: Tracked = { socket, waitingSince: performance.now() };
  own.tracked.add(tracked);
  own.ticker ??= setInterval(lookForSilence, TICK_MS).unref();
  onWrite(socket, () => {
    tracked.waitingSince ??= performance.now();
  });
  socket.on("data", () => {
    tracked.waitingSince = undefined;
    own.heardAt = performance.now();
  });
  socket.on("error", broken);
  // A server that dies may still say goodbye; the socket then ends its own side before anybody else is told.
  socket.prependListener("end", () => {
    if (!socket.writableEnded) broken();
  });
  socket.on("close", () => {
    own.tracked.delete(tracked);
    // The driver ends what it no longer wants; anything else broke.
    if (!socket.writableEnded) broken();
  });
  return socket;
}

let tickedAt = 0;

/** Hung connections say nothing: when no connection says anything, the database is asked on a new one. */
function lookForSilence(): void {
  const own = watch();
  const now = performance.now();
  const stalled = now - tickedAt > TICK_MS + STALL_MS;
  tickedAt = now;
  if (own.tracked.size === 0) {
    clearInterval(own.ticker);
    own.ticker = undefined;
    return;
  }
  if (stalled || own.state === "away" || now - own.heardAt < SILENCE_MS) return;
  for (const { waitingSince } of own.tracked) {
    if (waitingSince !== undefined && now - waitingSince > SILENCE_MS) {
      doubt();
      return;
    }
  }
}

function broken(): void {
  watch().isBroken = true;
  doubt();
}

/** Finds out whether the database is here; while it is not, again and again until it is. */
function doubt(): void {
  const own = watch();
  own.isDoubted = true;
  own.probing ??= probeUntilHere(own).finally(() => {
    own.probing = undefined;
    if (own.isDoubted) doubt();
  });
}

async function probeUntilHere(own: Watch): Promise<void> {
  for (let tries = 0; ; tries++) {
    own.isDoubted = false;
    const problem = await probe(own);
    if (problem === undefined) {
      here(own);
      // Many connections break at once: they are one doubt.
      await sleep(FIRST_PAUSE_MS, undefined, { ref: false });
      return;
    }
    away(own, problem);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 10));
    // A process that starts without a database stays alive for it.
    await sleep(pauseMs, undefined, { ref: own.waiting.size > 0 });
  }
}

/** Answers why the database does not serve; undefined when it does. */
async function probe(own: Watch): Promise<string | undefined> {
  const url = process.env.DATABASE_URL;
  if (!url) return "DATABASE_URL is not set";
  const startedAt = performance.now();
  const sql = postgres(url, {
    max: 1,
    connect_timeout: PROBE_MS / 1_000,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: "trilho-probe" },
  });
  const timeout = new AbortController();
  try {
    const late = sleep(PROBE_MS, "no answer", { signal: timeout.signal, ref: false });
    const answer = await Promise.race([sql`select 1`.then(() => undefined), late]);
    if (answer === undefined) return undefined;
    const tookMs = performance.now() - startedAt;
    // It speaks on other connections, or it was this process that stood still.
    if (own.heardAt > startedAt || tookMs > PROBE_MS + STALL_MS) return undefined;
    return answer;
  } catch (thrown) {
    return reasonOf(thrown);
  } finally {
    timeout.abort();
    void sql.end({ timeout: 0 }).catch(() => undefined);
  }
}

function reasonOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string") return "no answer";
  // It has no place for one more, and so is here.
  return thrown.code === "53300" ? undefined : thrown.code;
}

function here(own: Watch): void {
  const now = performance.now();
  const was = own.state;
  own.state = "here";
  own.heardAt = now;
  if (was === "away") own.tell({ is: "back", seconds: Math.round((now - own.awaySince) / 1_000) });
  else if (was === "here" && own.isBroken && now - own.shakenAt > TELL_EVERY_MS) {
    own.shakenAt = now;
    own.tell({ is: "shaken" });
  }
  own.isBroken = false;
  for (const resolve of own.waiting) resolve();
  own.waiting.clear();
}

function away(own: Watch, reason: string): void {
  const now = performance.now();
  if (own.state !== "away") {
    own.awaySince = now;
    own.toldAt = Number.NEGATIVE_INFINITY;
  }
  own.state = "away";
  own.reason = reason;
  // What hangs would hang for minutes. Where the server refuses, its connections end by themselves, their work done.
  if (reason === "no answer" || reason === "CONNECT_TIMEOUT") {
    for (const { socket } of own.tracked) socket.destroy();
  }
  if (now - own.toldAt < TELL_EVERY_MS) return;
  own.toldAt = now;
  own.tell({ is: "away", reason, seconds: Math.round((now - own.awaySince) / 1_000) });
}
