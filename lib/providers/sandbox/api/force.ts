import type { ChargeStatus } from "@/db/schema/charges";
import { audit } from "@/lib/audit";
import { captureCharge, changeCharge, voidCharge } from "@/lib/charges/change";
import { rejectedError } from "@/lib/charges/engine/decision";
import { openAttempt, withChargeLease } from "@/lib/charges/engine/with-lease";
import { type Charge, type ChargeRow, getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { updateAttempt } from "@/lib/payments/attempts";
import type { ForcedStatus } from "@/lib/providers/sandbox/api/schema";
import { refusalOf, seen, tellSender, whenFree } from "@/lib/providers/sandbox/api/tools";
import { FORCED_STATES, type ForcedState, forceState } from "@/lib/providers/sandbox/force";

/** spec/contract.md 8.5, by where a charge stands. */
const ALLOWED: Record<ChargeStatus, readonly ChargeStatus[]> = {
  pending: ["pre_authorized", "authorized", "failed", "canceled"],
  pre_authorized: ["capture_pending", "authorized", "refund_pending", "voided"],
  capture_pending: ["authorized", "pre_authorized", "voided"],
  authorized: ["refund_pending", "voided", "charged_back"],
  refund_pending: ["authorized", "pre_authorized", "voided"],
  charged_back: ["authorized"],
  failed: [],
  canceled: [],
  voided: [],
};

const LOST_CAPTURE = "fault=drop_response;step=capture";
const LOST_VOID = "fault=drop_response;step=void";
const SLOW_REFUND = "outcome=refund_pending_done;step=refund";

const EVERYTHING = { amount: undefined, splitRules: undefined, delayToCompose: undefined };

/** States of ours, not of the provider's: they are reached by a call of ours whose answer is not yet known. */
const STARTED: Partial<Record<`${ChargeStatus} ${ChargeStatus}`, (ctx: Context, id: string) => Promise<unknown>>> = {
  "pre_authorized capture_pending": (ctx, id) => captureCharge({ ...ctx, scenario: LOST_CAPTURE }, id, {}),
  "pre_authorized refund_pending": (ctx, id) => voidCharge({ ...ctx, scenario: LOST_VOID }, id, EVERYTHING),
  "authorized refund_pending": (ctx, id) =>
    changeCharge({ ...ctx, scenario: SLOW_REFUND }, id, "void", (row) => ({
      operation: "refund",
      kind: "refund",
      amount: row.capturedAmount - row.refundedAmount,
    })),
};

/** Back to where the charge was: the provider refused what we are waiting for. */
const REFUSED: readonly `${ChargeStatus} ${ChargeStatus}`[] = [
  "capture_pending pre_authorized",
  "refund_pending authorized",
  "refund_pending pre_authorized",
];

/** Forces a charge along its allowed moves; the simulator reports the change, so everything follows as in production. */
export async function forceStatus(ctx: Context, id: string, status: ForcedStatus): Promise<Charge> {
  const charge = await inTransaction(ctx, (inside) => getCharge(inside, id));
  const { row } = charge;
  if (status === "created" || status === "processed" || status === row.status) return charge;
  refuseMove(row, status);
  await inTransaction(ctx, (inside) =>
    audit(inside, {
      action: "sandbox.force",
      object: "charge",
      objectId: id,
      before: { status: row.status },
      after: { status },
    }),
  );
  const started = STARTED[`${row.status} ${status}`];
  const { idempotency: _answeredByItsOwner, ...own } = ctx;
  const forced = started ? await start(own, id, started) : await report(own, row, status);
  if (forced.row.status === row.status) throw notReachable(row.status, status);
  return forced;
}

function refuseMove(row: ChargeRow, status: ChargeStatus): void {
  if (row.purchaseId && row.operation !== null) {
    throw new DomainError("purchase_operation_in_progress", "the purchase of this charge runs an operation");
  }
  const isCard = row.cardId !== null;
  // Only what nobody paid is canceled, and only a card is held.
  const fits = isCard ? status !== "canceled" : status !== "pre_authorized";
  if (!fits || !ALLOWED[row.status].includes(status)) throw notReachable(row.status, status);
}

const notReachable = (from: ChargeStatus, to: ChargeStatus): DomainError =>
  new DomainError("invalid_status_transition", `a ${from} charge cannot become ${to}`);

async function start(ctx: Context, id: string, begin: (ctx: Context, id: string) => Promise<unknown>): Promise<Charge> {
  await begin(ctx, id);
  return inTransaction(ctx, (inside) => getCharge(inside, id));
}

const isForced = (status: ChargeStatus): status is ForcedState => FORCED_STATES.some((one) => one === status);

async function report(ctx: Context, row: ChargeRow, status: ChargeStatus): Promise<Charge> {
  if (!isForced(status)) throw notReachable(row.status, status);
  const result = await forceState(ctx.account.id, { chargeId: row.id }, status, () => now(ctx));
  // A state that the simulator has reached already is no refusal: asking it shows whether it is the one wanted.
  if (!result.ok && result.reason !== "invalid_state") throw refusalOf(result);
  if (!result.ok && REFUSED.includes(`${row.status} ${status}`)) await refuseWhatIsOpen(ctx, row.id);
  await inTransaction(ctx, tellSender);
  return seen(ctx, row.id);
}

/** The simulator's word on a call of ours whose answer was lost: it was refused. */
const refuseWhatIsOpen = (ctx: Context, chargeId: string): Promise<void> =>
  whenFree(() =>
    withChargeLease(ctx, chargeId, async (charge) => {
      const attempt = openAttempt(charge);
      if (!attempt) return;
      const providerError = rejectedError("invalid_state", "refused by the simulator");
      await inTransaction(ctx, (inside) => updateAttempt(inside, attempt.id, { providerError }));
    }),
  );
