import { rejected } from "@/lib/providers/answers";
import { familyProvider } from "@/lib/providers/cielo/adapter";
import { CIELO_CAPABILITIES } from "@/lib/providers/cielo/capabilities";
import type { Division, Family } from "@/lib/providers/cielo/family";
import type { Connections } from "@/lib/providers/connections";
import type { PaymentProvider, SplitLine } from "@/lib/providers/provider";

/** What a payment at the test host is made with, where no bank stands behind it. */
export const SIMULATED = "Simulado";

const undivided = (lines: readonly SplitLine[] | undefined): Division =>
  lines
    ? { ok: false, outcome: rejected("unsupported", "payments are not split through this provider") }
    : { ok: true, members: {} };

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
  divided: undivided,
  givenBack: undivided,
  verifyCard: { path: "/1/zeroauth", body: (card) => card },
};

export const cieloProvider = (connections: Connections): PaymentProvider => familyProvider(CIELO, connections);
