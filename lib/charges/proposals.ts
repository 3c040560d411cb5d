import { and, desc, eq, gte, inArray, sql } from "drizzle-orm";
import { auditLog } from "@/db/schema/accounts";
import { audit, operatorActor, operatorIn } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { notWithdrawn, PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import { addSeconds, realNow } from "@/lib/time";

/** What moves so much money that two people decide it, as the audit log calls its first half. */
export const PROPOSED = { refund: "charge.refund.propose", hand_back: "charge.hand_back.propose" } as const;
const WITHDRAWN = { refund: "charge.refund.withdraw", hand_back: "charge.hand_back.withdraw" } as const;
const REFUSED = { refund: "charge.refund.refuse", hand_back: "charge.hand_back.refuse" } as const;
export type ProposedAction = keyof typeof PROPOSED;

interface Wanted {
  action: ProposedAction;
  chargeId: string;
  amount: number;
  plan: string;
}

export interface PaymentProposal extends Wanted {
  /** `operator:…` */
  by: string;
  /** In the words of who asked. */
  reason: string | null;
  at: Date;
}

const actorIn = (ctx: Context): string | undefined =>
  ctx.principal.kind === "operator" ? operatorActor(ctx.principal.operatorId) : undefined;

export const isOwnProposal = (ctx: Context, { by }: PaymentProposal): boolean => by === actorIn(ctx);

export interface FirstPerson {
  operatorId: string;
  reason: string | null;
}

/**
 * Who else proposed exactly this of exactly this state. A payment that changed since has another plan, and needs
 * two people again.
 */
export async function proposedByOther(ctx: Context, wanted: Wanted): Promise<FirstPerson | undefined> {
  const other = (await sameAs(ctx, wanted)).find((each) => !isOwnProposal(ctx, each));
  const operatorId = other && operatorIn(other.by);
  return operatorId ? { operatorId, reason: other.reason } : undefined;
}

/** Asked again by the same person it stays one. */
export async function proposeChange(ctx: Context, wanted: Wanted): Promise<void> {
  if ((await sameAs(ctx, wanted)).some((each) => isOwnProposal(ctx, each))) return;
  const { action, chargeId, amount, plan } = wanted;
  await audit(ctx, { action: PROPOSED[action], object: "charge", objectId: chargeId, after: { amount, plan } });
}

const sameAs = async (ctx: Context, { action, chargeId, amount, plan }: Wanted): Promise<PaymentProposal[]> =>
  (await proposalsOf(ctx, chargeId)).filter(
    (each) => each.action === action && each.plan === plan && each.amount === amount,
  );

/** Whoever asked changed their mind: a second person can no longer agree. */
export const withdrawProposal = (ctx: Context, chargeId: string, action: ProposedAction): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    const own = (await proposalsOf(inside, chargeId)).find(
      (each) => each.action === action && isOwnProposal(inside, each),
    );
    if (!own) return false;
    const { amount, plan } = own;
    await audit(inside, { action: WITHDRAWN[action], object: "charge", objectId: chargeId, after: { amount, plan } });
    return true;
  });

/** A second person sends away what others asked for; whoever would take back their own withdraws it. */
export const refuseProposals = (ctx: Context, chargeId: string, action: ProposedAction): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    const others = (await proposalsOf(inside, chargeId)).filter(
      (each) => each.action === action && !isOwnProposal(inside, each),
    );
    for (const { amount, plan, by } of others)
      await audit(inside, {
        action: REFUSED[action],
        object: "charge",
        objectId: chargeId,
        after: { amount, plan, by },
      });
    return others.length > 0;
  });

/** Of the last day, the newest first; those whose plan is no longer the payment's have lost their meaning. */
export const proposalsOf = (ctx: Context, chargeId: string): Promise<PaymentProposal[]> =>
  inTransaction(ctx, async ({ db, account }) => {
    const rows = await db
      .select({
        did: auditLog.action,
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
          inArray(auditLog.action, Object.values(PROPOSED)),
          eq(auditLog.objectId, chargeId),
          gte(auditLog.at, addSeconds(realNow(), -PROPOSAL_SECONDS)),
          notWithdrawn(sql`${auditLog}`),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id));
    return rows.map(({ did, ...row }) => ({
      ...row,
      chargeId,
      action: did === PROPOSED.refund ? "refund" : "hand_back",
    }));
  });
