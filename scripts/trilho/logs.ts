import { pause } from "@/lib/wait";
import { type Api, Unreachable } from "@/scripts/trilho/api";
import { clockOf, columns, complain, dim, say, statusText } from "@/scripts/trilho/print";

const EVERY_MS = 1_000;
const PAGE = 100;
const SHOWN_AT_FIRST = 20;
/** Ids of lines already shown: more than one page can hold. */
const MOST_KEPT = 1_000;

interface Line {
  id: string;
  createdAt: string;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  requestId: string;
  replayed: boolean;
}

/** Lines are written a moment after their call and by several processes: what was shown is known by its id. */
export async function tailLogs(api: Api, { isOnce, isJson }: { isOnce: boolean; isJson: boolean }): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  let shown: string[] = [];
  for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
    try {
      const limit = isFirst ? SHOWN_AT_FIRST : PAGE;
      const { items } = await api.call<{ items: Line[] }>("GET", "/v1/logs", { query: { limit } });
      for (const line of items.reverse().filter(({ id }) => !shown.includes(id))) {
        say(isJson ? JSON.stringify(line) : textOf(line));
        shown.push(line.id);
      }
      shown = shown.slice(-MOST_KEPT);
    } catch (error) {
      if (isFirst || !(error instanceof Unreachable)) throw error;
      complain(error.message);
    }
    if (isOnce) return;
    await pause(EVERY_MS, stop.signal).catch(() => undefined);
  }
}

const textOf = ({ createdAt, method, path, status, durationMs, requestId, replayed }: Line): string =>
  `${columns([clockOf(createdAt), 8], [method, 6])}  ${statusText(status)}  ${path}  ${dim(
    `${durationMs} ms  ${requestId}${replayed ? "  replayed" : ""}`,
  )}`;
