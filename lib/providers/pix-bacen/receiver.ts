import type { Secret } from "@/lib/providers/provider";

/** The account at the bank that is paid under a mandate, as its API calls it. */
export interface Receiver {
  conta: string;
  tipoConta: string;
  agencia?: string;
}

/** Undefined where the merchant has not given it: such a provider keeps no mandates. */
export function receiverOf(credentials: Secret): Receiver | undefined {
  const { receiverAccount: conta, receiverAccountType: tipoConta, receiverBranch: agencia } = credentials.reveal();
  if (!conta || !tipoConta) return undefined;
  return { conta, tipoConta, ...(agencia ? { agencia } : {}) };
}

export const NO_RECEIVER = "Pix Automático needs receiverAccount and receiverAccountType in the provider's credentials";
