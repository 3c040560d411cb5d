import type { CardSecret } from "@/lib/providers/provider";
import type { LivePart } from "@/lib/testing/providers/live";

/** A kind that can be proved: where its tests are, where its dates are kept, and the cards of its own test host. */
export interface ProvableKind {
  folder: string;
  verified: string;
  live: LivePart | undefined;
}

const testCard = (pan: string, holderName: string): CardSecret => ({
  pan,
  cvv: "123",
  expMonth: "12",
  expYear: "2031",
  holderName,
  brand: "visa",
});

/** Published by each provider for its own test host. */
export const PROVABLE: Readonly<Record<string, ProvableKind>> = {
  ADYEN: {
    folder: "lib/testing/providers/adyen",
    verified: "lib/providers/adyen/verified.json",
    live: {
      approved: testCard("4111111111111111", "approve"),
      declined: testCard("4111111111111111", "DECLINED"),
    },
  },
  "BB, ITAU": {
    folder: "lib/testing/providers/pix-bacen",
    verified: "lib/providers/pix-bacen/verified.json",
    live: undefined,
  },
  BRASPAG: {
    folder: "lib/testing/providers/braspag",
    verified: "lib/providers/braspag/verified.json",
    // Its simulated acquirer decides by the last digit.
    live: {
      approved: testCard("4024007153763191", "approve"),
      declined: testCard("4024007153763192", "decline:generic"),
    },
  },
  CIELO: {
    folder: "lib/testing/providers/cielo",
    verified: "lib/providers/cielo/verified.json",
    // Its test host decides by the last digit.
    live: {
      approved: testCard("4024007153763191", "approve"),
      declined: testCard("4024007153763192", "decline:generic"),
    },
  },
  MERCADO_PAGO: {
    folder: "lib/testing/providers/mercado-pago",
    verified: "lib/providers/mercado-pago/verified.json",
    live: {
      approved: testCard("4235647728025682", "APRO"),
      declined: testCard("4235647728025682", "OTHE"),
    },
  },
  PAGARME_V5: {
    folder: "lib/testing/providers/pagarme-v5",
    verified: "lib/providers/pagarme-v5/verified.json",
    live: {
      approved: testCard("4000000000000010", "approve"),
      declined: testCard("4000000000000028", "decline:generic"),
    },
  },
  STRIPE: {
    folder: "lib/testing/providers/stripe",
    verified: "lib/providers/stripe/verified.json",
    live: {
      approved: testCard("4000000760000002", "approve"),
      declined: testCard("4000000000000002", "decline:generic"),
    },
  },
};
