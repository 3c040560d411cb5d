import { monotonicMs } from "@/lib/time";

/** Calls in a row that provably never left, after which a provider is left out for a moment. */
const UNSENT_TO_OPEN = 5;
const OPEN_MS = 10_000;
const MOST_KEPT = 10_000;

interface Circuit {
  unsent: number;
  openUntilMs: number;
}

/** Of this process: what it cannot reach another one may. */
const circuits = new Map<string, Circuit>();

const UNREACHED: ReadonlySet<string> = new Set(["dns", "connect_refused", "connect_timeout", "tls", "circuit_open"]);

/** What became of a call: an answer, even one that nobody understood, says that there is somebody. */
export function reportCall(providerId: string, outcome: { kind: string; cause?: string }, ms = monotonicMs()): void {
  if (outcome.kind !== "not_sent") {
    circuits.delete(providerId);
    return;
  }
  if (!UNREACHED.has(outcome.cause ?? "")) return;
  const unsent = (circuits.get(providerId)?.unsent ?? 0) + 1;
  if (circuits.size >= MOST_KEPT) circuits.clear();
  circuits.set(providerId, { unsent, openUntilMs: unsent >= UNSENT_TO_OPEN ? ms + OPEN_MS : 0 });
}

/** New payments go elsewhere meanwhile; the first one after it tries again. */
export const isCircuitOpen = (providerId: string, ms = monotonicMs()): boolean =>
  ms < (circuits.get(providerId)?.openUntilMs ?? 0);
