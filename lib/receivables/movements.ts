import type { Cents } from "@/lib/money";
import type { SplitRow } from "@/lib/splits/rows";
import type { Prices } from "@/lib/splits/terms";

/** What the books need to know of a charge. */
export interface BookedCharge {
  row: {
    id: string;
    merchantId: string;
    currency: string;
    paymentType: string;
    installments: number | null;
    originalAmount: Cents;
    capturedAt: Date | null;
  };
  /** Of its card, as the API spells it. */
  brand: string | undefined;
  /** Who shares in it. */
  splits: readonly SplitRow[];
  /** What their fees are made from, where it was just read; else it is read when it is booked. */
  prices?: Prices;
}

export type MovementType =
  | "hold"
  | "holdRelease"
  | "capture"
  | "refund"
  /** A refund that was booked, and failed at the provider after all. */
  | "refundReversal"
  /** The payer's bank took it back (MED): evidence of a refund, borne like a chargeback. */
  | "forcedRefund"
  | "chargeback"
  | "chargebackWon"
  /** Money that came for a charge that could no longer take it, and its way back. */
  | "unowned"
  | "givenBack";

/** Money of a charge that moved, as whoever decided it knows it; where it is taken from is found when it is booked. */
export interface Movement {
  type: MovementType;
  charge: BookedCharge;
  /** Evidence of the movement: booked at most once. */
  eventId: string;
  amount: Cents;
  /** Of a capture: the installment that bears what does not divide; the first unless said. */
  remainder?: "first" | "last";
  /** Of a refund: when it was asked for, and whose part was to go back. */
  asked?: { at: Date; rules: readonly { sellerId: string; amount: Cents }[] | undefined };
}

const movement =
  (type: MovementType) =>
  (charge: BookedCharge, eventId: string, amount: Cents): Movement => ({ type, charge, eventId, amount });

export const holdMovement = movement("hold");
export const holdReleaseMovement = movement("holdRelease");
export const captureMovement = movement("capture");
export const refundMovement = (
  charge: BookedCharge,
  eventId: string,
  amount: Cents,
  asked?: Movement["asked"],
): Movement => ({
  ...movement("refund")(charge, eventId, amount),
  ...(asked ? { asked } : {}),
});
/** By the evidence of the refund itself. */
export const refundReversed = movement("refundReversal");
export const forciblyRefunded = movement("forcedRefund");
export const chargebackMovement = movement("chargeback");
export const chargebackWonMovement = movement("chargebackWon");
export const unownedMovement = movement("unowned");
export const givenBackMovement = movement("givenBack");
