import { setImmediate as nextTurn } from "node:timers/promises";
import type { OperationType, SlotStatus } from "@/db/schema/purchases";
import type { Write } from "@/db/writes";
import { apply } from "@/lib/charges/engine/apply";
import { type CardMaterial, cardSecret } from "@/lib/charges/engine/card-material";
import { drive, interrupted, type Owned, type Owner, type Task, unsentAttempt } from "@/lib/charges/engine/driver";
import { LeaseLost, MOST_IDLE_CLAIMS } from "@/lib/charges/engine/lease";
import { openAttempt } from "@/lib/charges/engine/with-lease";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { reopenAttempt } from "@/lib/payments/attempts";
import { providerById } from "@/lib/payments/routing/provider";
import { pipelined } from "@/lib/pipeline";
import { type Claim, type ClaimedOperation, claimOperation, hold, park } from "@/lib/purchases/claim";
import { finishOperation } from "@/lib/purchases/finish";
import { type Ahead, chargeOfSlot, intendAuthorization, intendChange, readAhead } from "@/lib/purchases/intents";
import { leaveMoves, OperationLost, writeMoves } from "@/lib/purchases/operations";
import { type Move, nextMove, type SlotCall } from "@/lib/purchases/plan";
import type { PaymentRow, Purchase } from "@/lib/purchases/queries";
import { closeOpenAttempts, moveSlot, openReview, settleSlot, slotOf } from "@/lib/purchases/slots";
import { monotonicMs } from "@/lib/time";
import { deleteCvv } from "@/lib/vault/cvv";

/** What a transaction leaves to do outside it: a task whose intent it committed, and CVVs that nobody will need. */
interface Continuation {
  next?: Next | undefined;
  spare: string[];
}

interface Next {
  /** As it was known when the task was decided. */
  held: ClaimedOperation;
  task: Task;
  /** Read from the vault beside the commit; absent where the task needs none of it. */
  material?: Promise<CardMaterial>;
}

/** What was decided and is not written yet: it leaves with what follows from it. */
interface Unsent {
  writes: readonly Write[];
  /** The slot that is among them. */
  slotId?: string;
}

/**
 * Works on an operation until it has ended or waits for an answer to a query. Any number of workers may try: one holds
 * it, and whoever loses its hold stops at once.
 */
export const driveOperation = (ctx: Context, operationId: string, purchaseId?: string): Promise<Claim["is"]> =>
  run(ctx, operationId, { purchaseId });

/** The same, beginning with a question about a slot whose outcome is unknown. */
export const askOperation = (ctx: Context, operationId: string, chargeId: string): Promise<Claim["is"]> =>
  run(ctx, operationId, { askAbout: chargeId });

interface Known {
  purchaseId?: string | undefined;
  askAbout?: string;
}

