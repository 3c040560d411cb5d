import { createHash } from "node:crypto";
import { systemSql } from "@/db/client";
import type { Analysis, AnalysisInput, AntifraudProvider } from "@/lib/providers/antifraud";
import { DEFAULT_DELAY_SECONDS } from "@/lib/providers/options";
import type { CallContext } from "@/lib/providers/provider";
import { DENIED_DOCUMENT } from "@/lib/providers/sandbox/decide";
import { hintsOf } from "@/lib/providers/sandbox/hints";
import { findOutcome, OUTCOME_ROWS, type OutcomeRow } from "@/lib/providers/sandbox/outcomes";
import { parseScenario } from "@/lib/providers/sandbox/scenario";
import { outcomeOfCharge } from "@/lib/providers/sandbox/store";
import { SANDBOX_BRANDS, sandboxPan } from "@/lib/reference/sandbox-pans";
import { addSeconds } from "@/lib/time";

const SCORES = { approved: 10, reproved: 95 } as const;

const approved: Analysis = { status: "approved", score: SCORES.approved };
const reproved: Analysis = { status: "reproved", score: SCORES.reproved };

/** The simulated analyst: it keeps nothing, its verdict follows from what it is shown (spec/sandbox.md section 5). */
export const sandboxAntifraud: AntifraudProvider = {
  kind: "SANDBOX_ANTIFRAUD",
  async analyse(call, input) {
    if (digitsOf(input.buyerDocument) === DENIED_DOCUMENT) return reproved;
    const review = (await outcomeFor(call, input.card))?.analysis;
    if (review) {
      const delay = call.options?.delaySeconds;
      const at = addSeconds(call.clock.now(), typeof delay === "number" ? delay : DEFAULT_DELAY_SECONDS).toISOString();
      return { status: "pending", resolves: { at, status: review } };
    }
    return byIdentity(digitsOf(input.identity), input.chargeId);
  },
};

/** The scenario first, then what the acquirer next door recorded, and before the charge what is shown of the card. */
async function outcomeFor(
  call: Pick<CallContext, "clientId" | "chargeId" | "simulation">,
  { bin, last4 }: AnalysisInput["card"],
): Promise<OutcomeRow | undefined> {
  const { scenario } = hintsOf(call);
  const parsed = scenario === undefined ? undefined : parseScenario(scenario);
  if (parsed?.ok && parsed.value.outcome !== undefined) return findOutcome(parsed.value.outcome);
  const recorded = await outcomeOfCharge(systemSql(), call);
  if (recorded !== undefined) return findOutcome(recorded);
  return OUTCOME_ROWS.find(
    ({ name, analysis }) =>
      analysis !== undefined &&
      SANDBOX_BRANDS.some(
        (brand) => sandboxPan(name, brand).startsWith(bin) && sandboxPan(name, brand).endsWith(last4),
      ),
  );
}

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
