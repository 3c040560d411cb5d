import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import { env } from "@/lib/env";
import { pause } from "@/lib/wait";

/**
 * Web processes that share one port (scripts/start/children.ts): the launcher passes on what one of them says to the
 * others. Somebody who is starting or stopping does not answer; nobody waits long for them.
 */
type Said =
  | { toSiblings: "question"; about: string; id: string }
  | { toSiblings: "answer"; id: string; value: unknown };

const LONGEST_MS = 1_000;
/** The server and the pages are two programs in one process. Guarantee: only this module writes the property. */
const holder = globalThis as typeof globalThis & { trilhoWaiting?: Map<string, (value: unknown) => void> };
holder.trilhoWaiting ??= new Map();
const waiting = holder.trilhoWaiting;
const answering = new Map<string, () => unknown>();

/** Guarantee: only `say` of this module sends such an object. */
const isSaid = (message: unknown): message is Said =>
  typeof message === "object" && message !== null && "toSiblings" in message;

const say = (said: Said): void => {
  if (process.connected) process.send?.(said);
};

/** To be called once, by a process that may be one of several. */
export function beSibling(): void {
  if (!cluster.worker) return;
  // Otherwise the module ends the process with its launcher, before it has finished what it does.
  cluster.worker.exitedAfterDisconnect = true;
  process.on("message", (message: unknown) => {
    if (!isSaid(message)) return;
    if (message.toSiblings === "answer") waiting.get(message.id)?.(message.value);
    else void answer(message.about, message.id);
  });
}

async function answer(about: string, id: string): Promise<void> {
  const value = await answering.get(about)?.();
  if (value !== undefined) say({ toSiblings: "answer", id, value });
}

export function answerSiblings(about: string, value: () => unknown): void {
  answering.set(about, value);
}

/** What those of the others say that answer in time. */
export function askSiblings(about: string): Promise<unknown[]> {
  const others = cluster.isWorker ? (env().WEB_PROCESSES ?? 1) - 1 : 0;
  if (others < 1) return Promise.resolve([]);
  const id = randomUUID();
  const values: unknown[] = [];
  const patience = new AbortController();
  return new Promise((resolve) => {
    const over = (): void => {
      patience.abort();
      waiting.delete(id);
      resolve(values);
    };
    pause(LONGEST_MS, patience.signal).then(over, () => undefined);
    waiting.set(id, (value) => {
      values.push(value);
      if (values.length >= others) over();
    });
    say({ toSiblings: "question", about, id });
  });
}
