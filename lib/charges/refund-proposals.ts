import { and, desc, eq, gte, sql } from "drizzle-orm";
import { auditLog } from "@/db/schema/accounts";
import { audit, operatorActor, operatorIn } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { notWithdrawn, PROPOSAL_SECONDS, REFUND_WITHDRAWN } from "@/lib/operators/second-person";
import { addSeconds, realNow } from "@/lib/time";

export const REFUND_PROPOSED = "charge.refund.propose";

interface Wanted {
  chargeId: string;
  amount: number;
  plan: string;
}

export interface RefundProposal {
  chargeId: string;
  amount: number;
  plan: string;
  /** `operator:…` */
  by: string;
  /** In the words of who asked. */
  reason: string | null;
  at: Date;
}

const actorIn = (ctx: Context): string | undefined =>
  ctx.principal.kind === "operator" ? operatorActor(ctx.principal.operatorId) : undefined;

export const isOwnProposal = (ctx: Context, { by }: RefundProposal): boolean => by === actorIn(ctx);

export interface FirstPerson {
  operatorId: string;
  reason: string | null;
}

/**
 * Who else proposed exactly this refund of exactly this state. A payment that changed since has another plan, and needs
 * two people again.
 */
export async function proposedByOther(ctx: Context, wanted: Wanted): Promise<FirstPerson | undefined> {
  const other = (await sameAs(ctx, wanted)).find((each) => !isOwnProposal(ctx, each));
  const operatorId = other && operatorIn(other.by);
  return operatorId ? { operatorId, reason: other.reason } : undefined;
}

/** Asked again by the same person it stays one. */
export async function proposeRefund(ctx: Context, wanted: Wanted): Promise<void> {
  if ((await sameAs(ctx, wanted)).some((each) => isOwnProposal(ctx, each))) return;
  const { chargeId, amount, plan } = wanted;
  await audit(ctx, { action: REFUND_PROPOSED, object: "charge", objectId: chargeId, after: { amount, plan } });
}

const sameAs = async (ctx: Context, { chargeId, amount, plan }: Wanted): Promise<RefundProposal[]> =>
  (await refundProposalsOf(ctx, chargeId)).filter((each) => each.plan === plan && each.amount === amount);

/** Whoever asked changed their mind: a second person can no longer agree. */
export const withdrawProposal = (ctx: Context, chargeId: string): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    const own = (await refundProposalsOf(inside, chargeId)).find((each) => isOwnProposal(inside, each));
    if (!own) return false;
    const { amount, plan } = own;
    await audit(inside, { action: REFUND_WITHDRAWN, object: "charge", objectId: chargeId, after: { amount, plan } });
    return true;
  });

/** Of the last day, the newest first; those whose plan is no longer the payment's have lost their meaning. */
export const refundProposalsOf = (ctx: Context, chargeId: string): Promise<RefundProposal[]> =>
  inTransaction(ctx, async ({ db, account }) => {
    const rows = await db
      .select({
        amount: sql<number>`(${auditLog.after}->>'amount')::bigint`.mapWith(Number),
        plan: sql<string>`${auditLog.after}->>'plan'`,
        by: auditLog.actor,
        reason: auditLog.reason,
        at: auditLog.accountAt,
      })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.clientId, account.id),
          eq(auditLog.action, REFUND_PROPOSED),
          eq(auditLog.objectId, chargeId),
          gte(auditLog.at, addSeconds(realNow(), -PROPOSAL_SECONDS)),
          notWithdrawn(sql`${auditLog}`),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id));
    return rows.map((row) => ({ ...row, chargeId }));
  });
