import { createHash } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import type { OperationType, PurchaseStatus, SlotStatus } from "@/db/schema/purchases";
import { purchaseOperations } from "@/db/schema/purchases";
import { writeTogether } from "@/db/writes";
import { audit } from "@/lib/audit";
import { canonicalJson } from "@/lib/canonical-json";
import { attemptInQuestion, type ProviderTruth } from "@/lib/charges/review/statement";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, invalid } from "@/lib/errors";
import { checkKey } from "@/lib/http/idempotency-key";
import { Answered, claimKey, requestFingerprint, storeAnswer } from "@/lib/idempotency";
import { secondPersonAbove } from "@/lib/operators/second-person";
import { lockIdle } from "@/lib/purchases/change";
import { chargeOfSlot } from "@/lib/purchases/intents";
import {
  announcePurchase,
  announcingOperation,
  insertOperation,
  movePurchase,
  withOperation,
} from "@/lib/purchases/operations";
import type { OperationRow, Purchase } from "@/lib/purchases/queries";
import {
  type ChoiceFrom,
  type FollowUp,
  type Foreseen,
  followUpsOf,
  foresee,
  operationFor,
} from "@/lib/purchases/review/choices";
import { recordStatement, type StatementEvidence, truthsOf } from "@/lib/purchases/review/evidence";
import { RESOLUTION_PROPOSED, resolutionProposalsOf } from "@/lib/purchases/review/proposals";
import { moveSlot } from "@/lib/purchases/slots";

export interface AskedResolution {
  purchaseId: string;
  slots: StatementEvidence[];
  /** Absent: the first of the possible ones. */
  followUp?: FollowUp | undefined;
}

export interface ResolutionPlan {
  /** Handed back by whoever confirms: on another state, or with other answers, nothing is done. */
  plan: string;
  slots: { slotIndex: number; from: SlotStatus; truth: ProviderTruth | null; to: SlotStatus; amount: number }[];
  /** The default first. */
  choices: FollowUp[];
  followUp: FollowUp;
  /** The one new operation, and its calls if nobody refuses anything. */
  operation: { type: OperationType; calls: Foreseen["calls"] } | null;
  status: PurchaseStatus;
  amountAtStake: number;
}

const RESOLVED = "purchase.resolve";

export const secondPersonNeeded = ({ amountAtStake }: ResolutionPlan, above: number | null): boolean =>
  above !== null && amountAtStake > above;

interface Carried {
  plan: ResolutionPlan;
  purchase: Purchase;
  operation: OperationRow | undefined;
}

/** Ends the transaction of a plan: everything was done, and nothing of it stays. */
class Rehearsed extends Error {
  constructor(readonly plan: ResolutionPlan) {
    super("rehearsed");
  }
}

/** What would be done: a resolution carried out whole, read, and rolled back. */
export async function planResolution(ctx: Context, asked: AskedResolution): Promise<ResolutionPlan> {
  try {
    await inTransaction(ctx, async (inside) => {
      throw new Rehearsed((await carryOut(inside, asked)).plan);
    });
  } catch (thrown) {
    if (thrown instanceof Rehearsed) return thrown.plan;
    throw thrown;
  }
  throw new Error("a rehearsal that was not rolled back");
}

/** The first of two people: nothing is done but written down. */
export async function proposeResolution(
  ctx: Context,
  asked: AskedResolution & { plan: string },
): Promise<ResolutionPlan> {
  const plan = await planResolution(ctx, asked);
  if (plan.plan !== asked.plan) throw changed();
  await inTransaction(ctx, (inside) =>
    audit(inside, {
      action: RESOLUTION_PROPOSED,
      object: "purchase",
      objectId: asked.purchaseId,
      after: { plan: plan.plan, slots: asked.slots, followUp: plan.followUp },
    }),
  );
  return plan;
}

