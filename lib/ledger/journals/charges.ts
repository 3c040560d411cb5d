import { type AccountName, availableOf, type Party, pendingOf } from "@/lib/ledger/accounts";
import { type Draft, type EvidenceType, type JournalSubject, type Transfer, transfer } from "@/lib/ledger/post";
import type { Cents } from "@/lib/money";

/** Journals of a charge: spec/money.md section 10. Holds are memo journals; nothing is posted for an unknown outcome. */

export interface Sale extends JournalSubject {
  chargeId: string;
}

/** What one party has in an amount. */
export interface SharePart {
  party: Party;
  amount: Cents;
}

/** An account that gives a part of a refund. */
export interface RefundSource {
  account: AccountName;
  amount: Cents;
}

const HOLD: AccountName = { kind: "memo:hold" };
const CONTRA: AccountName = { kind: "memo:hold_contra" };
const BANK: AccountName = { kind: "bank" };
const SUSPENSE: AccountName = { kind: "suspense" };
const owedIn = (arrangement: string | null): AccountName => ({ kind: "provider_receivable", arrangement });

const draft = (sale: Sale, type: EvidenceType, eventId: string, transfers: Transfer[]): Draft => ({
  merchantId: sale.merchantId,
  currency: sale.currency,
  chargeId: sale.chargeId,
  type,
  eventId,
  transfers,
});

export const held = (sale: Sale, attemptId: string, amount: Cents): Draft =>
  draft(sale, "hold", attemptId, transfer(HOLD, CONTRA, amount));

export const holdReleased = (sale: Sale, attemptId: string, amount: Cents): Draft =>
  draft(sale, "hold_release", attemptId, transfer(CONTRA, HOLD, amount));

export const captured = (sale: Sale, eventId: string, arrangement: string | null, parts: readonly SharePart[]): Draft =>
  draft(
    sale,
    "capture",
    eventId,
    parts.flatMap(({ party, amount }) => transfer(owedIn(arrangement), pendingOf(party), amount)),
  );

export const refunded = (
  sale: Sale,
  eventId: string,
  arrangement: string | null,
  sources: readonly RefundSource[],
): Draft =>
  draft(
    sale,
    "refund",
    eventId,
    sources.flatMap(({ account, amount }) => transfer(account, owedIn(arrangement), amount)),
  );

/** From what is available, which may become a debt. */
export const chargedBack = (sale: Sale, eventId: string, parts: readonly SharePart[]): Draft =>
  draft(
    sale,
    "chargeback",
    eventId,
    parts.flatMap(({ party, amount }) => transfer(availableOf(party), BANK, amount)),
  );

export const chargebackWon = (sale: Sale, eventId: string, parts: readonly SharePart[]): Draft =>
  draft(
    sale,
    "chargeback_refund",
    eventId,
    parts.flatMap(({ party, amount }) => transfer(BANK, availableOf(party), amount)),
  );

/** Money that came for a charge that could no longer take it: kept apart until it is sent back or claimed. */
export const unowned = (sale: Sale, eventId: string, amount: Cents): Draft =>
  draft(sale, "suspense", eventId, transfer(BANK, SUSPENSE, amount));

/** The same money on its way back. */
export const givenBack = (sale: Sale, eventId: string, amount: Cents): Draft =>
  draft(sale, "suspense", eventId, transfer(SUSPENSE, BANK, amount));
