import { familyProvider } from "@/lib/providers/cielo/adapter";
import { CIELO_CAPABILITIES } from "@/lib/providers/cielo/capabilities";
import { type Family, SIMULATED } from "@/lib/providers/cielo/family";
import type { Connections } from "@/lib/providers/connections";
import type { PaymentProvider } from "@/lib/providers/provider";

const CIELO: Family = {
  kind: "CIELO",
  capabilities: CIELO_CAPABILITIES,
  sales: "/1/sales",
  providerOf({ credentials, host }, means) {
    if (means === "card") return undefined;
    if (means === "pix") return "Cielo2";
    return host === "test" ? SIMULATED : credentials.reveal().boletoProvider;
  },
  pixLife: (seconds) => ({ QrCode: { Expiration: seconds } }),
  verifyCard: { path: "/1/zeroauth", body: (card) => card },
};

export const cieloProvider = (connections: Connections): PaymentProvider => familyProvider(CIELO, connections);
