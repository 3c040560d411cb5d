import type { ChargeRow } from "@/lib/charges/queries";
import type { AccountName, EvidenceType, Journal } from "@/lib/ledger/post";
import type { Cents } from "@/lib/money";

/** Postings of a charge: spec/money.md section 10. Holds are memo journals; nothing is posted for an unknown outcome. */

const journal = (charge: ChargeRow, type: EvidenceType, eventId: string, lines: Journal["lines"]): Journal[] =>
  lines.some(([, amount]) => amount === 0)
    ? []
    : [{ merchantId: charge.merchantId, chargeId: charge.id, currency: charge.currency, type, eventId, lines }];

const HOLD: AccountName = { kind: "memo:hold" };
const CONTRA: AccountName = { kind: "memo:hold_contra" };
const MERCHANT: AccountName = { kind: "merchant_pending" };

export const held = (charge: ChargeRow, attemptId: string, amount: Cents): Journal[] =>
  journal(charge, "hold", attemptId, [
    [HOLD, amount],
    [CONTRA, -amount],
  ]);

export const released = (charge: ChargeRow, attemptId: string, amount: Cents): Journal[] =>
  journal(charge, "hold_release", attemptId, [
    [HOLD, -amount],
    [CONTRA, amount],
  ]);

export const captured = (charge: ChargeRow, eventId: string, amount: Cents, arrangement: string): Journal[] =>
  journal(charge, "capture", eventId, [
    [{ kind: "provider_receivable", arrangement }, amount],
    [MERCHANT, -amount],
  ]);

export const refunded = (charge: ChargeRow, eventId: string, amount: Cents, arrangement: string): Journal[] =>
  journal(charge, "refund", eventId, [
    [MERCHANT, amount],
    [{ kind: "provider_receivable", arrangement }, -amount],
  ]);

export const chargedBack = (charge: ChargeRow, eventId: string, amount: Cents): Journal[] =>
  journal(charge, "chargeback", eventId, [
    [MERCHANT, amount],
    [{ kind: "bank" }, -amount],
  ]);

export const chargebackWon = (charge: ChargeRow, eventId: string, amount: Cents): Journal[] =>
  journal(charge, "chargeback_refund", eventId, [
    [MERCHANT, -amount],
    [{ kind: "bank" }, amount],
  ]);

/** Money that came for a charge that could no longer take it: kept apart until it is sent back or claimed. */
export const unowned = (charge: ChargeRow, eventId: string, amount: Cents): Journal[] =>
  journal(charge, "suspense", eventId, [
    [{ kind: "bank" }, amount],
    [{ kind: "suspense" }, -amount],
  ]);

/** The same money on its way back. */
export const givenBack = (charge: ChargeRow, eventId: string, amount: Cents): Journal[] =>
  journal(charge, "suspense", eventId, [
    [{ kind: "suspense" }, amount],
    [{ kind: "bank" }, -amount],
  ]);

const LETTER: Record<string, string> = {
  Visa: "V",
  Mastercard: "M",
  Elo: "E",
  HiperCard: "H",
  "American Express": "A",
  Diners: "D",
  JCB: "J",
};

/** VCC, MCD …; Pix and boleto stand for themselves (spec/money.md section 6). */
export function arrangementOf(paymentType: string, brand: string | undefined): string {
  if (paymentType === "pix" || paymentType === "boleto") return paymentType.toUpperCase();
  const letter = LETTER[brand ?? ""];
  if (!letter) return paymentType.toUpperCase();
  return `${letter}C${paymentType === "debit" ? "D" : "C"}`;
}
