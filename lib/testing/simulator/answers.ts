import type { Outcome } from "@/lib/providers/provider";
import type { Deposit } from "@/lib/testing/simulator/bank";
import type { Draws } from "@/lib/testing/simulator/seeded";
import { clock } from "@/lib/testing/simulator/virtual";

/** What the scripted acquirer answers. */
export const SECOND_MS = 1_000;
export const DAY_MS = 86_400_000;
/** The provider takes a message this long after we gave up on it, and promises no more. */
export const LATE_MS = 40 * SECOND_MS;
export const VERY_LATE_MS = 7_200 * SECOND_MS;
export const raw = { status: 200, headers: {}, body: null };
export const iso = (ms: number): string => new Date(ms).toISOString();

export const lost = (draws: Draws): Outcome<never> => ({
  kind: "undetermined",
  cause: draws.pick(["timeout", "connection_lost_after_send", "http_5xx", "unparseable"]),
});
export const neverLeft: Outcome<never> = { kind: "not_sent", cause: "connect_refused" };
export const rejected = (detail: string): Outcome<never> => ({ kind: "rejected", problem: "invalid_state", detail });
export const refused: Outcome<never> = { kind: "declined", declinedCode: "generic", retry: "never", raw };

export const done = (deposit: Deposit, amount: number, data: object): Outcome<never> =>
  // Guarantee: each caller gives the data of its own call.
  ({ kind: "approved", at: iso(clock.atMs), amount, providerTxId: deposit.id, data, raw }) as unknown as Outcome<never>;
