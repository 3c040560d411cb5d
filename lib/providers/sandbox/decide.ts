import { createHash } from "node:crypto";
import type { DeclinedCode, PlatformDeclineCode } from "@/lib/declines/decline-codes";
import { APPROVE_CODE, outcomeRow } from "@/lib/providers/sandbox/outcomes";
import { outcomeOfPan, sandboxCode } from "@/lib/reference/sandbox-pans";

export interface DecisionInput {
  pan: string;
  cvv?: string | undefined;
  buyerDocument?: string | undefined;
  buyerEmail?: string | undefined;
  attemptId: string;
  threeDS: boolean;
  /** An analyst will see the buyer's document: it denies, not the issuer. */
  analysisFollows: boolean;
  /** Of a scenario; comes before everything else. */
  outcome?: string | undefined;
}

export interface Decision {
  code: string;
  declinedCode?: DeclinedCode | PlatformDeclineCode;
  latencyMs: number;
}

export const DENIED_DOCUMENT = "11111111111";
const REFUSED_CVV = "6";
const SLOW_MARK = "+slow@";
const SLOW_MS = 3_000;

const TIMEOUT_AUTHORISED = sandboxCode("timeout_authorised_at_provider");
const declineOf = (code: DeclinedCode): Decision => ({ code: sandboxCode(`decline:${code}`), latencyMs: 0 });
const always = (decision: Decision) => () => decision;
const APPROVED: Decision = { code: APPROVE_CODE, latencyMs: 0 };

/** Numbers outside the table, by their last digit (spec/sandbox.md section 5). */
const LAST_DIGIT: Readonly<Record<string, (attemptId: string) => Decision>> = {
  "0": always(APPROVED),
  "1": always(APPROVED),
  "2": always(declineOf("insufficient_funds")),
  "3": always(declineOf("expired_card")),
  "4": always(APPROVED),
  "5": always(declineOf("restricted_card")),
  "6": always({
    code: sandboxCode("timeout_declined_at_provider"),
    declinedCode: "issuer_not_available",
    latencyMs: 0,
  }),
  "7": always(declineOf("lost_card")),
  "8": (attemptId) => (isEven(attemptId) ? APPROVED : { code: TIMEOUT_AUTHORISED, latencyMs: 0 }),
  "9": always({ code: sandboxCode("pending_then_approved"), latencyMs: 0 }),
};

/** The first rule that matches wins; the outcome is written on the transaction, and everything later follows it. */
export function decide(input: DecisionInput): Decision {
  const tabled = input.outcome ?? outcomeOfPan(input.pan)?.code;
  const decision = tabled === undefined ? untabled(input) : { code: tabled, latencyMs: 0 };
  const row = outcomeRow(decision.code);
  if (row.authorize === "challenge" && !input.threeDS) {
    return { code: decision.code, declinedCode: "authentication_error", latencyMs: decision.latencyMs };
  }
  return row.declinedCode === undefined ? decision : { declinedCode: row.declinedCode, ...decision };
}

function untabled(input: DecisionInput): Decision {
  if (input.cvv?.startsWith(REFUSED_CVV)) return declineOf("invalid_cvv");
  if (input.buyerDocument === DENIED_DOCUMENT && !input.analysisFollows) return declineOf("fraud_suspect");
  const byDigit = LAST_DIGIT[input.pan.slice(-1)] ?? always(APPROVED);
  const decision = byDigit(input.attemptId);
  return input.buyerEmail?.includes(SLOW_MARK) ? { ...decision, latencyMs: SLOW_MS } : decision;
}

/** Chance without randomness: the same attempt always fares the same. */
const isEven = (attemptId: string): boolean => createHash("sha256").update(attemptId).digest().readUInt8(0) % 2 === 0;

/** A CVV ending in 0 validates; no other does, and none is a reason to decline. */
export const cvvValidates = (cvv: string | undefined): boolean => cvv?.endsWith("0") ?? false;
