/** What the documents of a payment show: everything decided, masked as the reader may see it. Amounts in cents. */

export interface PartyOnPaper {
  readonly name: string;
  /** CPF or CNPJ, masked or not, as it is to be printed. */
  readonly document: string | null;
  /** In one line. */
  readonly address: string | null;
}

export interface BoletoView {
  /** 44 digits. */
  readonly barcode: string;
  /** 47 digits. */
  readonly line: string;
  /** Copy-and-paste code that pays the same slip, where the provider gave one. */
  readonly pixCode: string | null;
  readonly amount: number;
  /** YYYY-MM-DD */
  readonly dueOn: string;
  readonly issuedAt: Date;
  readonly beneficiary: PartyOnPaper;
  readonly payer: PartyOnPaper;
  /** The shop's number of the order, else of the payment. */
  readonly documentNumber: string;
  readonly ourNumber: string;
  /** Lines as the shop wrote them, then fine and interest. */
  readonly instructions: readonly string[];
  readonly items: readonly ItemLine[];
  readonly isSandbox: boolean;
}

export interface ItemLine {
  readonly name: string;
  readonly quantity: number;
  readonly unitPrice: number;
}

export interface CardOnReceipt {
  readonly brand: string | null;
  readonly last4: string | null;
  readonly amount: number;
  readonly installments: number;
  readonly authorizationCode: string | null;
  readonly nsu: string | null;
}

/** How a buyer paid, where it has a name of its own; `cards` is one order on several. */
export const PAID_BY = ["pix", "boleto", "credit", "cards", "nupay", "drip", "other"] as const;
export type PaidBy = (typeof PAID_BY)[number];
export const paidBy = (paymentType: string): PaidBy => PAID_BY.find((each) => each === paymentType) ?? "other";

/** What stands between the order and what was paid: its own line below the items. */
const EXTRA_LINES = ["lateFees", "overpaid", "underpaid", "notCharged"] as const;
export type ExtraLine = (typeof EXTRA_LINES)[number];

export interface Extras {
  /** Cents that were paid above what a Pix or boleto asked, or below it. */
  readonly difference: number;
  /** Cents of a boleto's fine and interest, paid as they were asked. */
  readonly lateFees: number;
  /** Cents of a card that were authorized, and not captured. */
  readonly notCharged: number;
}

export function extraLinesOf({ difference, lateFees, notCharged }: Extras): { kind: ExtraLine; amount: number }[] {
  const lines: Readonly<Record<ExtraLine, number>> = {
    lateFees,
    overpaid: Math.max(0, difference),
    underpaid: Math.min(0, difference),
    notCharged: 0 - notCharged,
  };
  return EXTRA_LINES.map((kind) => ({ kind, amount: lines[kind] })).filter(({ amount }) => amount !== 0);
}

export interface MoneyLine {
  readonly amount: number;
  readonly at: Date;
  /** Of several, the one it belongs to. */
  readonly card?: Pick<CardOnReceipt, "brand" | "last4">;
}

export const RECEIPT_STATUSES = [
  "paid",
  "authorized",
  "partly_refunded",
  "refunded",
  "disputed",
  "partly_disputed",
] as const;
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

export interface ReceiptView extends Extras {
  readonly shop: Pick<PartyOnPaper, "name" | "document">;
  readonly status: ReceiptStatus;
  readonly amount: number;
  readonly currency: string;
  readonly at: Date;
  readonly method: PaidBy;
  readonly cards: readonly CardOnReceipt[];
  readonly endToEndId: string | null;
  /** Of a boleto, 47 digits. */
  readonly line: string | null;
  /** By the order, whatever was paid. */
  readonly asked: number;
  readonly orderId: string | null;
  /** What the shop calls the order, where that is more than its items say. */
  readonly title: string | null;
  /** Besides the title. */
  readonly about: string | null;
  /** What the statement of a card calls it; null where no card paid. */
  readonly statement: string | null;
  readonly paymentId: string;
  readonly items: readonly ItemLine[];
  /** Cents that the amount has above its items, or below them. */
  readonly adjustment: number;
  readonly refunds: readonly MoneyLine[];
  /** What the bank took back. */
  readonly disputes: readonly MoneyLine[];
  /** Of an authorisation that is not captured: until when the hold lasts. */
  readonly holdUntil: Date | null;
  readonly isSandbox: boolean;
}

export interface RefundOnPaper {
  readonly id: string;
  readonly amount: number;
  readonly at: Date;
}

/** A payment and what was given back of it, when its document was issued. */
export interface RefundView {
  readonly shop: string;
  readonly chargeId: string;
  readonly orderId: string | null;
  readonly currency: string;
  readonly paidAt: Date;
  readonly paidAmount: number;
  readonly method: string;
  readonly card: { readonly brand: string | null; readonly last4: string | null } | null;
  readonly authorizationCode: string | null;
  readonly nsu: string | null;
  /** The oldest first. */
  readonly refunds: readonly RefundOnPaper[];
  readonly issuedAt: Date;
  readonly isSandbox: boolean;
}
