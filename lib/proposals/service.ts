import { and, asc, eq, gt, inArray, isNull } from "drizzle-orm";
import { moneyProposals, type ProposalKind } from "@/db/schema/proposals";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { Right } from "@/lib/operators/permissions";
import { PROPOSAL_SECONDS, SamePerson, secondPersonAbove } from "@/lib/operators/second-person";
import { addSeconds, realNow } from "@/lib/time";

export type MoneyProposal = typeof moneyProposals.$inferSelect;

/** What both people must be allowed. */
export const PROPOSAL_RIGHTS: Readonly<Record<ProposalKind, Right>> = {
  payout_paid: "payouts.mark",
  payout_failed: "payouts.mark",
  payout_returned: "payouts.mark",
  payout_file: "payouts.mark",
  payout_return: "payouts.mark",
  break_closed: "finance.settle",
  adjustment: "finance.adjust",
};

const OBJECTS: Readonly<Record<ProposalKind, string>> = {
  payout_paid: "payment_batch",
  payout_failed: "payment_batch",
  payout_returned: "payment_batch",
  payout_file: "merchant",
  payout_return: "payout_return",
  break_closed: "settlement_break",
  adjustment: "seller",
};

export const operatorOf = ({ principal }: Context): string => {
  if (principal.kind !== "operator") throw new Error("money is decided on by people");
  return principal.operatorId;
};

export interface Wanted {
  kind: ProposalKind;
  merchantId: string;
  /** The batch, the break or the seller. */
  subjectId: string;
  details: Record<string, unknown>;
  /** In the words of who asks. */
  reason: string;
}

/** Whether nobody else of the account could approve such a thing. */
export const isDoneAtOnce = async (ctx: Context, kind: ProposalKind, merchantId: string): Promise<boolean> =>
  (await secondPersonAbove(ctx, PROPOSAL_RIGHTS[kind], 0, merchantId)) === null;

/**
 * Waits for a second person as soon as there is one who could approve; until then one is enough, and it is done at once.
 * What was asked for of the same batch or break before is replaced. The caller has checked that it could be done now.
 */
export async function propose(
  ctx: Context,
  wanted: Wanted,
  carryOut: (ctx: Context) => Promise<void>,
): Promise<"proposed" | "done"> {
  const { kind, merchantId, subjectId, details, reason } = wanted;
  if (await isDoneAtOnce(ctx, kind, merchantId)) {
    await carryOut({ ...ctx, reason });
    return "done";
  }
  const at = realNow();
  const by = operatorOf(ctx);
  if (kind !== "adjustment") {
    await ctx.db
      .update(moneyProposals)
      .set({ endedAt: at, endedBy: by, outcome: "replaced" })
      .where(and(ofAccount(ctx), eq(moneyProposals.subjectId, subjectId), isNull(moneyProposals.endedAt)));
  }
  await ctx.db.insert(moneyProposals).values({
    id: newId(),
    clientId: ctx.account.id,
    merchantId,
    kind,
    subjectId,
    details,
    reason,
    askedBy: by,
    createdAt: at,
    expiresAt: addSeconds(at, PROPOSAL_SECONDS),
  });
  const object = OBJECTS[kind];
  await audit(ctx, { action: "approval.ask", object, objectId: subjectId, after: { kind, ...details }, reason });
  return "proposed";
}

const ofAccount = (ctx: Context) => eq(moneyProposals.clientId, ctx.account.id);
const waiting = (ctx: Context) =>
  and(ofAccount(ctx), isNull(moneyProposals.endedAt), gt(moneyProposals.expiresAt, realNow()));

/** What waits for a second person, the oldest first: of some kinds, or of one batch, break or seller. */
export const openProposals = (
  ctx: Context,
  { kinds, subjectId }: { kinds?: readonly ProposalKind[]; subjectId?: string } = {},
): Promise<MoneyProposal[]> =>
  inTransaction(ctx, ({ db }) =>
    db
      .select()
      .from(moneyProposals)
      .where(
        and(
          waiting(ctx),
          kinds && inArray(moneyProposals.kind, [...kinds]),
          subjectId === undefined ? undefined : eq(moneyProposals.subjectId, subjectId),
        ),
      )
      .orderBy(asc(moneyProposals.createdAt), asc(moneyProposals.id)),
  );

/**
 * Carries it out for a second person, or sends it away for anybody who may; whoever asked may take it back so. What is
 * not possible any more is refused, and waits on. Unknown, over, of another kind or about anything else than the
 * subject, which the caller has reached: 404.
 */
export const endProposal = (
  ctx: Context,
  { id, subjectId }: { id: string; subjectId: string },
  kinds: readonly ProposalKind[],
  outcome: "approved" | "refused",
  carryOut: (ctx: Context, proposal: MoneyProposal) => Promise<void>,
): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const [found] = await inside.db
      .select()
      .from(moneyProposals)
      .where(
        and(
          waiting(inside),
          eq(moneyProposals.id, id),
          eq(moneyProposals.subjectId, subjectId),
          inArray(moneyProposals.kind, [...kinds]),
        ),
      )
      .for("update");
    if (!found) throw notFound("proposal");
    const by = operatorOf(inside);
    if (outcome === "approved" && found.askedBy === by) throw new SamePerson();
    await inside.db
      .update(moneyProposals)
      .set({ endedAt: realNow(), endedBy: by, outcome })
      .where(eq(moneyProposals.id, id));
    const { kind, details, askedBy, reason } = found;
    if (outcome === "approved") return carryOut({ ...inside, secondPerson: askedBy, reason }, found);
    await audit(inside, {
      action: "approval.refuse",
      object: OBJECTS[kind],
      objectId: subjectId,
      before: { kind, askedBy, ...details },
    });
  });
