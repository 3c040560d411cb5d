import type { Capabilities, ProviderCall } from "@/lib/providers/provider";

/** Who takes a payment at the test host, where no acquirer and no bank stands behind it. */
export const SIMULATED = "Simulado";

/** What a payment is made with, as far as its acquirer or bank depends on it. */
export type Means = "card" | "pix" | "boleto";

/** Two products of one API: Cielo's own shop, and Braspag before many acquirers. */
export interface Family {
  kind: "CIELO" | "BRASPAG";
  capabilities: Capabilities;
  /** Where sales are kept, at both hosts. */
  sales: string;
  /** Who takes the payment, in the API's word; undefined where nobody was named for this. */
  providerOf(call: Pick<ProviderCall, "credentials" | "host">, means: Means): string | undefined;
  /** A Pix's life: each product has a member of its own for it. */
  pixLife(seconds: number): Record<string, unknown>;
  verifyCard: ZeroAuth;
}

/** A check of a card without value: where it is asked for, and how the card is wrapped. */
export interface ZeroAuth {
  path: string;
  body(card: Record<string, unknown>, provider: string | undefined): Record<string, unknown>;
}
