import type { Interval } from "@/db/schema/subscriptions";
import type { BrandColours, Scheme } from "@/lib/branding/palette";
import type { CardLine, ChallengeView, DeviceView } from "@/lib/checkout/card-lines";
import type { Action, DeclineRefusal } from "@/lib/checkout/declines";
import type { Parts } from "@/lib/checkout/instalments";
import type { Recall } from "@/lib/checkout/recall";
import type { Locale } from "@/lib/i18n/locales";
import type { LateFees } from "@/lib/payment-documents/late-fees";
import type { Extras, MoneyLine, PaidBy } from "@/lib/payment-documents/views";

/** What the pages of the checkout are given: everything decided, nothing that a buyer may not see. */

export interface ShopView {
  readonly name: string;
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
  readonly siteUrl: string | null;
  readonly supportEmail: string | null;
  readonly colours: BrandColours;
}

export interface LanguageForm {
  readonly id: string;
  /** Where it is sent for that, but for the query; left out where it is always sent to the same place. */
  readonly action?: string;
}

/** What every page knows. */
export interface Frame {
  readonly locale: Locale;
  readonly nonce: string;
  /** Path of the link's page; all other paths hang under it. */
  readonly base: string;
  /** Path and query of this page in each language. */
  readonly languages: Readonly<Record<Locale, string>>;
  readonly shop: ShopView | null;
  readonly isSandbox: boolean;
  readonly isEmbedded: boolean;
  /** That the shop's page around this one wears; null follows the buyer's system. */
  readonly scheme: Scheme | null;
  /** The one origin that may frame the page and hears what becomes of it. */
  readonly embedder: string | null;
  /** Of the captcha service, where one is set up. */
  readonly captchaFrame?: string | null;
  /** A form that is sent to change the language, where an address alone could not show this page again. */
  readonly languageForm?: LanguageForm;
  readonly script: (name: string) => string;
  /** Small logos travel in the page; others are loaded. */
  readonly currency: string;
}

/** Goes with every address of the pages: their language, and that they stand in a shop's page. */
export const shownAs = ({ locale, isEmbedded, scheme }: Pick<Frame, "locale" | "isEmbedded" | "scheme">): string =>
  `lang=${locale}${isEmbedded ? `&embed=${scheme ?? 1}` : ""}`;

export interface ItemView {
  readonly name: string;
  readonly description?: string | null;
  readonly quantity: number;
  readonly unitPrice: number;
}

export interface OrderView {
  readonly amount: number;
  readonly currency: string;
  readonly title: string | null;
  /** Besides the title. */
  readonly description: string | null;
  /** What a card's statement calls the payment, where the shop said so. */
  readonly statement: string | null;
  readonly items: readonly ItemView[];
  /** Cents that the amount has above its items, or below them; 0 where none are told. */
  readonly adjustment: number;
  readonly dueAt: Date | null;
  readonly orderId: string | null;
}

/** What the buyer of a subscription agrees to; days are UTC days. */
export interface PlanView {
  readonly interval: Interval;
  readonly amount: number;
  /** How many charges in all; null until it is canceled. */
  readonly cycles: number | null;
  readonly trialDays: number | null;
  readonly firstOn: string;
  /** Of the second charge; null where there is none. */
  readonly nextOn: string | null;
}

/** A subscription that the payment started, or starts. */
export interface StartedView extends PlanView {
  /** Of the charge that follows, while it is still to come. */
  readonly nextChargeOn: string | null;
  /** Its own page, for the browser that subscribed. */
  readonly page: string | null;
  /** Masked, for that browser; null where the shop sends no receipts. */
  readonly receiptsTo: string | null;
}

export const METHOD_KINDS = ["pix", "card", "cards", "boleto", "nupay", "drip"] as const;
export type MethodKind = (typeof METHOD_KINDS)[number];

export interface SavedCardView {
  readonly id: string;
  readonly brand: string;
  readonly last4: string;
  readonly expiry: string;
}

export interface MethodView {
  readonly kind: MethodKind;
  readonly parts: readonly Parts[];
  /** Cents that no part of any card may be less than. */
  readonly leastPart: number;
  readonly dueOn: string | null;
  readonly savedCards: readonly SavedCardView[];
  /** Whose cards are taken. */
  readonly brands: readonly string[];
  /** The signed key of the attempt this form makes. */
  readonly attempt: string;
}

