import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";

/** What is interrupted, at which step, with which cards. */
export interface Cell {
  operation: "authorize" | "capture" | "void" | "refund";
  capture: boolean;
  outcomes: SandboxOutcome[];
  stopAt: number;
}

export const FAULTS = ["kill", "stop", "second", "reset"] as const;
export type KillFault = (typeof FAULTS)[number];

const OF_AUTHORIZATION: readonly SandboxOutcome[] = [
  "approve",
  "decline:generic",
  "timeout_authorised_at_provider",
  "timeout_not_found_at_provider",
  "timeout_declined_at_provider",
  "pending_then_approved",
  "connection_reset_before_send",
  "malformed_body_authorised",
];
const OF_CAPTURE: readonly SandboxOutcome[] = [
  "approve",
  "capture_refused",
  "capture_timeout_captured",
  "capture_timeout_not_captured",
  "authorisation_expired",
];
const OF_VOID: readonly SandboxOutcome[] = ["approve", "void_timeout_voided"];
const OF_REFUND: readonly SandboxOutcome[] = ["approve", "void_refused_settled", "refund_pending_done"];

/** As many step boundaries as the longest operation has; a shorter one ends before. */
const STEPS = { authorize: 26, capture: 14, void: 16, refund: 16 } as const;

export interface KindOfCell {
  operation: Cell["operation"];
  capture: boolean;
  outcomes: readonly SandboxOutcome[];
}

const KINDS: readonly KindOfCell[] = [
  { operation: "authorize", capture: true, outcomes: [...OF_AUTHORIZATION, ...OF_CAPTURE.slice(1)] },
  { operation: "authorize", capture: false, outcomes: OF_AUTHORIZATION },
  { operation: "capture", capture: false, outcomes: OF_CAPTURE },
  { operation: "void", capture: false, outcomes: OF_VOID },
  { operation: "refund", capture: true, outcomes: OF_REFUND },
];

/** Cards that the simulator leaves to the next provider: by a decline that allows it, and by a call that never left. */
const LEFT_TO_THE_NEXT: readonly SandboxOutcome[] = [
  "approve",
  "decline:issuer_not_available",
  "connection_reset_before_send",
];

export const KINDS_OVER_TWO: readonly KindOfCell[] = [
  { operation: "authorize", capture: true, outcomes: LEFT_TO_THE_NEXT },
  { operation: "authorize", capture: false, outcomes: LEFT_TO_THE_NEXT },
  { operation: "capture", capture: false, outcomes: LEFT_TO_THE_NEXT },
  { operation: "void", capture: false, outcomes: LEFT_TO_THE_NEXT },
  { operation: "refund", capture: true, outcomes: LEFT_TO_THE_NEXT },
];

/** At a provider's stand-in a card behaves as its name says. */
export const KINDS_AT_REAL: readonly KindOfCell[] = [
  { operation: "authorize", capture: true, outcomes: ["approve", "decline:issuer_not_available"] },
  { operation: "authorize", capture: false, outcomes: ["approve", "decline:issuer_not_available"] },
  { operation: "capture", capture: false, outcomes: ["approve", "capture_timeout_captured"] },
  { operation: "void", capture: false, outcomes: ["approve"] },
  { operation: "refund", capture: true, outcomes: ["approve", "refund_pending_done"] },
];

/** Where shares are booked and given back. */
export const KINDS_OF_SHARES: readonly KindOfCell[] = [
  { operation: "capture", capture: false, outcomes: OF_CAPTURE },
  { operation: "refund", capture: true, outcomes: OF_REFUND },
];

/** Every step boundary × outcome × two or three cards × capture, in an order that mixes them. */
export function cells(kinds: readonly KindOfCell[] = KINDS): Cell[] {
  const all: Cell[] = [];
  for (const { operation, capture, outcomes } of kinds) {
    for (const outcome of outcomes) {
      for (const cards of [2, 3]) {
        for (const position of [0, cards - 1]) {
          if (outcome === "approve" && position > 0) continue;
          for (let stopAt = 1; stopAt <= STEPS[operation]; stopAt++) {
            const mixed = Array.from({ length: cards }, (_, index) => (index === position ? outcome : "approve"));
            all.push({ operation, capture, outcomes: mixed, stopAt });
          }
        }
      }
    }
  }
  const step = 379;
  return all.map((_, index) => all[(index * step) % all.length]).filter((cell) => cell !== undefined);
}
