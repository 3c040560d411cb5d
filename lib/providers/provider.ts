import type { Brand } from "@/lib/brazil/card-brand";
import type { DeclinedCode, PlatformDeclineCode, RetryClass } from "@/lib/declines/decline-codes";
import type { Cents } from "@/lib/money";
import type { Capabilities, WalletMethod } from "@/lib/providers/capabilities";
import type { NextAction, ThreeDSRequest } from "@/lib/providers/challenge";
import type { ConnectionCall, ConnectionResult } from "@/lib/providers/connection";
import type { MandateProvider } from "@/lib/providers/mandates";
import type { ProviderEvent, WebhookParse } from "@/lib/providers/notification";
import type {
  BoletoInput,
  BoletoSlip,
  FoundOffer,
  PixCharge,
  PixInput,
  PixInstruction,
  ProviderPayment,
  SplitLine,
  WalletCharge,
  WalletInput,
} from "@/lib/providers/open-payments";
import type { RecipientProvider } from "@/lib/providers/recipients";
import type { KnownRefund, ProviderRefund } from "@/lib/providers/refund-marks";
import type { Settlement } from "@/lib/providers/statements";

export type * from "@/lib/providers/challenge";
export type * from "@/lib/providers/connection";
export type * from "@/lib/providers/open-payments";
export type { Capabilities, ProviderRefund, WalletMethod };

/** RFC 3339, UTC, milliseconds, Z. */
export type Instant = string;

/** Adapters that can exist; PIX_BACEN serves BB, BS2 and ITAU. */
export type AdapterKind =
  | "SANDBOX"
  | "PAGARME_V5"
  | "ADYEN"
  | "PIX_BACEN"
  | "STRIPE"
  | "CIELO"
  | "BRASPAG"
  | "MERCADO_PAGO";

export type ProviderOperation =
  | "authorize"
  | "capture"
  | "void"
  | "refund"
  | "pix"
  | "boleto"
  | "wallet"
  | "cancel_open";

/** Committed to the database before any byte is sent. */
export interface AttemptRef {
  attemptId: string;
  /** `attemptReference(attemptId)`: deterministic, fitted to the provider's alphabet and length. */
  providerReference: string;
  /** `idempotencyKey(ref)`: deterministic from attemptId + operation + sequence. */
  idempotencyKey: string;
  operation: ProviderOperation;
  sequence: number;
  /** When it was committed, on the account's clock: a moment that every retransmission names alike. */
  begunAt: Date;
}

export type ProviderHost = "live" | "test";

/** Somebody else settled the attempt while its call was under way: nothing more may be sent for it. */
export class AttemptClosed extends Error {}

/** Opaque on this side of the simulator; lib/providers/sandbox/hints.ts says what it finds in it. */
export type Simulation = Readonly<Record<string, unknown>>;

/** What every call to a provider is made with, whatever it is about. */
export interface ProviderCall {
  clientId: string;
  providerId: string;
  /** What the simulator is told besides: sandbox accounts only, and nobody but the simulator reads it. */
  simulation?: Simulation;
  /** Options of the provider, already validated with their defaults (`options` of lib/providers/options). */
  options?: Readonly<Record<string, unknown>>;
  /** Base address of this installation, for pages a buyer is sent to and for Pix locations. No trailing slash. */
  publicUrl: string;
  credentials: Secret;
  /** Which of the kind's constant hosts the credentials belong to. */
  host: ProviderHost;
  /** Real time: the call ends here, whatever the account's clock says. */
  deadline: Date;
  signal: AbortSignal;
  /** The account's clock. */
  clock: { now(): Date };
  log: RedactingLog;
}

/** A call about one attempt. */
export interface CallContext extends ProviderCall {
  ref: AttemptRef;
  /** The charge (or slot) the attempt belongs to. */
  chargeId: string;
  /**
   * Commits what the provider named before the call is over, such as the id of a payment that is not confirmed yet: who
   * takes the attempt over goes on with it. Throws `AttemptClosed` when the attempt was settled meanwhile.
   */
  note(fact: { providerTxId: string; step: string }): Promise<void>;
  /** Stored, verified notifications about this attempt or the transaction it acts on, oldest first. */
  evidence(): Promise<ProviderEvent[]>;
}

export interface Decline {
  declinedCode: DeclinedCode | PlatformDeclineCode;
  retry: RetryClass;
  retryNotBefore?: Instant;
  networkResponseCode?: string;
  networkAdviceCode?: string;
  /** The provider's own word for it, for operators. */
  reason?: string;
}

export type UndeterminedCause =
  | "timeout"
  | "connection_lost_after_send"
  | "http_5xx"
  | "unparseable"
  | "replay_conflict"
  | "deadline"
  /** A repeated step met its own attempt without an outcome. */
  | "interrupted";