export const FORM_FIELDS = [
  "name",
  "document",
  "email",
  "zipCode",
  "street",
  "streetNumber",
  "complement",
  "district",
  "city",
  "state",
  "cardNumber",
  "cardHolderName",
  "cardExpiration",
  "cardCvv",
  "installments",
  "amount",
  "question",
] as const;
export type FieldName = (typeof FORM_FIELDS)[number];
export type TypedValues = Readonly<Record<string, string>>;

/** One field that needs another value; `card` counts from 0 in forms of several cards. */
export interface FieldProblem {
  readonly field: FieldName;
  readonly card?: number;
  /** Nothing was typed, or an amount that cannot be read: it is asked for, not called wrong. */
  readonly isEmpty?: boolean;
  /** Part of a mask was typed over: the whole of it is asked for. */
  readonly isHalfMasked?: boolean;
  /** The card's brand, which nobody takes here; empty where it has no name. */
  readonly untaken?: string;
  /** Where the CEP lies, in another state or city than this one. */
  readonly cepIn?: string;
  /** One name, where a person's first and last are asked for. */
  readonly isOneName?: boolean;
  readonly isCardNumber?: boolean;
  /** The card before it with the same number; counts from 0. */
  readonly sameAs?: number;
}

/** Who pays is known: what stands in the fields is masked, and replaced by what is typed. */
export interface KnownView {
  readonly by: "shop" | "buyer";
  readonly masks: TypedValues;
}

export const PROBLEMS = ["stale", "origin", "ours", "pixLimit", "method", "pastBoleto", "trialTaken"] as const;
export type Problem = (typeof PROBLEMS)[number];

export type PageNotice =
  | { readonly kind: "fields"; readonly fields: readonly FieldProblem[]; readonly sum?: number }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "duplicate"; readonly amount: number; readonly at: Date; readonly receipt: string | null }
  | {
      readonly kind: "declined";
      readonly refusal: DeclineRefusal;
      readonly actions: readonly Action[];
      readonly card?: number;
      readonly minutes?: number;
      /** Another card for a subscription, and nothing to pay with it now. */
      readonly isCardChange?: boolean;
    };

/** The buyer did not go on to the bank: that payment is over, and nothing of it was charged. */
export interface LeftBank {
  readonly kind: "left";
}

/** What this browser paid on a link that is paid more than once, or began there. */
export interface PaidHere {
  readonly amount: number;
  readonly at: Date;
  readonly isToday: boolean;
  readonly kind: "paid" | "authorised" | "started";
}

export interface CaptchaView {
  readonly level: "normal" | "hard";
  /** For forms without script: Pix and boleto only. */
  readonly question: { readonly text: string; readonly signed: string } | null;
}

export interface OpenView {
  readonly order: OrderView;
  /** Null for what is paid once. */
  readonly plan: PlanView | null;
  readonly methods: readonly MethodView[];
  readonly chosen: MethodKind;
  /** Whose form was sent: what was typed there stays. */
  readonly sent: MethodKind | null;
  readonly cards: number;
  readonly notice: PageNotice | LeftBank | null;
  /** Of the form that was sent; card numbers and CVVs never come back. */
  readonly values: TypedValues;
  readonly isCardsPaused: boolean;
  readonly captcha: CaptchaView | null;
  /** An open Pix, boleto or wallet payment of this link. */
  readonly running: string | null;
  readonly known: KnownView | null;
  /** Null where the shop knows its buyer. */
  readonly recall: Recall | null;
  /** The refusal that this visit was told last, for links that lead on from it. */
  readonly told?: string | undefined;
  /** This browser has paid before, and was asked whether to pay again. */
  readonly isAgain: boolean;
  /** To a form: the browser shows it under the address of that form. */
  readonly isAnswer: boolean;
  /** A card's number or code was typed, and went as the page was asked for in another language. */
  readonly isEmptied: boolean;
}

export const CLOSED_STATES = [
  "in_use",
  "paid",
  "paid_here",
  "limit",
  "expired",
  "off",
  "canceled",
  "voided",
  "no_method",
  "no_boleto",
  "unknown",
  "error",
] as const;
export type ClosedState = (typeof CLOSED_STATES)[number];

