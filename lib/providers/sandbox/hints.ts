import type { ProviderCall } from "@/lib/providers/provider";

/** What an account of the sandbox may tell the simulator beside the payment itself. */
export interface Hints {
  /** X-Sandbox-Scenario. */
  scenario?: string;
  /** Priority of the provider in its merchant; a scenario may name it. */
  priority?: number;
  /** Position of the card in its purchase; absent outside purchases. */
  slotIndex?: number;
  /** A capture or void of a charge outside purchases that a client called. */
  clientCall: boolean;
  /** An anti-fraud analysis decides after the hold: the document switch is left to it. */
  analysisFollows: boolean;
  /** Whose sellers are registered: its providers are told apart by it. */
  merchantId?: string;
}

export function hintsOf({ simulation = {} }: Pick<ProviderCall, "simulation">): Hints {
  const { scenario, priority, slotIndex, clientCall, analysisFollows, merchantId } = simulation;
  return {
    ...(typeof scenario === "string" ? { scenario } : {}),
    ...(typeof priority === "number" ? { priority } : {}),
    ...(typeof slotIndex === "number" ? { slotIndex } : {}),
    clientCall: clientCall === true,
    analysisFollows: analysisFollows === true,
    ...(typeof merchantId === "string" ? { merchantId } : {}),
  };
}
