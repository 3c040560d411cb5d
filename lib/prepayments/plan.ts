import { eq } from "drizzle-orm";
import { sellers } from "@/db/schema/sellers";
import type { Context } from "@/lib/context";
import { holdToPlan } from "@/lib/plans/hash";
import { journalsOf } from "@/lib/plans/journals";
import { rolledBack } from "@/lib/plans/rolled-back";
import { NOTHING, type PlanBody } from "@/lib/plans/schema";
import { prepaymentDrafts } from "@/lib/prepayments/pay";
import type { Prepayment } from "@/lib/prepayments/queries";
import type { NewPrepayment } from "@/lib/prepayments/schema";
import { commit, simulatePrepayment } from "@/lib/prepayments/service";

/** `simulate` for whoever calls the API: a call that names a plan prices what that says, or nothing. */
export async function simulatePlanned(ctx: Context, asked: NewPrepayment): Promise<Prepayment> {
  const made = await simulatePrepayment(ctx, asked);
  await holdToPlan(ctx, (planning) => planOf(planning, made));
  return made;
}

/** `commit` for whoever names a plan: it brings what that says, or nothing. */
export async function commitPlanned(ctx: Context, id: string): Promise<Prepayment> {
  const made = await commit(ctx, id);
  await holdToPlan(ctx, (planning) => planOf(planning, made));
  return made;
}

/** What confirming one that stands brings; nothing of it stays. */
export const planCommit = (ctx: Context, id: string): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => planOf(inside, await commit(inside, id)));

/** What confirming it brings; nothing of it stays. */
export const planPrepayment = (ctx: Context, asked: NewPrepayment): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => planOf(inside, await simulatePrepayment(inside, asked)));

async function planOf(ctx: Context, { row, items }: Prepayment): Promise<PlanBody> {
  const { sellerId } = row;
  const [seller] =
    sellerId === null
      ? []
      : await ctx.db.select({ planId: sellers.planId }).from(sellers).where(eq(sellers.id, sellerId));
  return {
    ...NOTHING,
    status: "paid",
    shares: items
      .map(({ netAmount }) => ({ sellerId, installment: null, amount: netAmount, date: row.paymentDate }))
      .sort((one, other) => one.amount - other.amount),
    fees: [{ sellerId, amount: row.feeAmount + row.markupAmount, rateId: seller?.planId ?? null }],
    journals: journalsOf(await prepaymentDrafts(ctx, row)),
    events: ["prepayment.committed", "prepayment.paid"],
  };
}
