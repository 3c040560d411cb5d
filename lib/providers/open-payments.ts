import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Cents } from "@/lib/money";
import type { WalletMethod } from "@/lib/providers/capabilities";
import type { Instant, Payer } from "@/lib/providers/provider";

/** Pix, boletos and wallets: what is asked of a provider, and what the buyer needs in order to pay. */

/** A share of a payment, of a card's too. */
export interface SplitLine {
  recipientId: string;
  amount: Cents;
  liable: boolean;
  processingFee: boolean;
  remainderFee: boolean;
}
export interface PixInput {
  amount: Cents;
  expiresInSec: number;
  payer: Payer;
  /** Shown as the receiver in the payer's bank. */
  receiver: { name: string; city: string };
  additionalInfo?: { name: string; value: string }[];
  split?: SplitLine[];
  /** Asked of the payer's bank under a mandate: nobody scans anything. */
  instruction?: PixInstruction;
}
export interface PixInstruction {
  /** The provider's name of the mandate. */
  mandateId: string;
  /** The day on which the payer's bank pays. */
  settleOn: CivilDate;
  /** The provider's name of the cycle's first instruction, which is tried again on another day. */
  retryOf?: string;
}
export interface PixCharge {
  txid: string;
  /** Absent for an instruction. */
  brCode?: string;
  imageUrl?: string;
  expiresAt: Instant;
}
export interface BoletoCharge {
  days: number;
  amount?: Cents;
  percentage?: number;
}
export interface BoletoInput {
  amount: Cents;
  dueDate: CivilDate;
  payer: Payer;
  instructions?: string;
  split?: SplitLine[];
  fine?: BoletoCharge;
  interest?: BoletoCharge;
}
export interface BoletoSlip {
  line: string;
  barcode: string;
  pdfUrl?: string;
  ourNumber?: string;
  /** A Pix code that pays the same slip, where the provider gives one. */
  brCode?: string;
  dueDate: CivilDate;
  expiresAt: Instant;
}
export interface WalletInput {
  method: WalletMethod;
  amount: Cents;
  payer: Payer;
  installments?: number;
  expiresInSec?: number;
  split?: SplitLine[];
  /** Where the wallet's page sends a buyer who paid; absent where the shop said nothing. */
  returnUrl?: string;
  /** Where it sends a buyer who gave up or was declined. */
  cancelUrl?: string;
}
export interface WalletCharge {
  checkoutId: string;
  paymentUrl: string;
  qrCode?: string;
  expiresAt: Instant;
}

/** What the buyer pays with. */
export type Offer = PixCharge | BoletoSlip | WalletCharge;

/** As a query shows it: whoever lost the answer to its making finds it here. */
export interface FoundOffer {
  /** What it was made for, as its record and its code both say. */
  amount: Cents;
  data: Offer;
}

/** Money that arrived for a Pix or a boleto: the same charge can be paid twice, late, or with another amount. */
export interface ProviderPayment {
  paymentId: string;
  amount: Cents;
  paidAt: Instant;
  /** Arrived when the charge was already paid, expired or canceled. */
  surplus: boolean;
}
