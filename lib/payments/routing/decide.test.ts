import { beforeEach, describe, expect, test, vi } from "vitest";
import { decideRoute } from "@/lib/payments/routing/decide";
import type { PaymentNeeds } from "@/lib/payments/routing/facts";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import type { Capabilities } from "@/lib/providers/provider";
import { SANDBOX_CAPABILITIES } from "@/lib/providers/sandbox/capabilities";

const given: { changes: Partial<Capabilities> } = { changes: {} };

/** The simulator can do everything: here it is an acquirer that cannot. */
vi.mock("@/lib/providers/registry", async (original) => {
  const registry = await original<typeof import("@/lib/providers/registry")>();
  return {
    ...registry,
    providerFor(kind: string) {
      const provider = registry.providerFor(kind);
      return { ...provider, capabilities: { ...provider.capabilities, ...given.changes } };
    },
  };
});

beforeEach(() => {
  given.changes = {};
});

const ROW = {
  id: "0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01",
  kind: "SANDBOX",
  priority: 1,
  routable: true,
  options: null,
  createdAt: new Date("2026-11-24T15:00:00.000Z"),
} as unknown as ProviderRow; // Guarantee: the members that a decision reads.

function decided(needs: Partial<PaymentNeeds>, changes: Partial<Capabilities> = {}) {
  given.changes = changes;
  const whole = { method: "credit", currency: "BRL", installments: 1, split: false, threeDS: false, authOnly: false };
  // Guarantee: a whole set of needs, of which some are replaced.
  const { providers, skipped, refusal } = decideRoute({ ...whole, ...needs } as PaymentNeeds, [ROW]);
  return providers.length > 0 ? "taken" : `${skipped[0]?.why} ${refusal?.businessCode}`;
}

const PIX = { minExpirySec: 60, maxExpirySec: 3_600, refundWindowDays: 90, installments: false };
const BOLETO = { minDays: 1, maxDays: 30, overUnderPayment: true, refund: false };
const CARD = {
  ...SANDBOX_CAPABILITIES.card,
  brands: { credit: ["visa", "amex"], debit: [], voucher: [] },
  zeroAmount: ["visa"],
} as const;
const AURA = { ...CARD, brands: { ...CARD.brands, credit: ["visa", "aura"] } } as const;
const DEBIT = { ...CARD, brands: { ...CARD.brands, debit: ["visa"] }, authenticated: ["debit"] } as const;
const THREE_DS = "three_ds provider_not_available";
const BRAND = "brand payment_method_not_supported";
const ZERO = "zero_amount provider_not_available";
const SPLIT: Capabilities["split"] = { modes: ["amount"], onCapture: true, onRefund: true, maxRecipients: 2 };

describe("a provider is skipped before any call when it cannot", () => {
  test.each([
    ["keep a Pix open for less", { method: "pix", expiresInSec: 59 }, { pix: PIX }, "expiry provider_not_available"],
    ["keep a Pix open for its least", { method: "pix", expiresInSec: 60 }, { pix: PIX }, "taken"],
    ["keep a Pix open for its most", { method: "pix", expiresInSec: 3_600 }, { pix: PIX }, "taken"],
    [
      "keep a Pix open for longer",
      { method: "pix", expiresInSec: 3_601 },
      { pix: PIX },
      "expiry provider_not_available",
    ],
    [
      "take a boleto due at once",
      { method: "boleto", dueInDays: 0 },
      { boleto: BOLETO },
      "expiry provider_not_available",
    ],
    ["take a boleto of its most days", { method: "boleto", dueInDays: 30 }, { boleto: BOLETO }, "taken"],
    [
      "take a boleto due later",
      { method: "boleto", dueInDays: 31 },
      { boleto: BOLETO },
      "expiry provider_not_available",
    ],
    ["split among its most sellers", { split: "amount", recipients: 2 }, { split: SPLIT }, "taken"],
    ["split among more", { split: "amount", recipients: 3 }, { split: SPLIT }, "split split_not_supported"],
    ["split by percentages", { split: "percentage", recipients: 2 }, { split: SPLIT }, "split split_not_supported"],
    ["take a Pix in parts", { method: "pix", installments: 2 }, { pix: PIX }, "installments installments_not_allowed"],
    ["take a Pix in parts, and it can", { method: "pix", installments: 2 }, {}, "taken"],
    ["take cards", { recurrence: "initial" }, { card: false }, "method payment_method_not_supported"],
    ["take this brand", { brand: "Elo" }, { card: CARD }, BRAND],
    ["take this brand, and it can", { brand: "American Express" }, { card: CARD }, "taken"],
    ["take a brand that nobody has read yet, and it can", {}, { card: CARD }, "taken"],
    ["take a brand without a name", { brand: "Unknown" }, { card: CARD }, BRAND],
    ["take a brand without a name, and it may be one it takes", { brand: "Unknown" }, { card: AURA }, "taken"],
    ["take debit", { method: "debit", brand: "Visa" }, { card: CARD }, "method payment_method_not_supported"],
    ["take debit of nobody who was authenticated", { method: "debit" }, { card: DEBIT }, THREE_DS],
    ["take debit of who was authenticated, and it can", { method: "debit", threeDS: true }, { card: DEBIT }, "taken"],
    ["take credit of nobody who was authenticated, and it can", { method: "credit" }, { card: DEBIT }, "taken"],
    ["check a card", { amount: 0 }, { card: { ...CARD, zeroAmount: [] } }, ZERO],
    ["check a card of this brand", { amount: 0, brand: "American Express" }, { card: CARD }, ZERO],
    ["check a card, and it can", { amount: 0, brand: "Visa" }, { card: CARD }, "taken"],
    ["recur, and it can", { recurrence: "initial" }, {}, "taken"],
  ] as const)("%s", (_, needs, changes, end) => {
    expect(decided(needs, changes as Partial<Capabilities>)).toBe(end);
  });
});
