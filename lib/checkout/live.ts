import { systemSql } from "@/db/client";
import { log } from "@/lib/log";
import { pause } from "@/lib/wait";

/** Told by the database when a payment of a link changes (db/policies). */
const CHANNEL = "checkout";
/** What the channel might have missed, and what changes with time alone. */
const LOOK_AGAIN_MS = 10_000;
/** Browsers open the stream again; no connection lives for ever. */
const LONGEST_MS = 10 * 60_000;

type Told = () => void;

interface Listener {
  followers: Map<string, Set<Told>>;
  ready: Promise<unknown>;
}

/** Guarantee: only this module writes the property. One listening connection serves every page of a process. */
const holder = globalThis as typeof globalThis & { trilhoCheckout?: Listener };

function listener(): Listener {
  if (holder.trilhoCheckout) return holder.trilhoCheckout;
  const followers = new Map<string, Set<Told>>();
  const tell = (id: string) => {
    for (const told of followers.get(id) ?? []) told();
  };
  const ready = systemSql()
    .listen(CHANNEL, tell)
    .catch((error: unknown) => {
      holder.trilhoCheckout = undefined;
      log.warn({ error }, "pages of the checkout are not told of changes; they look by themselves");
    });
  holder.trilhoCheckout = { followers, ready };
  return holder.trilhoCheckout;
}

function on(id: string, told: Told): () => void {
  const { followers } = listener();
  const set = followers.get(id) ?? new Set();
  followers.set(id, set.add(told));
  return () => {
    set.delete(told);
    if (set.size === 0) followers.delete(id);
  };
}

/** Server-sent events of one payment: what it is now, and each time that changes, until the browser leaves. */
export function follow(id: string, signal: AbortSignal, read: () => Promise<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let wake: Told = () => undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    wake();
  };
  signal.addEventListener("abort", end, { once: true });
  return new ReadableStream<Uint8Array>({
    async start(stream) {
      let isChanged = true;
      const off = on(id, () => {
        isChanged = true;
        wake();
      });
      const startedAt = performance.now();
      let said = "";
      try {
        while (!isOver && performance.now() - startedAt < LONGEST_MS) {
          isChanged = false;
          const now = await read();
          if (isOver) break;
          // A comment keeps proxies from closing a silent connection.
          stream.enqueue(encoder.encode(now === said ? ":\n\n" : `data: ${now}\n\n`));
          said = now;
          if (isChanged) continue;
          const waiting = new Promise<void>((resolve) => {
            wake = resolve;
          });
          await Promise.race([waiting, pause(LOOK_AGAIN_MS)]);
        }
        stream.close();
      } catch (error) {
        if (!isOver) stream.error(error);
      } finally {
        off();
        signal.removeEventListener("abort", end);
      }
    },
    cancel: end,
  });
}
