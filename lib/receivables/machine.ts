import type { ReceivableStatus } from "@/db/schema/receivables";
import { defineMachine } from "@/lib/machine";

/** spec/settlement.md section 1. What a refund or a chargeback takes is paid from the start. */
export const receivableMachine = defineMachine<ReceivableStatus>("receivable", [
  ["R1", "waiting_funds", "payment_date.reached", "paid"],
  ["R2", "waiting_funds", "prepayment.committed", "prepaid"],
]);
