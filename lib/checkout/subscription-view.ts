import type { Interval } from "@/db/schema/subscriptions";
import type { CaptchaView, ItemView, PageNotice, TypedValues } from "@/lib/checkout/view";
import type { DeclinedCode } from "@/lib/declines/decline-codes";

/** What is the case, in one sentence; of the days each names. */
export type SubscriptionNow =
  | { readonly kind: "trial"; readonly until: string; readonly first: string }
  | { readonly kind: "next" | "retry" | "card" | "ends"; readonly on: string }
  | { readonly kind: "pending" | "unpaid" | "paused" | "none" };

/** The page of a subscription, as its buyer sees it. */
export interface SubscriptionPageView {
  readonly name: string;
  readonly amount: number;
  readonly interval: Interval;
  readonly items: readonly ItemView[];
  readonly card: { readonly brand: string; readonly last4: string } | null;
  /** Masked; null where the shop sends no receipts. */
  readonly receiptsTo: string | null;
  readonly now: SubscriptionNow;
  /** Why the last payment was declined, where the buyer is told. */
  readonly reason: DeclinedCode | null;
  /** Of one that ends by itself: charges in all, and those still to come. */
  readonly counted: { readonly count: number; readonly left: number } | null;
  /** The newest first. */
  readonly past: readonly PastCharge[];
  /** Cents that a new card is charged at once; null where it is only checked. */
  readonly owed: number | null;
  readonly mayCancel: boolean;
  /** Whose cards are taken. */
  readonly brands: readonly string[];
  readonly captcha: CaptchaView | null;
  readonly notice: PageNotice | null;
  readonly values: TypedValues;
  readonly done: "paid" | "pending" | "saved" | null;
  /** Of the signed link: every address of the page carries it. */
  readonly token: string;
}

/** On a UTC day. */
export interface PastCharge {
  readonly on: string;
  readonly amount: number;
  readonly isPaid: boolean;
  /** What went back of it, in cents. */
  readonly refunded: { readonly amount: number; readonly isWhole: boolean } | null;
}

/** Of a subscription that is over. */
export interface OverView {
  readonly name: string;
  readonly at: Date;
  /** Masked; null where nobody is written to. */
  readonly toldTo: string | null;
  /** The newest first; empty for whoever has an old link. */
  readonly past: readonly PastCharge[];
}

export type SubscriptionClosed = "expired" | "sent" | "again" | "canceled" | "ended";
