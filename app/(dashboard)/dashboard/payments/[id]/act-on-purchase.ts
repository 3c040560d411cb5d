import { LONGEST_REASON } from "@/app/(dashboard)/dashboard/payments/[id]/act-on-form";
import type { OnAccount } from "@/app/(dashboard)/operator-context";
import { textOf } from "@/app/(dashboard)/typed-text";
import { DomainError, RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import {
  actOnPurchase,
  isPurchaseAction,
  type PurchaseAction,
  type PurchaseDone,
} from "@/lib/purchases/operator-service";

export type PurchaseOutcome =
  | { kind: "not_found" }
  | { kind: "done"; purchaseId: string; action: PurchaseAction }
  | { kind: "plan_changed"; purchaseId: string; action: PurchaseAction }
  | Exclude<PurchaseDone, { kind: "done" | "plan_changed" }>;

/** A confirmation that was sent, whoever sent it and however: the form is not believed, the rights are asked again. */
export async function actOnPurchaseForm(
  { ctx: own, role }: Pick<OnAccount, "ctx" | "role">,
  form: FormData,
): Promise<PurchaseOutcome> {
  const text = (name: string): string => textOf(form, name);
  const purchaseId = text("id");
  const action = text("action");
  const key = text("key");
  if (!isUuid(purchaseId) || !isPurchaseAction(action) || !isUuid(key)) return { kind: "not_found" };
  try {
    const ctx = await reaching(own, "purchase", purchaseId);
    const done = await actOnPurchase(ctx, role, purchaseId, action, {
      key,
      plan: text("plan"),
      planHash: text("planHash") || undefined,
      reason: (action === "refund" && text("reason").slice(0, LONGEST_REASON)) || undefined,
    });
    if (done.kind === "plan_changed") return { ...done, purchaseId, action };
    return done.kind === "done" ? { kind: "done", purchaseId, action } : done;
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.businessCode === "purchase_not_found") return { kind: "not_found" };
    if (thrown instanceof RequestError && thrown.status === 404) return { kind: "not_found" };
    throw thrown;
  }
}
