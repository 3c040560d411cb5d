import type { DeclineRefusal } from "@/lib/checkout/declines";

/** What a payment's page shows of each card, and of the bank that wants to confirm one. */
export const SLOT_WORDS = [
  "waiting",
  "processing",
  "held",
  "declined",
  "releasing",
  "released",
  "confirming",
  "paid",
] as const;
export type SlotWord = (typeof SLOT_WORDS)[number];

export interface CardLine {
  readonly index: number;
  readonly word: SlotWord;
  readonly brand: string | null;
  readonly last4: string | null;
  readonly amount: number;
  readonly installments: number;
  readonly authorizationCode: string | null;
  readonly nsu: string | null;
  readonly refusal: DeclineRefusal | null;
}

/** The form that takes the buyer to the bank's own page: nothing of the card is in it. */
export interface ChallengeView {
  readonly method: "get" | "post";
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** After this the bank's answer is not waited for any more. */
  readonly until: Date | null;
  /** Our simulator plays the bank, and goes on by itself where nobody does. */
  readonly isSimulated: boolean;
}

/** A hidden page of the bank's, which looks at the browser before the bank decides whether to ask its buyer. */
export interface DeviceView {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}
