import { audit } from "@/lib/audit";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { givenBackOf } from "@/lib/charges/given-back";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { checkKey } from "@/lib/http/idempotency-key";
import { Answered, claimKey, findAnswer, requestFingerprint, storeAnswer } from "@/lib/idempotency";
import { demand, may, type Right, usualLimits } from "@/lib/operators/permissions";
import { secondPersonAbove } from "@/lib/operators/second-person";
import type { OperatorRole } from "@/lib/operators/sessions";
import { holdToPlan } from "@/lib/plans/hash";
import { capturePurchase, lockIdle, voidPurchase } from "@/lib/purchases/change";
import { reconcileNow } from "@/lib/purchases/due";
import { planPurchaseChange } from "@/lib/purchases/plan-change";
import { getPurchase, type Purchase } from "@/lib/purchases/queries";

/** What a person can do to a whole purchase; one card is given back from the page of its charge. */
export const PURCHASE_ACTIONS = ["capture", "release", "refund", "recheck"] as const;
export type PurchaseAction = (typeof PURCHASE_ACTIONS)[number];

export const isPurchaseAction = (text: unknown): text is PurchaseAction =>
  PURCHASE_ACTIONS.some((action) => action === text);

const RIGHTS: Record<PurchaseAction, Right> = {
  capture: "payments.capture",
  release: "payments.capture",
  refund: "payments.refund",
  recheck: "payments.recheck",
};
export const purchaseRight = (action: PurchaseAction): Right => RIGHTS[action];

export const leftOf = ({ payments }: Purchase): number =>
  payments.reduce((sum, slot) => sum + (slot.status === "authorized" ? slot.amount - slot.refundedAmount : 0), 0);

const isFree = ({ row, active }: Purchase): boolean => active === undefined && row.reviewReason === null;

/** The states in which it makes sense; the service decides again when it is done. */
const WHEN: Record<PurchaseAction, (purchase: Purchase) => boolean> = {
  capture: (purchase) =>
    isFree(purchase) &&
    purchase.row.status === "pending" &&
    !purchase.row.capture &&
    purchase.payments.every(({ status }) => status === "pre_authorized"),
  release: (purchase) =>
    isFree(purchase) &&
    purchase.row.status === "pending" &&
    purchase.payments.some(({ status }) => status === "pre_authorized"),
  // Above the limit of one person each card is given back by itself, by two people.
  refund: (purchase) => isFree(purchase) && purchase.row.status === "paid" && leftOf(purchase) > 0,
  recheck: ({ payments }) => payments.some(({ chargeId }) => chargeId !== null),
};

export const purchaseActionsFor = (role: OperatorRole, purchase: Purchase): PurchaseAction[] =>
  PURCHASE_ACTIONS.filter(
    (action) =>
      may(role, RIGHTS[action]) &&
      WHEN[action](purchase) &&
      // Their limit is of one card's refund: they give back card by card.
      (action !== "refund" || usualLimits(role) === undefined),
  );

/** What a confirmation was made from: on another state nothing is done. */
export const purchasePlan = ({ row, payments, active }: Purchase): string =>
  [row.status, active?.id ?? "", ...payments.map(({ status, refundedAmount }) => `${status}-${refundedAmount}`)].join(
    ".",
  );

export type PurchaseDone =
  | { kind: "done" }
  | { kind: "changed" }
  | { kind: "plan_changed" }
  | { kind: "busy" }
  | { kind: "no_reason" }
  | { kind: "two_people" }
  | { kind: "refused"; code: string };

interface Asked {
  key: string;
  plan: string;
  /** Of the plan that was shown, see lib/dry-runs: on another one nothing is done. */
  planHash?: string | undefined;
  /** Why money goes back; asked of a refund. */
  reason?: string | undefined;
}

