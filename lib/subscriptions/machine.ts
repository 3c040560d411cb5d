import type { CycleStatus, MandateStatus, SubscriptionStatus } from "@/db/schema/subscriptions";
import { defineMachine } from "@/lib/machine";

/**
 * The tables of spec/subscriptions.md, [row, from, fact, to]. Guard, database trigger, model and published page come
 * from them.
 */
export const subscriptionMachine = defineMachine<SubscriptionStatus>("subscription", [
  ["U1", "trialing", "trial.ended", "created"],
  ["U2", "created", "charge.approved", "active"],
  ["U3", "unpaid", "charge.approved", "active"],
  ["U4", "active", "paused", "paused"],
  ["U5", "paused", "resumed", "active"],
  ["U6", "created", "retries.spent", "unpaid"],
  ["U6", "active", "retries.spent", "unpaid"],
  // The answer to what was sent before the pause.
  ["U6", "paused", "retries.spent", "unpaid"],
  ["U7", "created", "retries.spent_for_good", "canceled"],
  ["U7", "active", "retries.spent_for_good", "canceled"],
  ["U7", "paused", "retries.spent_for_good", "canceled"],
  ["U8", "active", "cycles.completed", "expired"],
  ["U8", "paused", "cycles.completed", "expired"],
  ["U9", "created", "canceled", "canceled"],
  ["U9", "trialing", "canceled", "canceled"],
  ["U9", "active", "canceled", "canceled"],
  ["U9", "paused", "canceled", "canceled"],
  ["U9", "unpaid", "canceled", "canceled"],
]);

export const cycleMachine = defineMachine<CycleStatus>("subscription cycle", [
  ["Y1", "scheduled", "charge.started", "pending"],
  ["Y2", "pending", "charge.approved", "authorized"],
  ["Y3", "pending", "charge.declined", "retrying"],
  ["Y4", "pending", "charge.ended", "failed"],
  ["Y5", "retrying", "charge.started", "pending"],
  ["Y6", "retrying", "retries.ended", "failed"],
  // A person's try of the last cycle of an unpaid subscription.
  ["Y7", "failed", "charge.started", "pending"],
  ["Y8", "scheduled", "skipped", "canceled"],
  ["Y9", "retrying", "skipped", "canceled"],
  // Declined after the subscription had ended.
  ["Y10", "pending", "charge.dropped", "canceled"],
  ["Y11", "scheduled", "charge.impossible", "retrying"],
]);

/** The buyer's authorization; what a bank calls it decides, and nothing else. */
export const mandateMachine = defineMachine<MandateStatus>("subscription mandate", [
  ["Z1", "created", "mandate.approved", "approved"],
  ["Z2", "created", "mandate.rejected", "rejected"],
  ["Z3", "created", "mandate.expired", "expired"],
  ["Z4", "created", "mandate.canceled", "canceled"],
  ["Z5", "approved", "mandate.canceled", "canceled"],
  ["Z6", "approved", "mandate.expired", "expired"],
]);

/** The event of `subscription` for each fact of its machine. */
export const SUBSCRIPTION_EVENTS: Readonly<Record<string, string>> = {
  "trial.ended": "updated",
  "charge.approved": "activated",
  paused: "paused",
  resumed: "resumed",
  "retries.spent": "unpaid",
  "retries.spent_for_good": "canceled",
  "cycles.completed": "expired",
  canceled: "canceled",
};

export const isOver = (status: SubscriptionStatus): boolean => status === "canceled" || status === "expired";
/** In these a cycle that falls due is charged. */
export const isCharged = (status: SubscriptionStatus): boolean => status === "created" || status === "active";
