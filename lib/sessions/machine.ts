import type { SessionStatus } from "@/db/schema/sessions";
import { defineMachine } from "@/lib/machine";

/** spec/contract.md 9.3. Rows [id, from, fact, to]; canceled and voided have no way out. */
export const sessionMachine = defineMachine<SessionStatus>("session", [
  ["L1", "created", "payments.complete", "paid"],
  ["L2", "paid", "payment.voided", "voided"],
  ["L3", "paid", "capacity.raised", "created"],
  ["L4", "created", "canceled", "canceled"],
]);
