import type { ProofPart } from "@/scripts/proof/parts";

const TESTS = "lib/testing";
const TIMES_KILLED = 300;
const PAYMENTS = 10_000;
const PAYMENTS_OVER_THREE = 20_000;

/** Kinds that take cards: where their tests are, and their names in those over all kinds. */
const CARD_KINDS = {
  Adyen: { folder: "adyen", kind: "ADYEN" },
  Braspag: { folder: "braspag", kind: "BRASPAG" },
  Cielo: { folder: "cielo", kind: "CIELO" },
  MercadoPago: { folder: "mercado-pago", kind: "MERCADO_PAGO" },
  Pagarme: { folder: "pagarme-v5", kind: "PAGARME_V5" },
  Stripe: { folder: "stripe", kind: "STRIPE" },
} as const;

const faulted = (name: string, path: string, sizes: Pick<ProofPart, "full" | "small" | "chunk">): ProofPart => ({
  name: `faulted${name}`,
  file: `${TESTS}/providers/${path}.test.ts`,
  unit: "payments",
  waits: true,
  ...sizes,
});

/** Of each adapter: payments that meet faults, and operations that are interrupted. */
export const KIND_PARTS: readonly ProofPart[] = [
  ...Object.entries(CARD_KINDS).flatMap(([name, { folder, kind }]): ProofPart[] => [
    faulted(name, `${folder}/faulted-payments`, { full: PAYMENTS, small: 12, chunk: 600 }),
    {
      name: `kills${name}`,
      file: `${TESTS}/kills/kinds.test.ts`,
      test: `interrupted at ${kind}`,
      unit: "operations",
      full: TIMES_KILLED,
      small: 2,
      chunk: 60,
      waits: true,
    },
  ]),
  faulted("Pix", "pix-bacen/faulted-payments", { full: PAYMENTS, small: 12, chunk: 600 }),
  faulted("Failover", "failover", { full: PAYMENTS_OVER_THREE, small: 9, chunk: 720 }),
];
