import type { AccountName } from "@/lib/ledger/accounts";
import { type Draft, type JournalSubject, type Transfer, transfer } from "@/lib/ledger/post";
import type { Cents } from "@/lib/money";

/** What the acquirer keeps; evidence is the line of its statement. */
export const providerCost = (
  subject: JournalSubject,
  lineId: string,
  arrangement: string | null,
  amount: Cents,
): Draft => ({
  ...subject,
  type: "provider_cost",
  eventId: lineId,
  transfers: transfer({ kind: "expense:provider_cost" }, { kind: "provider_receivable", arrangement }, amount),
});

/** What the acquirer paid, net of its cost and of the refunds it netted; negative: what it took. */
export const settled = (subject: JournalSubject, lineId: string, arrangement: string | null, amount: Cents): Draft => ({
  ...subject,
  type: "settlement",
  eventId: lineId,
  transfers: moved({ kind: "bank" }, { kind: "provider_receivable", arrangement }, amount),
});

/** Money of a statement that belongs to nothing we know. */
export const settledUnowned = (subject: JournalSubject, lineId: string, amount: Cents): Draft => ({
  ...subject,
  type: "suspense",
  eventId: lineId,
  transfers: moved({ kind: "bank" }, { kind: "suspense" }, amount),
});

/** A negative amount goes the other way. */
const moved = (debit: AccountName, credit: AccountName, amount: Cents): Transfer[] =>
  amount < 0 ? transfer(credit, debit, -amount) : transfer(debit, credit, amount);