/** Whoever proposed it changed their mind: nobody can agree any more. */
export const withdrawResolution = (ctx: Context, purchaseId: string): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    await lockIdle(inside, purchaseId);
    const own = (await resolutionProposalsOf(inside, purchaseId)).filter(({ isOwn }) => isOwn);
    const [newest] = own;
    if (!newest) return false;
    await audit(inside, {
      action: "purchase.resolve.withdraw",
      object: "purchase",
      objectId: purchaseId,
      after: { plan: newest.plan, slots: newest.slots, followUp: newest.followUp },
    });
    return true;
  });

export interface Resolved {
  purchase?: Purchase;
  operation?: OperationRow | undefined;
  /** The same key did it before. */
  repeated: boolean;
}

/**
 * Row P10: the evidence of a person for each card, the review cleared, and one new operation or none. Above
 * `aloneUpTo`, by default the account's limit as it is then, a second person has proposed the same.
 */
export async function resolveReview(
  ctx: Context,
  asked: AskedResolution & { plan: string; key: string; aloneUpTo?: number | null },
): Promise<Resolved> {
  const { plan: confirmed, key, aloneUpTo, ...wanted } = asked;
  const path = `/v1/purchases/${asked.purchaseId}/resolve`;
  const request = {
    namespace: ctx.account.id,
    key: `dashboard:${checkKey(key)}`,
    method: "POST",
    path,
    fingerprint: requestFingerprint("POST", path, { ...wanted, followUp: wanted.followUp ?? null, plan: confirmed }),
    kind: "purchase.resolve",
    isKept: true,
  };
  return inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    await claimKey(db, account.id, request, undefined, now(inside));
    // Nobody withdraws meanwhile what is agreed to.
    await lockIdle(inside, wanted.purchaseId);
    const secondPerson = (await resolutionProposalsOf(inside, wanted.purchaseId)).find(
      ({ plan, isOwn }) => plan === confirmed && !isOwn,
    )?.operatorId;
    const done = await carryOut(secondPerson ? { ...inside, secondPerson } : inside, wanted);
    if (done.plan.plan !== confirmed) throw changed();
    const { merchantId } = done.purchase.row;
    const above =
      aloneUpTo === undefined ? await secondPersonAbove(inside, "reviews.resolve", "reviews", merchantId) : aloneUpTo;
    if (secondPersonNeeded(done.plan, above) && !secondPerson)
      throw new DomainError("purchase_invalid_state", "a second person must have proposed the same resolution");
    await storeAnswer(db, account.id, request, { status: 200, body: {} }, now(inside));
    return { purchase: done.purchase, operation: done.operation, repeated: false };
  }).catch((thrown: unknown) => {
    if (thrown instanceof Answered) return { repeated: true };
    throw thrown;
  });
}

const changed = (): DomainError =>
  new DomainError("purchase_invalid_state", "the purchase, or what is said of it, is no longer what was confirmed");

