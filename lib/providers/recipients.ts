import type { Cents } from "@/lib/money";
import type { Instant, Outcome, PayerAddress, ProviderCall } from "@/lib/providers/provider";

/**
 * Sellers at a provider (spec/settlement.md section 6), under the discipline of payments: the attempt's row is committed
 * before the call, an unknown outcome is asked for, and nobody is registered twice.
 */

/** Stands for the merchant's own recipient, whose name at its provider the adapter knows. Lines add up to the amount. */
export const OWN_RECIPIENT = "merchant";

/** Of one seller at one provider. */
export type RegistrationStatus = "pending" | "active" | "refused" | "blocked" | "inactive";

export type RecipientOperation = "register" | "update" | "document";

/** Committed to the database before any byte is sent. */
export interface RecipientRef {
  attemptId: string;
  /** Of the registration (seller and provider): the same for every call about it. The provider keeps it as our code. */
  reference: string;
  /** The same for every send of one attempt: a repeated call changes nothing. */
  idempotencyKey: string;
  operation: RecipientOperation;
}

export interface RecipientCall extends ProviderCall {
  ref: RecipientRef;
}

export interface RecipientPerson {
  name: string;
  email: string;
  phoneNumber: string;
  /** YYYY-MM-DD. */
  birthdate: string;
  document: RecipientDocument;
  address: RecipientAddress;
  businessCategory?: string;
  monthlyIncome?: Cents;
  professionalOccupation?: string;
  isBusinessRepresentative?: boolean;
  annualRevenue?: Cents;
}
export interface RecipientBusiness {
  name: string;
  email: string;
  phoneNumber: string;
  document: RecipientDocument;
  address: RecipientAddress;
  corporateReason?: string;
  website?: string;
  description?: string;
  facebook?: string;
  twitter?: string;
  /** YYYY-MM-DD. */
  openingDate?: string;
  annualRevenue?: Cents;
}
export interface RecipientDocument {
  type: string;
  number: string;
  country: string;
}
export interface RecipientAddress extends PayerAddress {
  referencePoint?: string;
}
export interface RecipientBankAccount {
  holderName: string;
  holderDocument: string;
  /** 3 digits; at least one of the two, `ispb` wins. */
  bank?: string;
  /** 8 digits. */
  ispb?: string;
  branchNumber: string;
  branchCheckDigit?: string;
  accountNumber: string;
  accountCheckDigit?: string;
  type: "conta_corrente" | "conta_poupanca" | "conta_corrente_conjunta" | "conta_poupanca_conjunta";
  pixKey?: string;
  holderType?: "individual" | "company";
}
export interface RecipientTransferPolicy {
  transferInterval: "daily" | "weekly" | "monthly";
  transferDay: number;
  transferEnabled: boolean;
  automaticAnticipation?: {
    type: "full" | "1025";
    volumePercentage?: number;
    days?: readonly number[];
    delay?: number;
  };
}

/** The whole seller, also in an update: what a provider does not take it leaves out. */
export interface SellerInput {
  mcc: string;
  owner: RecipientPerson;
  /** Present: a company. */
  business?: RecipientBusiness;
  bankAccount: RecipientBankAccount;
  transferPolicy: RecipientTransferPolicy;
  /** The sale plan's name at the provider. */
  salesPlanId?: string;
  /** As the client sent it (spec/contract.md 13.3): data for the acquirer. */
  rateAgreements?: readonly unknown[];
}

export interface RecipientState {
  status: RegistrationStatus;
  /** The provider's own words, for operators. */
  externalStatus: string;
  reason?: string;
  /** When the provider expects the next change; a query then is worth its cost. */
  nextEventAt?: Instant;
}

/** A review of a seller's data that the provider asked for. */
export interface ProviderReview {
  externalId: string;
  status: "opened" | "submitted" | "approved" | "rejected" | "expired";
  /** Paths such as `owner.address` and `documents.SELFIE`. */
  requestedFields: readonly string[];
  reason?: string;
  deadline?: Instant;
  submittedAt?: Instant;
  closedAt?: Instant;
}

export interface FoundRecipient extends RecipientState {
  kind: "found";
  externalId: string;
  reviews: readonly ProviderReview[];
}

/** `not_found_yet` while a registration that was sent may still appear. */
export type RecipientResult =
  | FoundRecipient
  | { kind: "not_found_definitive" }
  | { kind: "not_found_yet" }
  | { kind: "unavailable"; retryAfterMs?: number };

/**
 * A registration that the provider refuses at once is `approved` with the status `refused`: it was answered. `declined`
 * says that a change was refused and the old data stand; `amount` is 0 and `providerTxId` the external id.
 */
export interface RecipientProvider {
  /** What a seller shares in is the provider's to pay: whoever sends it besides pays it twice. */
  readonly paysThem: boolean;
  register(call: RecipientCall, input: SellerInput): Promise<Outcome<RecipientState & { externalId: string }>>;
  update(call: RecipientCall, input: SellerInput & { externalId: string }): Promise<Outcome<RecipientState>>;
  sendDocument(
    call: RecipientCall,
    input: { externalId: string; type: string; file: Uint8Array; mime: string },
  ): Promise<Outcome<{ id: string }>>;
  /**
   * By our reference where the external id is not known. `unavailable` for ever at kinds that cannot be asked by
   * reference (`isReplayTheQuery`): there `register` again under the same key is the question.
   */
  queryRecipient(
    call: RecipientCall,
    input: { externalId?: string; reference: string; sentUntil: Date },
  ): Promise<RecipientResult>;
}
