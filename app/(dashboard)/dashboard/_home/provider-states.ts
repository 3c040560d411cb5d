import type { HealthState } from "@/components/insights/provider-health";
import { FEWEST_ATTEMPTS, isFailing, type ProviderNow } from "@/lib/insights/providers-now";

const DEGRADED_SHARE = 0.05;
/** Accounts have as many connections as merchants: of those that work, the busiest say enough. */
const MOST_WELL = 8;

/** By the newest attempts: what went well an hour ago says nothing of now. */
export function stateOf(row: ProviderNow): HealthState {
  const { newest, newestTroubled, troubled, attempts } = row;
  if (newest < FEWEST_ATTEMPTS) return newestTroubled > 0 ? "degraded" : "idle";
  if (isFailing(row)) return "failing";
  return newestTroubled > 0 && troubled / attempts >= DEGRADED_SHARE ? "degraded" : "healthy";
}

const RANKS: Record<HealthState, number> = { failing: 0, degraded: 1, healthy: 2, idle: 2 };
const isWell = (row: ProviderNow): boolean => RANKS[stateOf(row)] === 2;

/** Everything that is not well, and of the rest the first; `left` are all well. */
export function shownProviders(rows: readonly ProviderNow[]): { shown: ProviderNow[]; left: number } {
  const well = rows.filter(isWell);
  const troubled = rows.filter((row) => !isWell(row)).sort((a, b) => RANKS[stateOf(a)] - RANKS[stateOf(b)]);
  const rest = well.slice(0, Math.max(0, MOST_WELL - troubled.length));
  return { shown: [...troubled, ...rest], left: well.length - rest.length };
}
