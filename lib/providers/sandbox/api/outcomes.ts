import { offsetOf, type Page, type Paged } from "@/lib/http/pagination";
import { SANDBOX_OUTCOMES, type SandboxOutcome, sandboxCode, sandboxPan } from "@/lib/reference/sandbox-pans";

/** In the order of the table, which is that of the codes. */
export const pageOfOutcomes = (page: Page): Paged<ReturnType<typeof described>> => ({
  totalItems: SANDBOX_OUTCOMES.length,
  items: SANDBOX_OUTCOMES.slice(offsetOf(page), offsetOf(page) + page.limit).map(described),
});

const described = (outcome: SandboxOutcome) => ({
  code: sandboxCode(outcome),
  outcome,
  numbers: {
    visa: sandboxPan(outcome, "visa"),
    mastercard: sandboxPan(outcome, "mastercard"),
    elo: sandboxPan(outcome, "elo"),
    hipercard: sandboxPan(outcome, "hipercard"),
    amex: sandboxPan(outcome, "amex"),
    diners: sandboxPan(outcome, "diners"),
  },
});
