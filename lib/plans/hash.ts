import { createHash } from "node:crypto";
import { canonicalJson } from "@/lib/canonical-json";
import type { Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { rolledBack } from "@/lib/plans/rolled-back";
import type { PlanBody } from "@/lib/plans/schema";

/** Where chance decides who is asked, the version of the flow stands for all that may come of it (spec/rulings.md 13). */
export const planHashOf = (plan: PlanBody): string =>
  createHash("sha256")
    .update(canonicalJson(plan.flow?.isDrawn ? { ...plan, ...DRAWN, slots: plan.slots.map(undrawn) } : plan))
    .digest("hex");

const DRAWN = { providers: [], analyst: null };
const undrawn = (slot: PlanBody["slots"][number]): PlanBody["slots"][number] => ({ ...slot, providers: [] });

/**
 * Refuses, in the transaction of the call, what is not as it was planned; a call that names no plan is not asked. Making
 * a plan writes, such as how much of a share was refunded: of that nothing stays for the call itself.
 */
export async function holdToPlan(ctx: Context, plan: (inside: Context) => Promise<PlanBody>): Promise<void> {
  const { planHash } = ctx;
  if (planHash === undefined) return;
  const current = await rolledBack(ctx, plan);
  if (planHashOf(current) === planHash) return;
  throw new DomainError("plan_changed", "the call would not do what was planned", {
    details: [canonicalJson(current)],
  });
}
