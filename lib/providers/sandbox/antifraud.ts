import { createHash } from "node:crypto";
import type { Analysis, AntifraudProvider } from "@/lib/providers/antifraud";
import { DEFAULT_DELAY_SECONDS } from "@/lib/providers/options";
import { DENIED_DOCUMENT } from "@/lib/providers/sandbox/decide";
import { findOutcome } from "@/lib/providers/sandbox/outcomes";
import { addSeconds } from "@/lib/time";

const SCORES = { approved: 10, reproved: 95 } as const;

const approved: Analysis = { status: "approved", score: SCORES.approved };
const reproved: Analysis = { status: "reproved", score: SCORES.reproved };

/** The simulated analyst: it keeps nothing, its verdict follows from what it is shown (spec/sandbox.md section 5). */
export const sandboxAntifraud: AntifraudProvider = {
  kind: "SANDBOX_ANTIFRAUD",
  analyse(call, input) {
    if (digitsOf(input.buyerDocument) === DENIED_DOCUMENT) return Promise.resolve(reproved);
    const review = input.outcomeCode === undefined ? undefined : findOutcome(input.outcomeCode)?.analysis;
    if (review) {
      const delay = call.options?.delaySeconds;
      const at = addSeconds(call.clock.now(), typeof delay === "number" ? delay : DEFAULT_DELAY_SECONDS).toISOString();
      return Promise.resolve({ status: "pending", resolves: { at, status: review } });
    }
    return Promise.resolve(byIdentity(digitsOf(input.identity), input.chargeId));
  },
};

function byIdentity(identity: string, chargeId: string): Analysis {
  switch (identity.slice(-1)) {
    case "":
    case "1":
      return approved;
    case "0":
      return { status: "pending" };
    case "2":
      return { status: "failed", failure: isEven(chargeId) ? "timeout" : "processing_error" };
    default:
      return reproved;
  }
}

const digitsOf = (text: string | undefined): string => text?.replace(/\D/g, "") ?? "";
const isEven = (chargeId: string): boolean => createHash("sha256").update(chargeId).digest().readUInt8(0) % 2 === 0;