/** By the services of the API, once for each key, and only on the state that was confirmed. */
export async function actOnPurchase(
  ctx: Context,
  role: OperatorRole,
  purchaseId: string,
  action: PurchaseAction,
  asked: Asked,
): Promise<PurchaseDone> {
  demand(role, RIGHTS[action], "purchase");
  if (action === "refund" && usualLimits(role)) return { kind: "two_people" };
  if (action === "refund" && !asked.reason) return { kind: "no_reason" };
  try {
    if (action === "recheck") {
      const purchase = await inTransaction(ctx, (inside) => getPurchase(inside, purchaseId));
      if (!WHEN.recheck(purchase)) return { kind: "changed" };
      await recheck(ctx, purchase);
      return { kind: "done" };
    }
    const reasoned = asked.reason ? { ...ctx, reason: asked.reason } : ctx;
    return await inTransaction(reasoned, (inside) => change(inside, purchaseId, action, asked));
  } catch (thrown) {
    if (thrown instanceof Answered) return { kind: "done" };
    if (thrown instanceof ChargeBusy) return { kind: "busy" };
    if (!(thrown instanceof DomainError) || thrown.businessCode === "purchase_not_found") throw thrown;
    if (thrown.businessCode === "plan_changed") return { kind: "plan_changed" };
    return thrown.businessCode === "purchase_operation_in_progress"
      ? { kind: "busy" }
      : { kind: "refused", code: thrown.businessCode };
  }
}

async function change(
  ctx: Context,
  purchaseId: string,
  action: Exclude<PurchaseAction, "recheck">,
  { key, plan, planHash }: Asked,
): Promise<PurchaseDone> {
  const path = `/v1/purchases/${purchaseId}/${action === "capture" ? "capture" : "void"}`;
  const request = {
    namespace: ctx.account.id,
    key: `dashboard:${checkKey(key)}`,
    method: "POST",
    path,
    fingerprint: requestFingerprint("POST", path, { plan }),
    kind: `purchase.${action}`,
    isKept: true,
  };
  const { db, account } = ctx;
  if (await findAnswer(db, account.id, request)) return { kind: "done" };
  // Of a refund, nobody else's of one of its cards comes in between.
  const purchase = await (action === "refund" ? lockIdle(ctx, purchaseId) : getPurchase(ctx, purchaseId));
  if (purchasePlan(purchase) !== plan || !WHEN[action](purchase)) return { kind: "changed" };
  if (action === "refund" && (await refundedByTwoAbove(ctx, purchase)) !== null) return { kind: "two_people" };
  const call = action === "capture" ? "capture" : "void";
  if (planHash) await holdToPlan({ ...ctx, planHash }, (planning) => planPurchaseChange(planning, purchaseId, call));
  await claimKey(db, account.id, request, undefined, now(ctx));
  await (action === "capture" ? capturePurchase(ctx, purchaseId, {}) : voidPurchase(ctx, purchaseId));
  await storeAnswer(db, account.id, request, { status: 202, body: {} }, now(ctx));
  return { kind: "done" };
}

/**
 * Cents above which a second person is needed, where refunding all that is left at once would pass them together with
 * what people gave back before and what waits; null otherwise.
 */
export async function refundedByTwoAbove(ctx: Context, purchase: Purchase): Promise<number | null> {
  const alone = await secondPersonAbove(ctx, "payments.refund", "refunds", purchase.row.merchantId);
  if (alone === null) return null;
  const { given, waiting } = await inTransaction(ctx, (inside) =>
    givenBackOf(inside, { id: purchase.row.id, purchaseId: purchase.row.id }),
  );
  return leftOf(purchase) + given + waiting > alone ? alone : null;
}

async function recheck(ctx: Context, { row, payments }: Purchase): Promise<void> {
  for (const { chargeId } of payments) if (chargeId) await reconcileNow(ctx, chargeId);
  await inTransaction(ctx, (inside) =>
    audit(inside, { action: "purchase.recheck", object: "purchase", objectId: row.id }),
  );
}