async function carryOut(
  ctx: Context,
  { purchaseId, slots: statements, followUp: wanted }: AskedResolution,
): Promise<Carried> {
  const before = await lockIdle(ctx, purchaseId);
  const { row } = before;
  const { reviewReason, reviewSince } = row;
  if (!reviewReason || !reviewSince)
    throw new DomainError("purchase_invalid_state", "the purchase is not under review");
  const interrupted = await interruptedOf(ctx, before);
  const isMismatched = await check(ctx, before, statements);
  let purchase = before;
  for (const statement of statements) {
    const slot = purchase.payments[statement.slotIndex];
    if (slot) purchase = await recordStatement(ctx, purchase, slot, statement);
  }
  const from: ChoiceFrom = {
    status: row.status,
    capture: row.capture,
    interrupted,
    slots: purchase.payments,
    isMismatched,
  };
  const choices = followUpsOf(from);
  const followUp = wanted ?? choices[0];
  if (!followUp || !choices.includes(followUp)) throw invalid(`followUp: must be one of ${choices.join(", ")}`);
  if (followUp === "undo") purchase = await cancelUntried(ctx, purchase);
  const type = operationFor(followUp, from);
  const foreseen = foresee(row.status, row.capture, type, purchase.payments);
  const plan: Omit<ResolutionPlan, "plan"> = {
    slots: before.payments.map(({ slotIndex, status, amount }, index) => ({
      slotIndex,
      from: status,
      truth: statements.find((statement) => statement.slotIndex === slotIndex)?.truth ?? null,
      to: purchase.payments[index]?.status ?? status,
      amount,
    })),
    choices,
    followUp,
    operation: type ? { type, calls: foreseen.calls } : null,
    status: foreseen.status,
    amountAtStake: row.amount,
  };
  const cleared = await movePurchase(ctx, row, "review.resolved", { reviewReason: null, reviewSince: null });
  purchase = { ...purchase, row: cleared };
  const by = followUp === "continue" ? interrupted.requestedBy : "system";
  const operation = type && (await insertOperation(ctx, purchaseId, { type, requestedBy: by }));
  if (operation) {
    purchase = withOperation(purchase, operation);
    await writeTogether(ctx.db, [announcingOperation(ctx, operation)]);
  }
  // Whoever stopped polling may go on; the end of the operation tells the rest.
  if (row.status === "pending") await announcePurchase(ctx, purchase, "pending");
  await audit(ctx, {
    action: RESOLVED,
    object: "purchase",
    objectId: purchaseId,
    before: { reason: reviewReason, since: reviewSince.toISOString() },
    after: { slots: statements, followUp, operation: type ?? null },
  });
  const digest = canonicalJson({ ...plan, purchaseId, since: reviewSince.toISOString(), statements });
  return {
    plan: { ...plan, plan: createHash("sha256").update(digest).digest("base64url") },
    purchase,
    operation,
  };
}

/** The operation that the review ended. */
export async function interruptedOf(ctx: Context, { row }: Purchase): Promise<OperationRow> {
  const [last] = await ctx.db
    .select()
    .from(purchaseOperations)
    .where(
      and(
        eq(purchaseOperations.purchaseId, row.id),
        eq(purchaseOperations.status, "failed"),
        eq(purchaseOperations.error, row.reviewReason ?? ""),
      ),
    )
    .orderBy(desc(purchaseOperations.updatedAt), desc(purchaseOperations.id))
    .limit(1);
  if (!last) throw new Error("a review without an operation");
  return last;
}

/** Every card of unknown outcome needs a word, and no other card one that cannot be; answers whether amounts differ. */
async function check(ctx: Context, { payments }: Purchase, statements: readonly StatementEvidence[]): Promise<boolean> {
  const problems: string[] = [];
  let isMismatched = false;
  const seen = new Set<number>();
  for (const [index, { slotIndex, truth, providerTransactionId }] of statements.entries()) {
    const slot = payments[slotIndex];
    if (!slot || seen.has(slotIndex)) {
      problems.push(`slots.${index}.slotIndex: each card of the purchase once`);
      continue;
    }
    seen.add(slotIndex);
    const charge = slot.chargeId ? await chargeOfSlot(ctx, slot) : undefined;
    const truths = truthsOf(slot, charge);
    if (!truths.includes(truth)) {
      problems.push(
        `slots.${index}.truth: ${truths.length > 0 ? `must be ${truths.join(", ")}` : "nothing is to be said"}`,
      );
    }
    if (truth !== "absent" && slot.status === "undetermined" && !providerTransactionId?.trim()) {
      problems.push(`slots.${index}.providerTransactionId: the provider's id is needed`);
    }
    const isOther = charge && attemptInQuestion(charge)?.state === "mismatch";
    if (isOther && (truth === "held" || truth === "captured")) isMismatched = true;
  }
  for (const { status, slotIndex } of payments) {
    if (status === "undetermined" && !seen.has(slotIndex)) problems.push(`slots: card ${slotIndex} needs a statement`);
  }
  if (problems.length > 0) throw invalid(...problems);
  return isMismatched;
}

/** Cards that were never asked take no part in giving back. */
async function cancelUntried(ctx: Context, given: Purchase): Promise<Purchase> {
  let purchase = given;
  for (const slot of given.payments) {
    if (slot.status === "pending") purchase = await moveSlot(ctx, purchase, slot, "lower_slot.failed");
  }
  return purchase;
}
