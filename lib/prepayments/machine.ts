import type { PrepaymentStatus } from "@/db/schema/prepayments";
import { defineMachine } from "@/lib/machine";

/** spec/contract.md section 16. */
export const prepaymentMachine = defineMachine<PrepaymentStatus>("prepayment", [
  ["Y1", "pending", "prepayment.committed", "committed"],
  ["Y2", "pending", "prepayment.expired", "expired"],
  ["Y3", "committed", "prepayment.paid", "paid"],
]);
