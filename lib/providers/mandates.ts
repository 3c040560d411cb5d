import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Cents } from "@/lib/money";
import type { Instant, Outcome, Payer, ProviderCall, Secret } from "@/lib/providers/provider";

/**
 * Mandates of Pix Automático (spec/subscriptions.md): the buyer authorizes, at their own bank, to be debited each cycle.
 * Under the discipline of payments: the row is committed before the call, an unknown outcome is asked for.
 */

export type MandateStatus = "created" | "approved" | "rejected" | "expired" | "canceled";
export type MandateJourney = "qr" | "qr_with_first_payment";
export type MandateRetry = "none" | "three_in_seven_days";
export type MandateInterval = "weekly" | "monthly" | "quarterly" | "yearly";

/** What a provider offers of it. Days are calendar days between the instruction and the day on which the bank pays. */
export interface MandateCapabilities {
  journeys: readonly MandateJourney[];
  intervals: readonly MandateInterval[];
  retries: readonly MandateRetry[];
  noticeDays: { min: number; max: number };
  /** Time of day in São Paulo, on the day before the bank pays: until then an instruction can be taken back. */
  takenBackUntil: string;
}

export interface MandateRef {
  /** Deterministic, and kept by the provider as our own name of it. */
  reference: string;
  /** The same for every send of one call. */
  idempotencyKey: string;
  /** When its row was committed, on the account's clock: a provider that lists mandates by time is asked from there. */
  begunAt: Date;
}

export interface MandateCall extends ProviderCall {
  ref: MandateRef;
}

export interface MandateInput {
  /** What the buyer reads in their bank. */
  name: string;
  amount: Cents;
  interval: MandateInterval;
  retry: MandateRetry;
  startOn: CivilDate;
  payer: Payer;
  expiresAt: Instant;
  /** The journey with a first payment: the provider's name of the Pix that authorizes by being paid. */
  firstPayment?: string;
}

export interface MandateState {
  status: MandateStatus;
  /** What the buyer scans while it is not approved. */
  qrCodeData?: string;
  approvedAt?: Instant;
  endedAt?: Instant;
  endedBy?: "payer" | "receiver";
  /** When the provider expects the next change; a query then is worth its cost. */
  nextEventAt?: Instant;
}

export type MandateResult =
  | ({ kind: "found"; providerMandateId: string } & MandateState)
  | { kind: "not_found_definitive" }
  | { kind: "not_found_yet" }
  | { kind: "unavailable" };

/** One whose making is refused is `declined` or `rejected`; `providerTxId` of an approved outcome names the mandate. */
export interface MandateProvider {
  /** What these credentials lack in order to keep mandates, in words for whoever gave them. */
  lacks?(credentials: Secret): string | undefined;
  create(call: MandateCall, input: MandateInput): Promise<Outcome<MandateState>>;
  /** By our reference where the provider's name of it is not known. */
  query(
    call: MandateCall,
    input: { providerMandateId?: string; firstPayment?: string; sentUntil: Date },
  ): Promise<MandateResult>;
  /** Safe to repeat; one that is over already says so. */
  end(call: MandateCall, input: { providerMandateId: string }): Promise<Outcome<MandateState>>;
}
