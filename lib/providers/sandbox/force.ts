import { systemSql } from "@/db/client";
import { bankRefund } from "@/lib/providers/sandbox/disputes";
import { captureMovements, disputeMovement, REFUND_AFTER_SECONDS } from "@/lib/providers/sandbox/events";
import { leftOf, paid } from "@/lib/providers/sandbox/pay";
import { movement, type Transaction, type TransactionChanges } from "@/lib/providers/sandbox/store";
import {
  type Change,
  type Clock,
  change,
  INVALID_STATE,
  type Subject,
  type Target,
  type ToolResult,
} from "@/lib/providers/sandbox/tools";
import { outcomeOf } from "@/lib/providers/sandbox/view";
import { addSeconds } from "@/lib/time";

/** Charge statuses that a payment can be forced to. */
export const FORCED_STATES = [
  "pre_authorized",
  "authorized",
  "capture_pending",
  "failed",
  "canceled",
  "voided",
  "refund_pending",
  "charged_back",
] as const;
export type ForcedState = (typeof FORCED_STATES)[number];

type Move = (subject: Subject, now: Date) => Change;

/** The acquirer changes the payment by itself, along the moves it could make; the product then asks. */
export const forceState = (clientId: string, target: Target, state: ForcedState, clock: Clock): Promise<ToolResult> =>
  change(clientId, target, clock, (subject) => {
    const move = MOVES[subject.view.state]?.[state];
    return move ? move(subject, subject.now) : INVALID_STATE;
  });

const settled = { resolvesAt: null, resolvesTo: null } as const;

const hold: Move = ({ tx }) => (tx.method === "card" ? { changes: { ...settled, state: "held" } } : INVALID_STATE);

const capture: Move = ({ tx }, now) =>
  tx.method === "card"
    ? {
        changes: { ...settled, state: "captured", captured: tx.authorized, capturedAt: now },
        movements: captureMovements(tx, outcomeOf(tx), tx.authorized, now, "bank:capture"),
        drops: ["capture", "chargeback", "reversal"],
      }
    : paid(tx, tx.amount, now);

/** The capture is on its way: true after the delay. */
const capturing: Move = ({ tx }, now) => {
  const at = addSeconds(now, tx.delaySeconds);
  return {
    changes: { resolvesAt: at, resolvesTo: "captured" },
    movements: captureMovements(tx, outcomeOf(tx), tx.authorized, at, "bank:capture"),
  };
};

const fail: Move = ({ tx }, now) => ({
  changes: { ...settled, state: "declined", declinedCode: tx.declinedCode ?? "generic", endedAt: now },
  drops: ["payment", "capture"],
});

const end =
  (state: "canceled" | "voided"): Move =>
  (_, now) => ({
    changes: { ...settled, state, endedAt: now },
    drops: ["payment", "capture", "chargeback", "reversal"],
  });

const giveBack: Move = ({ tx, view, movements }, now) => {
  const left = leftOf({ view });
  if (left <= 0) return INVALID_STATE;
  return {
    ...materialised(tx, view),
    movements: [bankRefund(tx, left, now, now, movements)],
    drops: ["chargeback", "reversal"],
  };
};

const giveBackLater: Move = ({ tx, view, movements }, now) => {
  const left = leftOf({ view });
  if (left <= 0) return INVALID_STATE;
  const at = addSeconds(now, REFUND_AFTER_SECONDS);
  return {
    ...materialised(tx, view),
    movements: [bankRefund(tx, left, now, at, movements)],
    drops: ["chargeback", "reversal"],
  };
};

/** Refunds under way end now: done, or refused. */
const endRefunds =
  (kind: "refund" | "refund_failed"): Move =>
  ({ tx, movements }, now) => {
    const open = movements.filter((one) => (one.kind === "refund" || one.kind === "refund_failed") && one.at > now);
    const ended = open.map(({ id: _id, clientId: _client, transactionId: _transaction, ...fields }) =>
      movement(tx, { ...fields, kind, at: now }),
    );
    return { replaced: open, movements: ended };
  };

const dispute: Move = ({ tx, view, movements }, now) => {
  const left = leftOf({ view });
  if (left <= 0) return INVALID_STATE;
  return {
    ...materialised(tx, view),
    movements: [disputeMovement(tx, "chargeback", left, now, { number: movements.length })],
    drops: ["chargeback", "reversal"],
  };
};

const winDispute: Move = ({ tx, view, movements }, now) => ({
  movements: [disputeMovement(tx, "reversal", view.chargedBack, now, { number: movements.length })],
  drops: ["reversal"],
});

/** A card sale that time alone made is written down before something is taken from it. */
const materialised = (tx: Transaction, view: Subject["view"]): { changes?: TransactionChanges } =>
  tx.method === "card" && tx.state !== "captured"
    ? { changes: { ...settled, state: "captured", captured: view.captured, capturedAt: view.capturedAt } }
    : {};

const MOVES: Partial<Record<Subject["view"]["state"], Partial<Record<ForcedState, Move>>>> = {
  pending: { pre_authorized: hold, authorized: capture, failed: fail, canceled: end("canceled") },
  pre_authorized: { authorized: capture, capture_pending: capturing, voided: end("voided") },
  authorized: { voided: giveBack, refund_pending: giveBackLater, charged_back: dispute },
  refund_pending: { voided: endRefunds("refund"), authorized: endRefunds("refund_failed") },
  charged_back: { authorized: winDispute },
};

export interface Challenge {
  clientId: string;
  chargeId: string;
  providerId: string;
  /** The buyer may still continue. */
  isPending: boolean;
}

/** Whose challenge page this is; the buyer's address holds nothing but the transaction. */
export async function challengeOf(transactionId: string): Promise<Challenge | undefined> {
  const [found] = await systemSql()<Challenge[]>`
    select client_id as "clientId", charge_id as "chargeId", provider_id as "providerId", state = 'pending' as "isPending"
      from sandbox_transactions where id = ${transactionId} and outcome in ('420', '421')`;
  return found;
}

/** The buyer continues: the challenge ends now, as its outcome says. */
export const continueChallenge = (clientId: string, transactionId: string, clock: Clock): Promise<ToolResult> =>
  change(clientId, { transactionId }, clock, ({ tx, view, movements, now }) => {
    if (outcomeOf(tx).authorize !== "challenge") return INVALID_STATE;
    if (view.state !== "pending") return {};
    const waiting = movements.filter(({ kind }) => kind === "capture");
    return {
      changes: { resolvesAt: now },
      replaced: waiting,
      movements: waiting.map((one) => ({ ...one, at: now, requestedAt: now })),
    };
  });
