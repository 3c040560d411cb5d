import type { DeclinedCode, PlatformDeclineCode } from "@/lib/declines/decline-codes";
import {
  declinedCodeOfOutcome,
  SANDBOX_OUTCOMES,
  type SandboxOutcome,
  sandboxCode,
} from "@/lib/reference/sandbox-pans";

/** What reaches the caller of an answer: nothing is recorded for a `drop` or `refuse`. */
export type Delivery =
  | "sent"
  /** Held until the caller gives up. */
  | "lost"
  | "http_500"
  | "truncated"
  /** The first send meets a closed port. */
  | "refused_port"
  /** The first send is answered 429 before its body is taken. */
  | "too_many";

type AnyDecline = DeclinedCode | PlatformDeclineCode;

export interface OutcomeRow {
  code: string;
  name: SandboxOutcome;
  authorize: "approve" | "decline" | "processing" | "challenge" | "unrecorded";
  declinedCode?: AnyDecline;
  delivery: Delivery;
  /** Processing and challenges: how they end; absent = never. */
  resolves?: "approve" | "decline";
  /** Cents the approval is short of what was asked. */
  short?: number;
  /** A repeated reference makes a second transaction. */
  duplicates?: true;
  capture?: "refused" | "lost_captured" | "lost_not_captured" | "full_only" | "hold_lapses";
  void?: "settled" | "lost_voided";
  refund?: "refused" | "pending_done" | "pending_failed";
  dispute?: "full" | "full_then_reversed" | "partial";
  /** How the simulated analyst ends its pending analysis. */
  analysis?: "approved" | "reproved";
}

const approve = { authorize: "approve", delivery: "sent" } as const;
const authorisedButLost = { authorize: "approve", delivery: "lost" } as const;

type Behaviour = Omit<OutcomeRow, "code" | "name">;

const BEHAVIOURS: Partial<Record<SandboxOutcome, Behaviour>> = {
  approve,
  pending_then_approved: { authorize: "processing", delivery: "sent", resolves: "approve" },
  pending_then_declined: { authorize: "processing", delivery: "sent", resolves: "decline", declinedCode: "generic" },
  pending_forever: { authorize: "processing", delivery: "sent" },
  timeout_authorised_at_provider: authorisedButLost,
  timeout_not_found_at_provider: { authorize: "unrecorded", delivery: "lost" },
  timeout_declined_at_provider: { authorize: "decline", delivery: "lost", declinedCode: "generic" },
  connection_reset_before_send: { authorize: "approve", delivery: "refused_port" },
  http500_then_ok_same_key: { authorize: "approve", delivery: "http_500" },
  http429_retry_after: { authorize: "approve", delivery: "too_many" },
  malformed_body_authorised: { authorize: "approve", delivery: "truncated" },
  replay_differs: { ...authorisedButLost, duplicates: true },
  amount_mismatch_minus_1: { ...approve, short: 1 },
  capture_refused: { ...approve, capture: "refused" },
  capture_timeout_captured: { ...approve, capture: "lost_captured" },
  capture_timeout_not_captured: { ...approve, capture: "lost_not_captured" },
  partial_capture_unsupported: { ...approve, capture: "full_only" },
  authorisation_expired: { ...approve, capture: "hold_lapses" },
  void_refused_settled: { ...approve, void: "settled" },
  void_timeout_voided: { ...approve, void: "lost_voided" },
  refund_refused_insufficient_balance: { ...approve, refund: "refused" },
  refund_pending_done: { ...approve, refund: "pending_done" },
  refund_pending_failed: { ...approve, refund: "pending_failed" },
  chargeback_full: { ...approve, dispute: "full" },
  chargeback_then_reversed: { ...approve, dispute: "full_then_reversed" },
  chargeback_partial: { ...approve, dispute: "partial" },
  antifraud_review_approve: { ...approve, analysis: "approved" },
  antifraud_review_deny: { ...approve, analysis: "reproved" },
  "3ds_challenge_ok": { authorize: "challenge", delivery: "sent", resolves: "approve" },
  "3ds_challenge_failed": {
    authorize: "challenge",
    delivery: "sent",
    resolves: "decline",
    declinedCode: "failed_authentication",
  },
};

function rowOf(name: SandboxOutcome): OutcomeRow {
  const code = sandboxCode(name);
  const declinedCode = declinedCodeOfOutcome(name);
  if (declinedCode !== undefined) {
    // The names `decline:*` of the table are the 24 codes; a test compares them one by one.
    return { code, name, authorize: "decline", delivery: "sent", declinedCode: declinedCode as DeclinedCode };
  }
  const behaviour = BEHAVIOURS[name];
  if (!behaviour) throw new Error(`The simulator does not know the outcome ${name}`);
  return { code, name, ...behaviour };
}

export const OUTCOME_ROWS: readonly OutcomeRow[] = SANDBOX_OUTCOMES.map(rowOf);

const BY_CODE = new Map(OUTCOME_ROWS.map((row) => [row.code, row]));
const BY_NAME = new Map<string, OutcomeRow>(OUTCOME_ROWS.map((row) => [row.name, row]));

export const APPROVE_CODE = "000";

export function outcomeRow(code: string): OutcomeRow {
  const row = BY_CODE.get(code);
  if (!row) throw new Error(`Unknown simulator outcome ${code}`);
  return row;
}

/** A code or a name of the table, as scenarios write it. */
export const findOutcome = (codeOrName: string): OutcomeRow | undefined =>
  BY_CODE.get(codeOrName) ?? BY_NAME.get(codeOrName);

/** Every later call about such a transaction follows the ordinary rules. */
export const isPlain = (row: OutcomeRow): boolean =>
  row.authorize === "approve" && !row.capture && !row.void && !row.refund && !row.dispute && !row.duplicates;