async function run(ctx: Context, operationId: string, { purchaseId, askAbout }: Known): Promise<Claim["is"]> {
  const startedMs = monotonicMs();
  const begun = await inTransaction(ctx, async (inside) => {
    const claimed = await claimOperation(inside, operationId, purchaseId);
    if (claimed.is !== "held") return claimed;
    return { ...claimed, continuation: await begin(inside, claimed.after, claimed.writes, askAbout) };
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
const ownerOf = (known: ClaimedOperation): Owner<Continuation> => ({
  hold: (ctx) => hold(ctx, known.operation),
  /** Phase C: evidence, charge, ledger, events, slot, operation and the next intent in one transaction. */
  write: (ctx, charge, attempt, provider, decision, responseMs) =>
    inTransaction(ctx, async (inside) => {
      // The fence before what it guards, and nobody waits for it: should it throw, nothing of the rest stays. It leaves
      // with this turn of the event loop, so that the database takes its locks while the rows are being made.
      const expected = decision.attempt.state === "approved" ? expectedMove(known, charge) : undefined;
      const [held, ahead, applied] = await pipelined([
        hold(inside, known.operation),
        expected && readAhead(inside, known.purchase, expected.slot, expected.do),
        nextTurn().then(() => apply(inside, charge, attempt, provider, decision, responseMs)),
      ]);
      const { after, writes } = await settleSlot(inside, held, charge, applied.charge, attempt.id, decision);
      const isOver = decision.next.do !== "nothing" || !after.purchase.active;
      if (!isOver) {
        const unsent = { writes, slotId: slotOf(after.purchase, charge.row.id).id };
        return { ...applied, continuation: await proceed(inside, after, unsent, ahead) };
      }
      leaveMoves(inside, writes);
      return { ...applied, continuation: { spare: [] } };
    }),
  follow,
});

async function follow(ctx: Context, { next, spare }: Continuation): Promise<Owned<Continuation> | undefined> {
  for (const tokenId of spare) await deleteCvv(ctx.account.id, tokenId);
  return next && ownedBy(next);
}

const ownedBy = ({ held, task, material }: Next): Owned<Continuation> => ({
  task,
  owner: ownerOf(held),
  ...(material ? { material } : {}),
});

/** Where a provider said yes, what most often comes next; what really does is decided by what is read behind the lock. */
function expectedMove({ operation, purchase }: ClaimedOperation, charge: Charge): Call | undefined {
  const done = DONE[operation.type];
  if (!done) return undefined;
  const isSettled = ({ slotIndex }: PaymentRow): boolean => slotIndex === charge.slotIndex;
  const after = purchase.payments.map((slot) => (isSettled(slot) ? { ...slot, status: done } : slot));
  const move = nextMove(operation, after);
  return isCall(move) ? move : undefined;
}

const DONE: Readonly<Partial<Record<OperationType, SlotStatus>>> = {
  authorize: "pre_authorized",
  capture: "authorized",
};

type Call = Extract<Move<PaymentRow>, { do: SlotCall }>;
const isCall = (move: Move<PaymentRow>): move is Call => CALLS.has(move.do);
const CALLS: ReadonlySet<string> = new Set(["authorize", "capture", "void", "refund"] satisfies SlotCall[]);

/** A worker before this one may have died at any point: what it sent is asked about, what never left is sent. */
async function begin(
  ctx: Context,
  held: ClaimedOperation,
  claim: readonly Write[],
  askAbout: string | undefined,
): Promise<Continuation> {
  const { purchase, operation } = held;
  const open = purchase.payments.find(({ status }) => status === "processing" || status === "undetermined");
  if (operation.idleClaims > MOST_IDLE_CLAIMS) {
    await writeMoves(ctx, claim);
    if (open?.chargeId) await closeOpenAttempts(ctx, [await chargeOfSlot(ctx, open)]);
    await openReview(ctx, held, "claims_exhausted");
    return { spare: [] };
  }
  if (!open) return proceed(ctx, held, { writes: claim });
  const [, charge] = await pipelined([writeMoves(ctx, claim), chargeOfSlot(ctx, open)]);
  const attempt = openAttempt(charge);
  const unsent = attempt ? undefined : unsentAttempt(charge);
  const known = attempt ?? unsent;
  if (!known) throw new Error("a card in the middle of a call without an attempt");
  const provider = await providerById(ctx, known.providerId ?? "");
  if (!attempt) {
    const reopened = await reopenAttempt(ctx, known.id);
    const task = reopened && ({ do: "send", charge, attempt: reopened, provider } as const);
    return { next: task && { held, task }, spare: [] };
  }
  if (open.status === "undetermined") {
    if (askAbout === charge.row.id) {
      return { next: { held, task: { do: "ask", charge, attempt, provider } }, spare: [] };
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
  await pipelined([writeMoves(ctx, settled.writes), park(ctx, settled.after)]);
  return { spare: [] };
}

/** Goes on after what was decided; a row is written once in a statement. */
async function proceed(
  ctx: Context,
  held: ClaimedOperation,
  { writes, slotId }: Unsent,
  ahead?: Ahead,
): Promise<Continuation> {
  const move = nextMove(held.operation, held.purchase.payments);
  if (isCall(move) && move.slot.id !== slotId) return goOn(ctx, held, writes, ahead);
  leaveMoves(ctx, writes);
  return goOn(ctx, held, [], ahead);
}

/** Moves on to the next call, writing its intent; or ends the operation, or leaves it to a query. */
async function goOn(
  ctx: Context,
  given: ClaimedOperation,
  unsent: readonly Write[],
  ahead: Ahead | undefined,
): Promise<Continuation> {
  const spare: string[] = [];
  let before = unsent;
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
        const task = await intendAuthorization(ctx, held, move.slot, { before, ahead });
        if ("do" in task) return { next: { held, task, material: materialOf(ctx, task) }, spare };
        leaveMoves(ctx, before);
        before = [];
        spare.push(...cvvOf(move.slot));
        held = { operation, purchase: await refuse(ctx, purchase, move.slot, task.refused) };
        break;
      }
      default:
        return { next: { held, task: await intendChange(ctx, held, move.slot, move.do, { before, ahead }) }, spare };
    }
  }
  return { spare };
}

/** Of a card about to be sent: whoever waits for it hears of a failure, and nobody does when the commit fails. */
function materialOf(ctx: Context, { charge }: Task): Promise<CardMaterial> {
  const material = cardSecret(ctx, charge).then((card) => ({ card }));
  material.catch(() => undefined);
  return material;
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
