import { and, desc, eq, gte, sql } from "drizzle-orm";
import { auditLog } from "@/db/schema/accounts";
import { audit, operatorIn } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import { addSeconds, realNow } from "@/lib/time";

export const REFUND_PROPOSED = "charge.refund.propose";

interface Wanted {
  chargeId: string;
  amount: number;
  plan: string;
}

export interface Proposal {
  chargeId: string;
  amount: number;
  plan: string;
  /** `operator:…` */
  by: string;
  at: Date;
}

/**
 * Who else proposed exactly this refund of exactly this state; if nobody did, this person has now. A payment that
 * changed since has another plan, and needs two people again.
 */
export async function agreeOn(ctx: Context, { chargeId, amount, plan }: Wanted): Promise<string | undefined> {
  const own = ctx.principal.kind === "operator" ? `operator:${ctx.principal.operatorId}` : "";
  const known = (await proposalsOf(ctx, chargeId)).filter((each) => each.plan === plan && each.amount === amount);
  const other = own === "" ? undefined : known.find(({ by }) => by !== own);
  if (other) return operatorIn(other.by);
  if (!known.some(({ by }) => by === own)) {
    await audit(ctx, { action: REFUND_PROPOSED, object: "charge", objectId: chargeId, after: { amount, plan } });
  }
  return undefined;
}

/** Of the last day, the newest first; those whose plan is no longer the payment's have lost their meaning. */
export const proposalsOf = (ctx: Context, chargeId: string): Promise<Proposal[]> =>
  inTransaction(ctx, async ({ db, account }) => {
    const rows = await db
      .select({
        amount: sql<number>`(${auditLog.after}->>'amount')::bigint`.mapWith(Number),
        plan: sql<string>`${auditLog.after}->>'plan'`,
        by: auditLog.actor,
        at: auditLog.accountAt,
      })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.clientId, account.id),
          eq(auditLog.action, REFUND_PROPOSED),
          eq(auditLog.objectId, chargeId),
          gte(auditLog.at, addSeconds(realNow(), -PROPOSAL_SECONDS)),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id));
    return rows.map((row) => ({ ...row, chargeId }));
  });
