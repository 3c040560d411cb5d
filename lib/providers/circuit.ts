import { monotonicMs } from "@/lib/time";

/** Connections that failed in a row before a host is left alone, and for how long. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 10_000;

interface Circuit {
  failures: number;
  openUntilMs: number;
}

const circuits = new Map<string, Circuit>();

/**
 * Only failures to connect count: an answer of any kind, and even silence, shows a host that is there.
 * After the pause one call goes out; its result decides.
 */
export function circuitAllows(host: string, now = monotonicMs()): boolean {
  const circuit = circuits.get(host);
  if (!circuit || circuit.failures < FAILURES_TO_OPEN) return true;
  if (now < circuit.openUntilMs) return false;
  circuit.openUntilMs = now + OPEN_MS;
  return true;
}

export function reportConnection(host: string, connected: boolean, now = monotonicMs()): void {
  if (connected) {
    circuits.delete(host);
    return;
  }
  const circuit = circuits.get(host) ?? { failures: 0, openUntilMs: 0 };
  circuit.failures += 1;
  if (circuit.failures >= FAILURES_TO_OPEN) circuit.openUntilMs = now + OPEN_MS;
  circuits.set(host, circuit);
}

export const circuitRetryMs = (host: string, now = monotonicMs()): number =>
  Math.max(0, (circuits.get(host)?.openUntilMs ?? 0) - now);
