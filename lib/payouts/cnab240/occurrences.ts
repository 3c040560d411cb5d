import type { TransferReason } from "@/db/schema/payouts";

/** What a bank says of one payment. `unknown` is whatever does not say for certain that it was paid, or that it never will be. */
export type Said =
  | { kind: "paid" }
  | { kind: "accepted" }
  | { kind: "failed"; reason: TransferReason }
  /** It was paid, and the payee's bank gave it back. */
  | { kind: "returned"; reason: TransferReason }
  | { kind: "unknown" };

const PAID = "00";
const ACCEPTED = "BD";
/** The account was replaced by its successor: told beside a result, and none itself. */
const BESIDE = new Set(["ZA"]);
/** A movement that takes a payment back (G060). */
const REVERSAL = "3";

/**
 * Codes of G059 that refuse a payment. Left out on purpose: AA, BB and HA also stand for a file or a number that the bank
 * had before, of which the first may have been paid.
 */
const REFUSALS: Readonly<Record<string, TransferReason>> = {
  "01": "limit_exceeded",
  "02": "unknown",
  AB: "unknown",
  AC: "unknown",
  AD: "unknown",
  AE: "unknown",
  AF: "unknown",
  AG: "unknown",
  AH: "unknown",
  AI: "unknown",
  AJ: "unknown",
  AK: "unknown",
  AL: "invalid_account",
  AM: "invalid_account",
  AN: "invalid_account",
  AO: "unknown",
  AP: "unknown",
  AQ: "unknown",
  AR: "unknown",
  AT: "holder_mismatch",
  BG: "compliance",
  HB: "unknown",
  HC: "unknown",
  HD: "unknown",
  HE: "unknown",
  HF: "limit_exceeded",
  PA: "bank_unavailable",
  PB: "bank_unavailable",
  PC: "account_closed",
  PD: "invalid_account",
  PE: "invalid_account",
  PF: "holder_mismatch",
  PG: "holder_mismatch",
  PH: "unknown",
  PI: "unknown",
  PJ: "invalid_account",
  PL: "unknown",
  PM: "invalid_account",
  PN: "unknown",
};

/** Up to five codes of two letters each, and the kind of movement that they are about. */
export function saidBy(occurrences: string, movement: string): Said {
  const codes = (occurrences.match(/.{1,2}/g) ?? [])
    .map((code) => code.trim())
    .filter((code) => code && !BESIDE.has(code));
  const refusals = codes.map((code) => REFUSALS[code]);
  const first = refusals[0];
  const areRefusals = first !== undefined && refusals.every((reason) => reason !== undefined);
  if (movement === REVERSAL) {
    if (areRefusals) return { kind: "returned", reason: first };
    return codes.every((code) => code === PAID) ? { kind: "returned", reason: "unknown" } : { kind: "unknown" };
  }
  if (areRefusals) return { kind: "failed", reason: first };
  if (codes.length !== 1) return { kind: "unknown" };
  if (codes[0] === PAID) return { kind: "paid" };
  return codes[0] === ACCEPTED ? { kind: "accepted" } : { kind: "unknown" };
}
