import type { Charge } from "@/lib/charges/queries";
import type { Cents } from "@/lib/money";
import { providerFor } from "@/lib/providers/registry";
import { captureMovement as movement } from "@/lib/receivables/movements";

/** Captured money, which comes in the installments that the provider who took it makes of it. */
export const capturedEvidence = (charge: Charge, providerType: string | null, eventId: string, amount: Cents) => ({
  ...movement(charge, eventId, amount),
  ...(providerType === null ? {} : { remainder: providerFor(providerType).capabilities.instalmentRemainder }),
});
