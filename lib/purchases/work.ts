import { apply } from "@/lib/charges/engine/apply";
import { undeterminedOutcome } from "@/lib/charges/engine/decision";
import { drive, type Fence, type Write } from "@/lib/charges/engine/drive";
import { LeaseLost, MOST_IDLE_CLAIMS } from "@/lib/charges/engine/lease";
import { queryAttempt } from "@/lib/charges/engine/query-attempt";
import { deleteAnsweredCvv } from "@/lib/charges/engine/replay";
import { situationOf } from "@/lib/charges/engine/situation";
import { openAttempt } from "@/lib/charges/engine/taking";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { type AttemptRow, reopenAttempt } from "@/lib/payments/attempts";
import { providerById, type RoutedProvider } from "@/lib/payments/routing";
import { type Claim, claim, type Held, hold, park } from "@/lib/purchases/claim";
import { finish } from "@/lib/purchases/finish";
import { chargeOfSlot, type Intent, intendAuthorization, intendChange } from "@/lib/purchases/intents";
import { OperationLost } from "@/lib/purchases/operations";
import { nextMove } from "@/lib/purchases/plan";
import type { OperationRow, PaymentRow, Purchase } from "@/lib/purchases/queries";
import { closeOpenAttempts, moveSlot, openReview, settleSlot } from "@/lib/purchases/slots";
import { monotonicMs } from "@/lib/time";
import { deleteCvv } from "@/lib/vault/cvv";

/** What is done outside any transaction, its intent committed. */
type Step = { operation: OperationRow; charge: Charge; attempt: AttemptRow; provider: RoutedProvider } & (
  | { do: "send"; others: RoutedProvider[] }
  /** Never sent again: the provider is asked what became of it. */
  | { do: "ask" }
);

/** What a transaction leaves to do: a step, and CVVs that nobody will need. */
interface Left {
  step?: Step | undefined;
  spare: string[];
}

/**
 * Works on an operation until it has ended or waits for an answer to a query. Any number of workers may try: one holds
 * it, and whoever loses its hold stops at once.
 */
export async function driveOperation(ctx: Context, operationId: string): Promise<Claim["is"]> {
  return run(ctx, operationId, undefined);
}

/** The same, beginning with a question about a slot whose outcome is unknown. */
export const askOperation = (ctx: Context, operationId: string, chargeId: string): Promise<Claim["is"]> =>
  run(ctx, operationId, chargeId);

async function run(ctx: Context, operationId: string, askAbout: string | undefined): Promise<Claim["is"]> {
  let startedMs = monotonicMs();
  const begun = await inTransaction(ctx, async (inside) => {
    const claimed = await claim(inside, operationId);
    return claimed.is === "held" ? { ...claimed, left: await begin(inside, claimed.held, askAbout) } : claimed;
  });
  if (begun.is !== "held") return begun.is;
  try {
    let left = begun.left;
    for (;;) {
      await forget(ctx, left);
      if (!left.step) return "held";
      left = await take(ctx, left.step, startedMs);
      startedMs = monotonicMs();
    }
  } catch (thrown) {
    if (thrown instanceof OperationLost || thrown instanceof LeaseLost) return "busy";
    throw thrown;
  }
}

/** A worker before this one may have died at any point: what it sent is asked about, what never left is sent. */
async function begin(ctx: Context, held: Held, askAbout: string | undefined): Promise<Left> {
  const { purchase, operation } = held;
  const open = purchase.payments.find(({ status }) => status === "processing" || status === "undetermined");
  if (operation.idleClaims > MOST_IDLE_CLAIMS) {
    if (open?.chargeId) await closeOpenAttempts(ctx, [await chargeOfSlot(ctx, open)]);
    await openReview(ctx, held, "claims_exhausted");
    return { spare: [] };
  }
  if (!open) return proceed(ctx, held);
  const charge = await chargeOfSlot(ctx, open);
  const attempt = openAttempt(charge);
  const unsent = attempt
    ? undefined
    : charge.attempts.find(({ kind, state }) => kind !== "notice" && state === "not_sent");
  if (unsent) return { step: await sendAgain(ctx, operation, charge, unsent), spare: [] };
  if (!attempt) throw new Error("a card in the middle of a call without an attempt");
  const provider = await providerById(ctx, attempt.providerId ?? "");
  if (open.status === "undetermined") {
    if (askAbout === charge.row.id) return { step: { do: "ask", operation, charge, attempt, provider }, spare: [] };
    // Sent once more by a worker that died: nobody is to ask about it yet. Anything else has its query scheduled.
    if (attempt.state !== "sent") {
      await park(ctx, held);
      return { spare: [] };
    }
  }
  const events = charge.row.eventVersion === 0 ? ["pending"] : [];
  const situation = situationOf(ctx, charge, attempt, undefined);
  const interrupted = undeterminedOutcome(situation, { requestStatusReason: "interrupted" }, { events });
  const { charge: after } = await apply(ctx, charge, attempt, provider, interrupted, undefined);
  const settled = await settleSlot(ctx, held, charge, after, attempt.id, interrupted);
  await park(ctx, settled);
  return { spare: [] };
}

