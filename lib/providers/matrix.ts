import type { Brand } from "@/lib/brazil/card-brand";
import { type KindCapabilities, PAYMENT_KINDS, type ProviderKind } from "@/lib/providers/kinds";
import type { Capabilities } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";

export interface MatrixRow extends KindCapabilities {
  /** Whose credit cards are taken, and whose cards are checked without an amount; null where nothing is published. */
  brands: readonly Brand[] | null;
  zeroAmount: readonly Brand[] | null;
  /** When the adapter was last proven, and against what; null where there is no adapter. */
  verified: Capabilities["verified"] | null;
}

/** What a kind can do: as its adapter declares where there is one, else as published (spec/contract.md 22.7). */
export function matrixRow(kind: ProviderKind): MatrixRow {
  if (PAYMENT_KINDS[kind].adapter !== null) return derived(providerFor(kind).capabilities);
  const { card, boleto, pix, instalmentPix, split, threeDS2, voucher } = PAYMENT_KINDS[kind];
  const unpublished = { brands: null, zeroAmount: null, verified: null };
  return { card, boleto, pix, instalmentPix, split, threeDS2, voucher, ...unpublished };
}

export const derived = ({ card, pix, boleto, split, verified }: Capabilities): MatrixRow => ({
  card: card !== false,
  boleto: boleto !== false,
  pix: pix !== false,
  instalmentPix: pix !== false && pix.installments,
  split: split !== false,
  threeDS2: card === false ? "none" : card.threeDS2,
  voucher: card !== false && card.brands.voucher.length > 0,
  brands: card === false ? [] : card.brands.credit,
  zeroAmount: card === false ? [] : card.zeroAmount,
  verified,
});
