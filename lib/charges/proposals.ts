import { and, desc, eq, gte, inArray, sql } from "drizzle-orm";
import { auditLog } from "@/db/schema/accounts";
import { audit, operatorActor, operatorIn } from "@/lib/audit";
import { oneAtATime } from "@/lib/charges/given-back";
import { planOf, refundable } from "@/lib/charges/operator-actions";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { notEnded, PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import { addSeconds, realNow } from "@/lib/time";

/** What moves so much money that two people decide it, as the audit log calls its first half. */
export const PROPOSED = { refund: "charge.refund.propose", hand_back: "charge.hand_back.propose" } as const;
const WITHDRAWN = { refund: "charge.refund.withdraw", hand_back: "charge.hand_back.withdraw" } as const;
const APPROVED = { refund: "charge.refund.approve", hand_back: "charge.hand_back.approve" } as const;
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

/** It can still be done: of a refund the money is there, of a payment kept apart it is the same one. */
export const stands = ({ action, amount, plan }: PaymentProposal, charge: Charge): boolean =>
  action === "refund"
    ? charge.row.status === "authorized" && amount <= refundable(charge.row)
    : planOf(action, charge) === plan;

/** Who else proposed exactly this, and it can still be done. */
export async function proposedByOther(ctx: Context, charge: Charge, wanted: Wanted): Promise<FirstPerson | undefined> {
  const other = (await sameAs(ctx, charge, wanted)).find((each) => !isOwnProposal(ctx, each));
  const operatorId = other && operatorIn(other.by);
  return operatorId ? { operatorId, reason: other.reason } : undefined;
}

/** Asked again by the same person it stays one. */
export async function proposeChange(ctx: Context, charge: Charge, wanted: Wanted): Promise<void> {
  if ((await sameAs(ctx, charge, wanted)).some((each) => isOwnProposal(ctx, each))) return;
  const { action, chargeId, amount, plan } = wanted;
  await audit(ctx, { action: PROPOSED[action], object: "charge", objectId: chargeId, after: { amount, plan } });
}

const sameAs = async (ctx: Context, charge: Charge, { action, amount }: Wanted): Promise<PaymentProposal[]> =>
  (await proposalsOf(ctx, charge.row.id)).filter(
    (each) => each.action === action && each.amount === amount && stands(each, charge),
  );

/** In the transaction that does it: what was asked for waits no longer. */
export const approveProposal = (
  ctx: Context,
  { action, chargeId, amount, plan }: Wanted,
  { operatorId }: FirstPerson,
): Promise<void> =>
  audit(ctx, {
    action: APPROVED[action],
    object: "charge",
    objectId: chargeId,
    after: { amount, plan, by: operatorActor(operatorId) },
  });

interface Ended {
  chargeId: string;
  action: ProposedAction;
  /** Absent: whatever was asked for. */
  amount?: number | undefined;
}

/** Whoever asked changed their mind: a second person can no longer agree. */
export const withdrawProposal = (ctx: Context, ended: Ended): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    const own = await endable(inside, ended, true);
    for (const { amount, plan } of own)
      await audit(inside, {
        action: WITHDRAWN[ended.action],
        object: "charge",
        objectId: ended.chargeId,
        after: { amount, plan },
      });
    return own.length > 0;
  });

/** A second person sends away what others asked for; whoever would take back their own withdraws it. */
export const refuseProposals = (ctx: Context, ended: Ended): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    const others = await endable(inside, ended, false);
    for (const { amount, plan, by } of others)
      await audit(inside, {
        action: REFUSED[ended.action],
        object: "charge",
        objectId: ended.chargeId,
        after: { amount, plan, by },
      });
    return others.length > 0;
  });

async function endable(ctx: Context, { chargeId, action, amount }: Ended, isOwn: boolean): Promise<PaymentProposal[]> {
  await oneAtATime(ctx, chargeId);
  return (await proposalsOf(ctx, chargeId)).filter(
    (each) =>
      each.action === action && isOwnProposal(ctx, each) === isOwn && (amount === undefined || each.amount === amount),
  );
}

/** Of the last day, the newest first; see `stands`. */
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
          notEnded(sql`${auditLog}`),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id));
    return rows.map(({ did, ...row }) => ({
      ...row,
      chargeId,
      action: did === PROPOSED.refund ? "refund" : "hand_back",
    }));
  });
