import type { Context } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { findSalePlan, type SalePlan } from "@/lib/sale-plans/queries";

/** Unknown or another client's: 404. */
export async function salePlanAt(ctx: Context, id: string, lock?: "update"): Promise<SalePlan> {
  const plan = await findSalePlan(ctx, id, lock);
  if (!plan) throw notFound("sale plan");
  return plan;
}

/** The plan that a body names. */
export async function requireSalePlan(ctx: Context, id: string): Promise<SalePlan> {
  const plan = await findSalePlan(ctx, id);
  if (plan?.row.status !== "active") throw new DomainError("plan_not_found", "the sale plan does not exist");
  return plan;
}
