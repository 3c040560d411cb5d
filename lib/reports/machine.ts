import type { ReportStatus } from "@/db/schema/reports";
import { defineMachine } from "@/lib/machine";

/** spec/contract.md 18.2 and spec/rulings.md 33 and 35. */
export const reportMachine = defineMachine<ReportStatus>("report", [
  ["R1", "created", "queued", "pending"],
  ["R2", "created", "started", "processing"],
  ["R3", "pending", "started", "processing"],
  ["R4", "processing", "interrupted", "pending"],
  ["R5", "processing", "uploaded", "uploaded"],
  ["R6", "processing", "empty", "empty"],
  ["R7", "processing", "failed", "error"],
  ["R8", "uploaded", "sent", "sent"],
  ["R9", "uploaded", "opened", "opened"],
  ["R10", "sent", "opened", "opened"],
  ["R11", "uploaded", "expired", "expired"],
  ["R12", "sent", "expired", "expired"],
  ["R13", "opened", "expired", "expired"],
  ["R14", "empty", "expired", "expired"],
  ["R15", "created", "canceled", "canceled"],
  ["R16", "pending", "canceled", "canceled"],
  ["R17", "processing", "canceled", "canceled"],
]);

/** The states a fact may come in: a compare-and-set names them. */
export const statesBefore = (fact: string): ReportStatus[] =>
  reportMachine.rows.filter(([, , named]) => named === fact).map(([, from]) => from);
