import { monotonicMs } from "@/lib/time";

/** As long as an endpoint has (spec/contract.md 20.4). */
const TIMEOUT_MS = 15_000;

export interface Forwarded {
  durationMs: number;
  statusCode?: number;
  error?: "timeout" | "connection";
}

/** The request as Trilho itself would have sent it: the same headers, the same bytes. */
export async function forward(url: string, headers: Record<string, string>, body: string): Promise<Forwarded> {
  const startedMs = monotonicMs();
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const since = () => Math.round(monotonicMs() - startedMs);
  try {
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: late });
    await answer.body?.cancel();
    return { durationMs: since(), statusCode: answer.status };
  } catch {
    return { durationMs: since(), error: late.aborted ? "timeout" : "connection" };
  }
}