async function sendAgain(
  ctx: Context,
  operation: OperationRow,
  charge: Charge,
  unsent: AttemptRow,
): Promise<Step | undefined> {
  const attempt = await reopenAttempt(ctx, unsent.id);
  const provider = await providerById(ctx, unsent.providerId ?? "");
  return attempt && { do: "send", operation, charge, attempt, provider, others: [] };
}

/** Moves on to the next call, writing its intent; or ends the operation, or leaves it to a query. */
async function proceed(ctx: Context, given: Held): Promise<Left> {
  const spare: string[] = [];
  let held: Held | undefined = given;
  while (held) {
    const { operation, purchase }: Held = held;
    const move = nextMove(operation, purchase.payments);
    switch (move.do) {
      case "wait":
        await park(ctx, held);
        return { spare };
      case "review":
        await openReview(ctx, held, "reconciliation_failed");
        return { spare };
      case "finish":
        held = await finish(ctx, held, move.fact);
        break;
      case "cancel":
        spare.push(...cvvOf(move.slot));
        held = { operation, purchase: await moveSlot(ctx, purchase, move.slot, "lower_slot.failed") };
        break;
      case "authorize": {
        const intended = await intendAuthorization(ctx, held, move.slot);
        if ("attempt" in intended) return { step: toSend(operation, intended), spare };
        spare.push(...cvvOf(move.slot));
        held = { operation, purchase: await refuse(ctx, purchase, move.slot, intended.refused) };
        break;
      }
      default:
        return { step: toSend(operation, await intendChange(ctx, held, move.slot, move.do)), spare };
    }
  }
  return { spare };
}

const toSend = (operation: OperationRow, { charge, attempt, provider, others }: Intent): Step => ({
  do: "send",
  operation,
  charge,
  attempt,
  provider,
  others,
});

/** Row S3; nobody can pay with any card at a merchant that is not this client's. */
async function refuse(ctx: Context, purchase: Purchase, slot: PaymentRow, reason: string): Promise<Purchase> {
  const isOfAll = reason === "merchant_not_owned" && purchase.payments.every(({ status }) => status === "pending");
  let refused = purchase;
  for (const one of isOfAll ? purchase.payments : [slot]) {
    refused = await moveSlot(ctx, refused, one, "payment.impossible", { declineReason: reason });
  }
  return refused;
}

const cvvOf = ({ tokenId }: PaymentRow): string[] => (tokenId ? [tokenId] : []);

async function forget(ctx: Context, { spare }: Left): Promise<void> {
  for (const tokenId of spare) await deleteCvv(ctx.account.id, tokenId);
}

/** One call, or one question, and everything its answer leads to. */
async function take(ctx: Context, step: Step, startedMs: number): Promise<Left> {
  let left: Left = { spare: [] };
  /** Phase C: evidence, charge, ledger, events, slot, operation and the next intent in one transaction. */
  const write: Write = (outside, charge, attempt, provider, decision, responseMs) =>
    inTransaction(outside, async (inside) => {
      const held = await hold(inside, step.operation);
      const applied = await apply(inside, charge, attempt, provider, decision, responseMs);
      const settled = await settleSlot(inside, held, charge, applied.charge, attempt.id, decision);
      if (decision.next.do === "nothing")
        left = settled.purchase.active ? await proceed(inside, settled) : { spare: [] };
      return applied;
    });
  const { operation, charge, attempt, provider } = step;
  if (step.do === "send") {
    const fence: Fence = (inside) => hold(inside, operation);
    await drive(ctx, { charge, attempt, provider, others: step.others, material: {}, write, fence, startedMs });
    return left;
  }
  const decided = await queryAttempt(ctx, charge, attempt, provider);
  const { charge: seen, attempt: planned } = await write(ctx, charge, attempt, provider, decided, undefined);
  await deleteAnsweredCvv(ctx, charge, decided);
  if (decided.next.do === "resend") {
    const reopen = async (inside: Context) => {
      await hold(inside, operation);
      return sendAgain(inside, operation, seen, attempt);
    };
    return { step: await inTransaction(ctx, reopen), spare: [] };
  }
  return planned
    ? { step: { do: "send", operation, charge: seen, attempt: planned, provider, others: [] }, spare: [] }
    : left;
}
