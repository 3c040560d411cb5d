import verified from "@/lib/providers/braspag/verified.json" with { type: "json" };
import { familyProvider } from "@/lib/providers/cielo/adapter";
import { CIELO_CAPABILITIES } from "@/lib/providers/cielo/capabilities";
import { type Family, SIMULATED } from "@/lib/providers/cielo/family";
import type { Connections } from "@/lib/providers/connections";
import type { Capabilities, PaymentProvider } from "@/lib/providers/provider";

/**
 * Payments are not split here, though its Split takes the parts of a sale with the capture. A seller is registered without
 * a key or a reference, and read by its own id alone, so one that is lost cannot be found (docs.cielo.com.br/split,
 * "Cadastrar seller", "Consultar seller"). A rate of the master's is taken off every part, which is at least the rate that
 * Split takes from the master (braspag.github.io/manual/split-de-pagamentos-pagador, "Taxas"): no call tells it, and the
 * seller would be paid another amount than the books say.
 */
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
