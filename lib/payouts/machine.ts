import type { BatchStatus, TransferState } from "@/db/schema/payouts";
import { defineMachine } from "@/lib/machine";

/** spec/settlement.md section 4. A batch that is offset is so from the start. */
export const batchMachine = defineMachine<BatchStatus>("payment batch", [
  ["B1", "pending", "payout.paid", "paid"],
  ["B2", "pending", "payout.failed", "failed"],
]);

/** A bank is told once: what has no answer is asked about, and what it never had ends here. */
export const transferMachine = defineMachine<TransferState>("transfer", [
  ["T1", "created", "bank.accepted", "sent"],
  ["T2", "created", "bank.refused", "failed"],
  ["T3", "created", "bank.silent", "unknown"],
  ["T4", "sent", "bank.settled", "settled"],
  ["T5", "sent", "bank.refused", "failed"],
  ["T6", "sent", "bank.silent", "unknown"],
  ["T7", "unknown", "bank.accepted", "sent"],
  ["T8", "unknown", "bank.settled", "settled"],
  ["T9", "unknown", "bank.refused", "failed"],
  ["T10", "settled", "bank.gave_back", "returned"],
]);
