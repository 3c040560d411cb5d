import type { charges, transactionRequests } from "@/db/schema/charges";
import { ACCEPTED } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import type { JobKind } from "@/lib/due-jobs/kinds";
import type { Cents } from "@/lib/money";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { Decline, NotSentCause, RedactedRaw, RejectedProblem } from "@/lib/providers/provider";
import type { Movement } from "@/lib/receivables/movements";

type ChargeChanges = Partial<typeof charges.$inferInsert>;
type AttemptChanges = Partial<typeof transactionRequests.$inferInsert>;

/** What happens next, once the decision is committed. */
export type Next =
  /** The same attempt, which provably never left. */
  | { do: "resend"; afterMs: number }
  /** A new attempt; `provider` defaults to the one of the attempt before. */
  | {
      do: "attempt";
      kind: "authorize" | "capture" | "void" | "refund";
      amount: Cents;
      provider?: RoutedProvider;
      transactionId?: string;
    }
  /** Done only when a following query shows it. */
  | { do: "confirm" }
  /** The hold stands; what becomes of it is the analyst's to say. */
  | { do: "analyse" }
  | { do: "nothing" };

/** A row of the charge's history that no call of ours made. */
export interface HistoryEntry {
  requestType:
    | "charge_back"
    | "dispute"
    | "dispute_closed"
    | "authorization"
    | "capture"
    | "void"
    | "revert_void"
    | "probe"
    | "3DS_auth";
  amount: Cents;
  /** Makes the row's id: the same news is written once. */
  evidence: string;
  requestStatus?: "success" | "failed" | "processing";
  reason?: string;
  details?: Record<string, unknown>;
}

/** Everything one answer of a provider changes, decided without touching anything; written in one transaction. */
export interface Decision {
  attempt: AttemptChanges;
  /** A row of the charge's machine. */
  fact?: string;
  charge: ChargeChanges;
  /** Events of `transaction`, in order. */
  events: string[];
  journals: Movement[];
  /** When to ask about this attempt again; undefined ends the asking. */
  queryAt?: Date | undefined;
  jobs: { kind: JobKind; at: Date | null }[];
  /** First answers say something about the card itself. */
  card?: { kind: "approved"; cvvChecked: boolean } | { kind: "declined"; code: string } | undefined;
  /** The network's id of what was approved. */
  networkTransactionId?: string | undefined;
  /** A decline the networks count against the card. */
  counted?: Decline;
  history: HistoryEntry[];
  /** Other rows of the history that this answer ends, or takes a step further. */
  closes: { id: string; changes: AttemptChanges }[];
  /** The authorisation was answered: the CVV goes. */
  deletesCvv: boolean;
  /** The call is still to be sent, by whoever comes to it next. */
  isUnsent?: boolean;
  next: Next;
}

export const decision = (given: Partial<Decision>): Decision => ({
  attempt: {},
  charge: {},
  events: [],
  journals: [],
  jobs: [],
  history: [],
  closes: [],
  deletesCvv: false,
  next: { do: "nothing" },
  ...given,
});

/** What a decision is made from. */
export interface Situation {
  charge: Charge;
  attempt: AttemptRow;
  now: Date;
  /** Tried next after a decline that allows it, or a call that never left. */
  alternative: RoutedProvider | undefined;
  /** When the next query of the schedule is due; undefined when the schedule is spent. */
  nextQuery: Date | undefined;
  /** A replay of this attempt may be the only way to learn what became of it: the CVV stays for it. */
  keepsCvv: boolean;
  /** The schedule's active part is spent: review, then only watching. */
  isReviewDue: boolean;
  /** Sent without a key, and it may still be done: what the provider does not show yet says nothing. */
  isEarly?: boolean;
  /** The answer is that of a replay which is the query: nothing else will show what it says. */
  isReplayed?: boolean;
}

/** The operation is over; the charge is free for the next one. */
export const ENDED = { operation: null, operationAmount: null, operationBy: null, operationFrom: null } as const;

/** Why a provider refused, as answered in transactionRequests (spec/contract.md 8.4). */
export interface ProviderError {
  message: string;
  declinedCode: string;
  retryable: boolean;
  networkDeniedReason: string | null;
  networkDeniedMessage: string | null;
}

export const providerError = (decline: Decline): ProviderError => ({
  message: decline.reason ?? decline.declinedCode.replaceAll("_", " "),
  declinedCode: decline.declinedCode,
  retryable: decline.retry === "later" || decline.retry === "now",
  networkDeniedReason: decline.networkResponseCode ?? null,
  networkDeniedMessage: decline.networkAdviceCode ?? null,
});

const REJECTED_CODE: Record<RejectedProblem, string> = {
  invalid_request: "bad_request",
  unauthenticated: "invalid_credentials",
  forbidden: "invalid_credentials",
  not_found: "bad_request",
  invalid_state: "bad_request",
  amount_exceeded: "invalid_amount",
  unsupported: "bad_request",
};

export const rejectedError = (problem: RejectedProblem, detail: string): ProviderError => ({
  message: detail,
  declinedCode: REJECTED_CODE[problem],
  retryable: false,
  networkDeniedReason: null,
  networkDeniedMessage: null,
});

export const rawOf = (raw: RedactedRaw | undefined): AttemptChanges =>
  raw ? { raw: { status: raw.status ?? null, headers: raw.headers, body: raw.body } } : {};

/**
 * Unknown is a state: the attempt stays open and is asked about; a spent schedule opens a review. A refund that the
 * provider took is not unknown, and may be done days later: people look into it once nobody asks any more.
 */
export function undeterminedOutcome(situation: Situation, attempt: AttemptChanges, rest: Partial<Decision>): Decision {
  const { charge, isReviewDue, nextQuery, now } = situation;
  const reason = attempt.requestStatusReason ?? situation.attempt.requestStatusReason;
  const isWaitedFor = reason === ACCEPTED && nextQuery !== undefined;
  const opensReview = isReviewDue && !isWaitedFor && charge.row.reviewReason === null;
  return decision({
    ...rest,
    attempt: { state: "undetermined", requestStatus: "processing", ...attempt },
    charge: { ...rest.charge, ...(opensReview ? { reviewReason: "reconciliation_failed", reviewSince: now } : {}) },
    queryAt: nextQuery,
  });
}

/** No time was left to send it in: it waits for a worker, and nothing is unknown about it. */
export const outOfTime = ({ charge, now }: Situation): Decision =>
  decision({
    attempt: { state: "not_sent", requestStatus: "processing", requestStatusReason: "deadline" },
    events: charge.row.eventVersion === 0 ? ["pending"] : [],
    queryAt: now,
    isUnsent: true,
  });

/** A call that provably never left: once more as it is, then it counts as refused. */
export function notSent(
  { attempt }: Situation,
  cause: NotSentCause,
  giveUp: (error: ProviderError, changes: AttemptChanges) => Decision,
): Decision {
  if (!attempt.resent) {
    return decision({
      attempt: { state: "not_sent", requestStatusReason: cause, resent: true },
      next: { do: "resend", afterMs: 0 },
    });
  }
  return giveUp(UNREACHABLE, { state: "not_sent", requestStatus: "failed", requestStatusReason: cause });
}

export const UNREACHABLE: ProviderError = {
  message: "the provider could not be reached",
  declinedCode: "request_not_sent",
  retryable: true,
  networkDeniedReason: null,
  networkDeniedMessage: null,
};
