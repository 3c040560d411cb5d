import { availableOf, pendingOf } from "@/lib/ledger/accounts";
import type { Part, Sale } from "@/lib/ledger/journals/charges";
import { type Draft, type Subject, transfer } from "@/lib/ledger/post";
import type { Cents } from "@/lib/money";

/** What the acquirer keeps; evidence is the line of its statement. */
export const providerCost = (subject: Subject, lineId: string, arrangement: string | null, amount: Cents): Draft => ({
  ...subject,
  type: "provider_cost",
  eventId: lineId,
  transfers: transfer({ kind: "expense:provider_cost" }, { kind: "provider_receivable", arrangement }, amount),
});

/** What the acquirer paid, net of its cost and of the refunds it netted. */
export const settled = (subject: Subject, lineId: string, arrangement: string | null, amount: Cents): Draft => ({
  ...subject,
  type: "settlement",
  eventId: lineId,
  transfers: transfer({ kind: "bank" }, { kind: "provider_receivable", arrangement }, amount),
});

/** The payment date of an instalment has come: what its receivables still wait for can be used. */
export const released = (sale: Sale, installment: number, parts: readonly Part[]): Draft => ({
  ...sale,
  type: "release",
  eventId: releaseOf(sale.chargeId, installment),
  transfers: parts.flatMap(({ party, amount }) => transfer(pendingOf(party), availableOf(party), amount)),
});

export const releaseOf = (chargeId: string, installment: number): string => `${chargeId}:${installment}`;