export type NotSentCause =
  | "dns"
  | "connect_refused"
  | "connect_timeout"
  | "tls"
  | "circuit_open"
  | "rate_limited"
  | "deadline";
export type RejectedProblem =
  | "invalid_request"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "invalid_state"
  | "amount_exceeded"
  | "unsupported";

export type Outcome<T> =
  | {
      kind: "approved";
      at: Instant;
      amount: Cents;
      providerTxId: string;
      nsu?: string;
      authCode?: string;
      data: T;
      /** When the provider expects the next change; a query then is worth its cost. */
      nextEventAt?: Instant;
      raw: RedactedRaw;
    }
  | ({ kind: "declined"; providerTxId?: string; raw: RedactedRaw } & Decline)
  | {
      kind: "pending";
      providerTxId: string;
      nextAction?: NextAction;
      pollAfterMs: number;
      nextEventAt?: Instant;
      /** Pix, boleto and wallets: what the buyer needs in order to pay. */
      data?: T;
      raw: RedactedRaw;
    }
  | { kind: "undetermined"; cause: UndeterminedCause; raw?: RedactedRaw }
  | {
      kind: "mismatch";
      field: "amount" | "currency" | "reference";
      expected: string;
      got: string;
      providerTxId?: string;
      raw: RedactedRaw;
    }
  | { kind: "not_sent"; cause: NotSentCause; retryAfterMs?: number }
  | { kind: "rejected"; problem: RejectedProblem; detail: string };

export type ProviderState =
  | "pending"
  | "pre_authorized"
  | "authorized"
  | "declined"
  | "voided"
  | "canceled"
  | "expired"
  | "refund_pending"
  | "refunded"
  | "charged_back";

export interface FoundTransaction {
  kind: "found";
  providerTxId: string;
  state: ProviderState;
  authorized: Cents;
  captured: Cents;
  refunded: Cents;
  /** Open disputes: chargebacks less reversals. */
  chargedBack: Cents;
  /** Of the newest open dispute, in the provider's own words or code. Left out where it says none. */
  disputeReason?: string | undefined;
  currency: string;
  reference: string;
  /** Other transactions of the provider for the same reference; each must be voided under its own attempt. */
  duplicates: string[];
  decline?: Decline;
  refunds: ProviderRefund[];
  payments: ProviderPayment[];
  nsu?: string;
  authCode?: string;
  liabilityShift?: boolean;
  /** End of the hold, or of a Pix or boleto. */
  expiresAt?: Instant;
  nextEventAt?: Instant;
  /** Of a Pix, a boleto or a wallet, where the provider shows what the buyer pays with after its making too. */
  offer?: FoundOffer;
  /** A capture that was told as done, and failed after it: the provider's word alone, never what is missing. */
  captureFailed?: { captureId: string; reason: string };
  /** The capture or void asked about was definitively refused; a refund says so in `refunds`. */
  refused?: { reason: string };
  raw: RedactedRaw;
}
export type QueryResult =
  | FoundTransaction
  | { kind: "not_found_definitive" }
  | { kind: "not_found_yet" }
  | { kind: "unavailable"; retryAfterMs?: number };

/** One acquirer. Expected results are returned; only bugs are thrown. */
export interface PaymentProvider extends Settlement {
  /** An `AdapterKind`, or a name of its own in tests. */
  readonly kind: string;
  readonly capabilities: Capabilities;
  /** Shape only, no network call. */
  validateCredentials(credentials: unknown): Result<Secret>;
  attemptReference(attemptId: string): string;
  idempotencyKey(attempt: Pick<AttemptRef, "attemptId" | "operation" | "sequence">): string;
  authorize(call: CallContext, input: AuthorizeInput): Promise<Outcome<CardAuth>>;
  /** After a challenge, by kinds that do not finish the payment by themselves. */
  continueAuthentication?(call: CallContext, input: ContinueInput): Promise<Outcome<CardAuth>>;
  capture(call: CallContext, input: CaptureInput): Promise<Outcome<CardCapture>>;
  void(call: CallContext, input: VoidInput): Promise<Outcome<Voided>>;
  refund(call: CallContext, input: RefundInput): Promise<Outcome<Refunded>>;
  query(call: CallContext, input: QueryInput): Promise<QueryResult>;
  createPix(call: CallContext, input: PixInput): Promise<Outcome<PixCharge>>;
  createBoleto(call: CallContext, input: BoletoInput): Promise<Outcome<BoletoSlip>>;
  createWallet(call: CallContext, input: WalletInput): Promise<Outcome<WalletCharge>>;
  cancelOpen(call: CallContext, input: { providerTxId: string }): Promise<Outcome<Voided>>;
  /**
   * Tests the credentials by a call that moves nothing, and registers `notificationsUrl` where the provider's API takes
   * it. Safe to repeat.
   */
  connect?(call: ConnectionCall): Promise<ConnectionResult>;
  /** Sellers of a split at this provider: present where `capabilities.split` is. */
  readonly recipients?: RecipientProvider;
  /** Where `capabilities.mandates` offers them. */
  readonly mandates?: MandateProvider;
  /** Names of the client certificates that it notifies with, where `capabilities.webhook.auth` is `mtls`. */
  readonly notifiesAs?: readonly string[];
  /** Several secrets: key rotation. `now` is real time: signatures stay on it. */
  parseWebhook(headers: Headers, rawBody: Uint8Array, credentials: Secret[], now: Date): WebhookParse;
}

