import type { SubscriptionStatus } from "@/db/schema/subscriptions";
import { isOver } from "@/lib/subscriptions/machine";

/** What a definite answer meets, in the moment it is written. */
export interface SeenCharge {
  subscription: SubscriptionStatus;
  outcome: "approved" | "declined";
  /** A person's try: what its decline leads back to. Null for the policy's own. */
  returnsTo: "retrying" | "failed" | null;
  /** Of a decline: another date, the card must change first, or nothing helps any more. */
  verdict: "retry" | "wait" | "end";
  /** Approved, it is the last cycle that counts. */
  isLast: boolean;
  cancelsAfterRetries: boolean;
}

/** Facts of the two machines, in their order. */
export interface DecidedCycle {
  cycle: string;
  subscription: string[];
}

/** The whole table of outcomes (spec/subscriptions.md); touches nothing. */
export function decideOutcome(seen: SeenCharge): DecidedCycle {
  return seen.outcome === "approved" ? approved(seen) : declined(seen);
}

function approved({ subscription, isLast }: SeenCharge): DecidedCycle {
  const facts = subscription === "created" || subscription === "unpaid" ? ["charge.approved"] : [];
  if (isLast && !isOver(subscription)) facts.push("cycles.completed");
  return { cycle: "charge.approved", subscription: facts };
}

function declined({ subscription, returnsTo, verdict, cancelsAfterRetries }: SeenCharge): DecidedCycle {
  // It failed before, and its subscription with it: both are as they were.
  if (returnsTo === "failed") return { cycle: "charge.ended", subscription: [] };
  if (isOver(subscription)) return { cycle: "charge.dropped", subscription: [] };
  if (verdict !== "end") return { cycle: "charge.declined", subscription: [] };
  return { cycle: "charge.ended", subscription: [spentFact(cancelsAfterRetries)] };
}

/** What the failure of a cycle makes of its subscription. */
export const spentFact = (cancelsAfterRetries: boolean): string =>
  cancelsAfterRetries ? "retries.spent_for_good" : "retries.spent";
