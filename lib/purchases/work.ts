import { setImmediate as nextTurn } from "node:timers/promises";
import { apply } from "@/lib/charges/engine/apply";
import { drive, interrupted, type Owned, type Owner, type Task, unsentAttempt } from "@/lib/charges/engine/driver";
import { LeaseLost, MOST_IDLE_CLAIMS } from "@/lib/charges/engine/lease";
import { openAttempt } from "@/lib/charges/engine/with-lease";
import { type Context, inTransaction } from "@/lib/context";
import { reopenAttempt } from "@/lib/payments/attempts";
import { providerById } from "@/lib/payments/routing/provider";
import { pipelined } from "@/lib/pipeline";
import { type Claim, type ClaimedOperation, claimOperation, hold, park } from "@/lib/purchases/claim";
import { finishOperation } from "@/lib/purchases/finish";
import { chargeOfSlot, intendAuthorization, intendChange } from "@/lib/purchases/intents";
import { OperationLost } from "@/lib/purchases/operations";
import { nextMove } from "@/lib/purchases/plan";
import type { OperationRow, PaymentRow, Purchase } from "@/lib/purchases/queries";
import { closeOpenAttempts, moveSlot, openReview, settleSlot } from "@/lib/purchases/slots";
import { monotonicMs } from "@/lib/time";
import { deleteCvv } from "@/lib/vault/cvv";

/** What a transaction leaves to do outside it: a task whose intent it committed, and CVVs that nobody will need. */
interface Continuation {
  next?: { operation: OperationRow; task: Task } | undefined;
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
  const startedMs = monotonicMs();
  const begun = await inTransaction(ctx, async (inside) => {
    const claimed = await claimOperation(inside, operationId);
    if (claimed.is !== "held") return claimed;
    const [, continuation] = await pipelined([claimed.written, begin(inside, claimed.after, askAbout)]);
    return { ...claimed, continuation };
  });
  if (begun.is !== "held") return begun.is;
  try {
    const first = await follow(ctx, begun.continuation);
    if (first) await drive(ctx, first, { startedMs });
    return "held";
  } catch (thrown) {
    if (thrown instanceof OperationLost || thrown instanceof LeaseLost) return "busy";
    throw thrown;
  }
}

/** The cards of a purchase are held by the operation that works on them. */
const ownerOf = (operation: OperationRow): Owner<Continuation> => ({
  hold: (ctx) => hold(ctx, operation),
  /** Phase C: evidence, charge, ledger, events, slot, operation and the next intent in one transaction. */
  write: (ctx, charge, attempt, provider, decision, responseMs) =>
    inTransaction(ctx, async (inside) => {
      // The fence before what it guards, and nobody waits for it: should it throw, nothing of the rest stays. It leaves
      // with this turn of the event loop, so that the database takes its locks while the rows are being made.
      const [held, applied] = await pipelined([
        hold(inside, operation),
        nextTurn().then(() => apply(inside, charge, attempt, provider, decision, responseMs)),
      ]);
      const settled = await settleSlot(inside, held, charge, applied.charge, attempt.id, decision);
      const isOver = decision.next.do !== "nothing" || !settled.after.purchase.active;
      const [, continuation] = await pipelined([
        settled.written,
        isOver ? { spare: [] } : proceed(inside, settled.after),
      ]);
      return { ...applied, continuation };
    }),
  follow,
});

async function follow(ctx: Context, { next, spare }: Continuation): Promise<Owned<Continuation> | undefined> {
  for (const tokenId of spare) await deleteCvv(ctx.account.id, tokenId);
  return next && { task: next.task, owner: ownerOf(next.operation) };
}

/** A worker before this one may have died at any point: what it sent is asked about, what never left is sent. */
async function begin(ctx: Context, held: ClaimedOperation, askAbout: string | undefined): Promise<Continuation> {
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
  const unsent = attempt ? undefined : unsentAttempt(charge);
  const known = attempt ?? unsent;
  if (!known) throw new Error("a card in the middle of a call without an attempt");
  const provider = await providerById(ctx, known.providerId ?? "");
  if (!attempt) {
    const reopened = await reopenAttempt(ctx, known.id);
    const task = reopened && ({ do: "send", charge, attempt: reopened, provider } as const);
    return { next: task && { operation, task }, spare: [] };
  }
  if (open.status === "undetermined") {
    if (askAbout === charge.row.id) {
      return { next: { operation, task: { do: "ask", charge, attempt, provider } }, spare: [] };
    }
    // Sent once more by a worker that died: nobody is to ask about it yet. Anything else has its query scheduled.
    if (attempt.state !== "sent") {
      await park(ctx, held);
      return { spare: [] };
    }
  }
  const decided = interrupted(ctx, charge, attempt);
  const { charge: after } = await apply(ctx, charge, attempt, provider, decided, undefined);
  const settled = await settleSlot(ctx, held, charge, after, attempt.id, decided);
  await pipelined([settled.written, park(ctx, settled.after)]);
  return { spare: [] };
}

/** Moves on to the next call, writing its intent; or ends the operation, or leaves it to a query. */
async function proceed(ctx: Context, given: ClaimedOperation): Promise<Continuation> {
  const spare: string[] = [];
  let held: ClaimedOperation | undefined = given;
  while (held) {
    const { operation, purchase }: ClaimedOperation = held;
    const move = nextMove(operation, purchase.payments);
    switch (move.do) {
      case "wait":
        await park(ctx, held);
        return { spare };
      case "review":
        await openReview(ctx, held, "reconciliation_failed");
        return { spare };
      case "finish":
        held = await finishOperation(ctx, held, move.fact);
        break;
      case "cancel":
        spare.push(...cvvOf(move.slot));
        held = { operation, purchase: await moveSlot(ctx, purchase, move.slot, "lower_slot.failed") };
        break;
      case "authorize": {
        const intended = await intendAuthorization(ctx, held, move.slot);
        if ("do" in intended) return { next: { operation, task: intended }, spare };
        spare.push(...cvvOf(move.slot));
        held = { operation, purchase: await refuse(ctx, purchase, move.slot, intended.refused) };
        break;
      }
      default:
        return { next: { operation, task: await intendChange(ctx, held, move.slot, move.do) }, spare };
    }
  }
  return { spare };
}

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
