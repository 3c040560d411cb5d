import { describe, expect, test } from "vitest";
import { PAYMENT_KINDS, type ProviderKind } from "@/lib/providers/kinds";
import { derived, matrixRow } from "@/lib/providers/matrix";
import type { Capabilities } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";

// Object.keys of the literal gives exactly its keys.
const KINDS = Object.keys(PAYMENT_KINDS) as ProviderKind[];

describe("the matrix of kinds", () => {
  test("says of a kind with an adapter what the adapter declares", () => {
    const served = KINDS.filter((kind) => PAYMENT_KINDS[kind].adapter !== null);
    expect(served).toContain("SANDBOX");
    for (const kind of served) expect(matrixRow(kind), kind).toEqual(derived(providerFor(kind).capabilities));
    const all = { card: true, boleto: true, pix: true, instalmentPix: true, split: true, voucher: true };
    expect(matrixRow("SANDBOX")).toMatchObject({ ...all, threeDS2: "full" });
  });

  test("says of the others what is published, and that nothing was proven", () => {
    const unpublished = { brands: null, zeroAmount: null, verified: null };
    const none = { instalmentPix: false, split: false, voucher: false, ...unpublished };
    expect(matrixRow("GETNET")).toEqual({ ...none, card: true, boleto: true, pix: true, threeDS2: "none" });
    expect(matrixRow("BS2")).toEqual({ ...none, card: false, boleto: false, pix: true, threeDS2: "none" });
  });

  test("follows each capability", () => {
    const { capabilities } = providerFor("SANDBOX");
    const row = (changes: Partial<Capabilities>) => derived({ ...capabilities, ...changes });
    const whole = row({});
    const card = capabilities.card || undefined;
    if (!card || !capabilities.pix) throw new Error("the simulator takes cards and Pix");
    expect(row({ card: false })).toEqual({
      ...whole,
      card: false,
      threeDS2: "none",
      voucher: false,
      brands: [],
      zeroAmount: [],
    });
    expect(row({ card: { ...card, threeDS2: "external" } })).toEqual({ ...whole, threeDS2: "external" });
    const brands = { credit: ["visa"], debit: [], voucher: [] } as const;
    expect(row({ card: { ...card, brands } })).toEqual({ ...whole, voucher: false, brands: ["visa"] });
    expect(row({ card: { ...card, zeroAmount: ["elo"] } })).toEqual({ ...whole, zeroAmount: ["elo"] });
    expect(row({ pix: false })).toEqual({ ...whole, pix: false, instalmentPix: false });
    expect(row({ pix: { ...capabilities.pix, installments: false } })).toEqual({ ...whole, instalmentPix: false });
    expect(row({ boleto: false })).toEqual({ ...whole, boleto: false });
    expect(row({ split: false })).toEqual({ ...whole, split: false });
    const verified = { offlineContract: "2026-11-24", liveSandbox: null } as const;
    expect(row({ verified })).toEqual({ ...whole, verified });
  });
});