export interface AskProblem {
  readonly field: "name" | "email";
  /** A card's number, which is asked for nowhere else than in its own field; it is not shown again. */
  readonly isCard: boolean;
}

export interface ClosedView {
  readonly state: ClosedState;
  readonly date: Date | null;
  /** A payment of this very browser, or one that waits for anybody. */
  readonly payment: string | null;
  /** That payment has not ended: it is gone on with, and no receipt yet. */
  readonly isRunning: boolean;
  /** What was begun by the link is a subscription, of which nothing may have been paid yet. */
  readonly isSubscription: boolean;
  readonly canChooseOther: boolean;
  readonly newLink: "form" | "sent" | "again" | null;
  /** Of a request for another link: what was typed, and what of it needs another value. */
  readonly asked?: { readonly name: string; readonly email: string; readonly problems: readonly AskProblem[] };
  /** The link closed while this buyer was filling it in: what was sent was not taken. */
  readonly isRefused: boolean;
  /** Somebody else paid it meanwhile. */
  readonly isTaken: boolean;
  readonly paidHere: PaidHere | null;
  readonly reference: string | null;
  /** What was kept of this buyer has just been deleted. */
  readonly isForgotten: boolean;
}

export const PAYMENT_STATES = [
  "processing",
  "authenticate",
  "confirming",
  "pix",
  "pixExpired",
  "pixLate",
  "boleto",
  "boletoOverdue",
  "boletoClosed",
  "wallet",
  "walletExpired",
  "canceled",
  "declined",
  "running",
  "released",
  "authorised",
  "paid",
  "review",
  "refunding",
  "partlyRefunded",
  "refunded",
  "disputed",
  "started",
  "mandate",
  "mandateEnded",
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export interface PaymentView extends Extras {
  readonly id: string;
  readonly token: string;
  readonly state: PaymentState;
  readonly order: OrderView;
  readonly amount: number;
  readonly refunded: number;
  readonly createdAt: Date;
  /** When it was paid or authorized; of anything else, when that ended. */
  readonly endedAt: Date;
  readonly method: PaidBy;
  readonly cards: readonly CardLine[];
  readonly refunds: readonly MoneyLine[];
  /** What the bank took back. */
  readonly disputes: readonly MoneyLine[];
  /** Money that came besides the payment, and went back. */
  readonly sentBack: readonly MoneyLine[];
  /** Masked; null when the buyer gave none. */
  readonly email: string | null;
  /** Held, and taken once the fraud analysis has approved it. */
  readonly isAnalysed?: boolean;
  readonly pix: {
    readonly code: string;
    readonly qr: string;
    readonly expiresAt: Date;
    readonly secondsLeft: number;
    readonly lifeSeconds: number;
    readonly isToday: boolean;
  } | null;
  readonly endToEndId: string | null;
  readonly boleto: {
    readonly line: string;
    readonly bars: string;
    readonly dueOn: string;
    readonly payableUntil: Date;
    readonly instructions: string | null;
    readonly late: LateFees;
    /** Today, with fine and interest; null where nothing is owed on top. */
    readonly owed: number | null;
    /** Pays the same slip, where the provider gave one. */
    readonly pix: { readonly code: string; readonly qr: string } | null;
  } | null;
  /** A wallet's own page. */
  readonly continueUrl: string | null;
  readonly challenge: ChallengeView | null;
  readonly device: DeviceView | null;
  /** Until an answer that is still awaited is called so; null for what is not awaited. */
  readonly confirmingInSeconds: number | null;
  readonly holdUntil: Date | null;
  readonly refusal: DeclineRefusal | null;
  readonly declinedCard: number | null;
  readonly actions: readonly Action[];
  readonly canPayAgain: boolean;
  /** The link has a method besides this payment's. */
  readonly hasOther: boolean;
  /** By the same method. */
  readonly canRenew: boolean;
  /** What took the place of a code that is closed: a payment of the same link, which runs or was made. */
  readonly instead: "running" | "paid" | null;
  /** Of the payment that took its place, for the browser that made it. */
  readonly insteadToken: string | null;
  readonly canSimulate: boolean;
  readonly asked: boolean;
  readonly plan: StartedView | null;
}
