import verified from "@/lib/providers/braspag/verified.json" with { type: "json" };
import { familyProvider } from "@/lib/providers/cielo/adapter";
import { CIELO_CAPABILITIES } from "@/lib/providers/cielo/capabilities";
import { type Family, SIMULATED } from "@/lib/providers/cielo/family";
import type { Connections } from "@/lib/providers/connections";
import type { Capabilities, PaymentProvider } from "@/lib/providers/provider";

/** Sellers are not split to: their registration has neither a key nor a reference, so one that is lost cannot be found. */
export const BRASPAG_CAPABILITIES: Capabilities = { ...CIELO_CAPABILITIES, verified };

const FIRST_ACQUIRER = "Cielo30";

/** Cielo's API before many acquirers: each payment names who takes it. */
const BRASPAG: Family = {
  kind: "BRASPAG",
  capabilities: BRASPAG_CAPABILITIES,
  sales: "/v2/sales",
  providerOf({ credentials, host }, means) {
    if (means === "pix") return "Cielo2";
    if (host === "test") return SIMULATED;
    const { cardProvider = FIRST_ACQUIRER, boletoProvider } = credentials.reveal();
    return means === "card" ? cardProvider : boletoProvider;
  },
  pixLife: (seconds) => ({ QrCodeExpiration: seconds }),
  verifyCard: {
    path: "/v2/verifycard",
    body: ({ CardType, ...card }, provider) => ({ Provider: provider, Card: { ...card, Type: CardType } }),
  },
};

export const braspagProvider = (connections: Connections): PaymentProvider => familyProvider(BRASPAG, connections);
