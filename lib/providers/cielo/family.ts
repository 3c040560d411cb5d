import type { Capabilities, Outcome, ProviderCall, SplitLine } from "@/lib/providers/provider";

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
  /** How a payment is divided, in the members of a sale; an outcome where it cannot be divided so. */
  divided(lines: readonly SplitLine[] | undefined, amount: number): Division;
  /** Whose parts of a refund go back, in the members of a void. */
  givenBack(lines: readonly SplitLine[] | undefined, amount: number): Division;
  verifyCard: ZeroAuth;
}

export type Division = { ok: true; members: Record<string, unknown> } | { ok: false; outcome: Outcome<never> };

/** A check of a card without value: where it is asked for, and how the card is wrapped. */
export interface ZeroAuth {
  path: string;
  body(card: Record<string, unknown>, provider: string | undefined): Record<string, unknown>;
}