export interface AuthorizeInput {
  /** 0 asks for a check of the card without value. */
  amount: Cents;
  currency: "BRL";
  capture: boolean;
  installments: number;
  installmentType?: "merchant" | "issuer";
  recurrence?: "initial" | "subsequent" | "unscheduled";
  /** Voucher and debit follow the card rules. */
  method?: "credit" | "debit" | "voucher";
  card: CardSecret;
  holder: Payer;
  /** Of the first approved authorization of this card at this merchant, for payments without the buyer. */
  networkTransactionId?: string;
  /** What an interrupted send of this same attempt had noted: the call goes on from there. */
  providerTxId?: string;
  statementDescriptor?: string;
  split?: SplitLine[];
  /** Present when the charge asks for 3-D Secure. */
  threeDS?: ThreeDSRequest;
  buyerPresent: boolean;
  crossBorder: boolean;
}
/** In memory only. */
export interface CardSecret {
  pan: string;
  cvv?: string;
  expMonth: string;
  expYear: string;
  holderName: string;
  brand: Brand;
}
export interface Payer {
  name: string;
  email?: string;
  document?: { type: string; number: string; country: string };
  phone?: string;
  address?: PayerAddress;
}
export interface PayerAddress {
  street: string;
  streetNumber: string;
  complement?: string;
  district: string;
  city: string;
  state: string;
  zipCode: string;
  country: string;
}
export interface ContinueInput {
  providerTxId: string;
  /** What the buyer's browser brought back from the issuer; of a device `DeviceSeen`, of a challenge its `cres`. */
  details: string;
  /** Of the step that it comes back from, as the provider had asked. */
  kept?: Readonly<Record<string, string>>;
  payment: AuthorizeInput;
}
export interface CaptureInput {
  providerTxId: string;
  amount: Cents;
  authorized: Cents;
  split?: SplitLine[];
}
export interface VoidInput {
  providerTxId: string;
  state: "pre_authorized" | "authorized";
  /** The charge's amount, as the caller knows it. */
  amount: Cents;
}
export interface RefundInput {
  providerTxId: string;
  amount: Cents;
  captured: Cents;
  alreadyRefunded: Cents;
  /** Gives back one payment that came on top of the sale (`ProviderPayment.paymentId`); captured is then its amount. */
  paymentId?: string;
  split?: SplitLine[];
}
export interface QueryInput {
  providerTxId?: string;
  reference: AttemptRef;
  /** Account-clock instant after which the attempt was certainly no longer being sent; the late window starts here. */
  sentUntil: Date;
  /** What the books know of refunds of the payment, oldest first, for kinds that show their sum alone. */
  refunds?: readonly KnownRefund[];
  /** Of a Pix that is asked of the payer's bank under a mandate. */
  instruction?: PixInstruction;
}

export interface CardAuth {
  captured: boolean;
  installments: number;
  brand?: Brand;
  networkTransactionId?: string;
  expiresAt?: Instant;
  /** Whether the issuer validated the CVV; never a reason to decline. */
  cvvChecked: boolean;
  /** Whether the issuer carries the risk of fraud, where the provider says so. */
  liabilityShift?: boolean;
}
export interface CardCapture {
  captured: Cents;
  released: Cents;
}
export interface Voided {
  voided: Cents;
}
export interface Refunded {
  refundId: string;
  refunded: Cents;
  status: "done" | "pending";
}

export type Problems = { field: string; message: string }[];
export type Result<T> = { ok: true; value: T } | { ok: false; errors: Problems };

/** Credentials in memory: printing or serialising them shows nothing. */
export interface Secret {
  readonly redacted: true;
  reveal(): Readonly<Record<string, string>>;
}
/** Built from an allow-list of fields, never by masking. */
export type RedactedRaw = { status?: number; headers: Record<string, string>; body: unknown };
export interface RedactingLog {
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
}
