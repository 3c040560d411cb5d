import { monotonicMs } from "@/lib/time";
import { pause } from "@/lib/wait";
import { complain } from "@/scripts/trilho/print";

/** As long as an endpoint has (spec/contract.md 20.4). */
const TIMEOUT_MS = 15_000;
/** What is taken is in our hands for 90 seconds: so long at most a program that is not started yet is waited for. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 300;

export interface Forwarded {
  durationMs: number;
  statusCode?: number;
  error?: "timeout" | "connection";
}
/** Answers nothing when it is told to stop while nobody is there: the event waits for the next reader. */
export type Forward = (headers: Record<string, string>, body: string) => Promise<Forwarded | undefined>;

/** A receiver that does not run yet is no failure: it would be tried again only minutes later. */
export function createForward(url: string, stop: AbortSignal): Forward {
  let isMissing = false;
  return async (headers, body) => {
    const untilMs = monotonicMs() + PATIENCE_MS;
    for (;;) {
      const came = await post(url, headers, body);
      if (came !== "nobody") {
        if (isMissing) complain("there it is");
        isMissing = false;
        return came;
      }
      if (!isMissing) complain(`Nobody listens at ${url} yet: start your receiver, the events wait for it …`);
      isMissing = true;
      if (monotonicMs() >= untilMs) return { durationMs: 0, error: "connection" };
      await pause(LOOK_AGAIN_MS, stop).catch(() => undefined);
      if (stop.aborted) return undefined;
    }
  };
}

/** The request as Trilho itself would have sent it: the same headers, the same bytes. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<Forwarded | "nobody"> {
  const startedMs = monotonicMs();
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const since = () => Math.round(monotonicMs() - startedMs);
  try {
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: late });
    await answer.body?.cancel();
    return { durationMs: since(), statusCode: answer.status };
  } catch (thrown) {
    if (isRefused(thrown)) return "nobody";
    return { durationMs: since(), error: late.aborted ? "timeout" : "connection" };
  }
}

/** Of a name with several addresses each is refused by itself. */
function isRefused(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown instanceof AggregateError) return thrown.errors.length > 0 && thrown.errors.every(isRefused);
  return ("code" in thrown && thrown.code === "ECONNREFUSED") || isRefused(thrown.cause);
}
