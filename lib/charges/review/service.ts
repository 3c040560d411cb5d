import { and, desc, eq, gte, sql } from "drizzle-orm";
import { z } from "zod";
import { auditLog } from "@/db/schema/accounts";
import { audit, operatorIn } from "@/lib/audit";
import { applyReconciliation } from "@/lib/charges/engine/apply";
import { withChargeLease } from "@/lib/charges/engine/with-lease";
import { oneAtATime } from "@/lib/charges/given-back";
import { type Charge, getCharge } from "@/lib/charges/queries";
import {
  attemptInQuestion,
  type CallInQuestion,
  callInQuestion,
  type ProviderTruth,
  SettlesNothing,
  type Statement,
  settleByWord,
  TRUTHS,
  wentBack,
} from "@/lib/charges/review/statement";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { notEnded, PROPOSAL_SECONDS, secondPersonAbove } from "@/lib/operators/second-person";
import { addSeconds, realNow } from "@/lib/time";

const RESOLVED = "charge.resolve";
const PROPOSED = "charge.resolve.propose";
const WITHDRAWN = "charge.resolve.withdraw";

/**
 * What a person may say of a charge whose outcome nobody knows; nothing of what a provider contradicts. Where the provider
 * did another thing than was asked, or refused for good, a person mends it there and says what it has come to.
 */
export function truthsOfCharge(charge: Charge): readonly ProviderTruth[] {
  const { row } = charge;
  const attempt = attemptInQuestion(charge);
  if (row.purchaseId !== null || row.reviewReason === null || !attempt) return [];
  const call = callInQuestion(charge, attempt);
  if (!call) return [];
  switch (attempt.state) {
    case "sent":
    case "undetermined":
      return call === "authorize" && row.capture ? ["captured", "absent", "refunded"] : UNKNOWN[call];
    case "mismatch":
      return MENDED[call];
    case "declined":
      return call === "void" ? MENDED.void : [];
    default:
      return [];
  }
}

const UNKNOWN: Record<CallInQuestion, readonly ProviderTruth[]> = {
  authorize: ["held", "absent"],
  capture: ["captured", "held"],
  void: ["absent", "held"],
  refund: ["refunded", "captured"],
  offer: ["absent"],
  close: ["absent"],
};
const MENDED: Record<CallInQuestion, readonly ProviderTruth[]> = {
  authorize: ["absent"],
  capture: ["captured", "refunded"],
  void: ["absent"],
  refund: ["refunded"],
  offer: ["absent"],
  close: [],
};

/** What a decision was made from: when it is another at the press of the button, nothing is done. */
export const reviewPlan = (charge: Charge): string => {
  const attempt = attemptInQuestion(charge);
  const { status, reviewReason, reviewSince } = charge.row;
  return [status, reviewReason, reviewSince?.toISOString(), attempt?.id, attempt?.state].join(" ");
};

export interface AskedVerdict extends Statement {
  plan: string;
  reason: string;
}

export interface VerdictProposal extends z.infer<typeof written> {
  operatorId: string;
  reason: string | null;
  isOwn: boolean;
  at: Date;
}

/** As the audit log keeps it. */
const written = z.object({ plan: z.string(), truth: z.enum(TRUTHS), providerTransactionId: z.string().optional() });

/** What people proposed of this very review in the last day, the newest first. */
export const verdictsProposed = (ctx: Context, charge: Charge): Promise<VerdictProposal[]> =>
  inTransaction(ctx, async ({ db, account, principal }) => {
    const rows = await db
      .select({ by: auditLog.actor, after: auditLog.after, reason: auditLog.reason, at: auditLog.accountAt })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.clientId, account.id),
          eq(auditLog.action, PROPOSED),
          eq(auditLog.objectId, charge.row.id),
          gte(auditLog.at, addSeconds(realNow(), -PROPOSAL_SECONDS)),
          notEnded(sql`${auditLog}`),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id));
    const own = principal.kind === "operator" ? principal.operatorId : undefined;
    const plan = reviewPlan(charge);
    return rows.flatMap(({ by, after, reason, at }) => {
      const operatorId = operatorIn(by);
      const said = written.parse(after);
      if (operatorId === undefined || said.plan !== plan) return [];
      return [{ ...said, operatorId, reason, isOwn: operatorId === own, at }];
    });
  });

/** Whoever proposed it changed their mind: nobody can agree any more. */
export const withdrawVerdict = (ctx: Context, chargeId: string): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    await oneAtATime(inside, chargeId);
    const charge = await getCharge(inside, chargeId);
    const own = (await verdictsProposed(inside, charge)).filter(({ isOwn }) => isOwn);
    for (const { plan, truth } of own)
      await audit(inside, {
        action: WITHDRAWN,
        object: "charge",
        objectId: chargeId,
        after: { plan, truth, amount: charge.row.originalAmount },
      });
    return own.length > 0;
  });

/** Cents above which two people say it; null while there is no second one. */
export const verdictAloneUpTo = (ctx: Context, { row }: Charge): Promise<number | null> =>
  secondPersonAbove(ctx, "reviews.resolve", "reviews", row.merchantId);

/** The provider is asked once more by `look`: where it knows by now, its word stands and nobody's is written. */
export async function resolveCharge(
  ctx: Context,
  chargeId: string,
  asked: AskedVerdict,
  look: (ctx: Context, chargeId: string) => Promise<unknown>,
): Promise<"done" | "proposed" | "answered"> {
  const { plan, truth, providerTransactionId, reason } = asked;
  const reasoned = { ...ctx, reason };
  const before = await inTransaction(ctx, (inside) => getCharge(inside, chargeId));
  refuseUnlessSo(before, asked);
  await look(ctx, chargeId);
  return withChargeLease(reasoned, chargeId, async (charge) => {
    if (reviewPlan(charge) !== plan) return "answered" as const;
    refuseUnlessSo(charge, asked);
    const attempt = attemptInQuestion(charge);
    if (!attempt) throw changed();
    return inTransaction(reasoned, async (inside) => {
      await oneAtATime(inside, chargeId);
      const amount = charge.row.originalAmount;
      const said = { plan, truth, ...(providerTransactionId ? { providerTransactionId } : {}) };
      const proposed = (await verdictsProposed(inside, charge)).filter(
        (each) => each.truth === truth && each.providerTransactionId === providerTransactionId,
      );
      const first = proposed.find(({ isOwn }) => !isOwn);
      const alone = await verdictAloneUpTo(inside, charge);
      if (alone !== null && amount > alone && !first) {
        const entry = { action: PROPOSED, object: "charge", objectId: chargeId, after: { ...said, amount } };
        if (proposed.length === 0) await audit(inside, entry);
        return "proposed" as const;
      }
      const by = first ? { ...inside, secondPerson: first.operatorId } : inside;
      const { reviewReason, reviewSince } = charge.row;
      await audit(by, {
        action: RESOLVED,
        object: "charge",
        objectId: chargeId,
        before: { reason: reviewReason, since: reviewSince?.toISOString() ?? null },
        after: { ...said, amount },
      });
      const call = callInQuestion(charge, attempt);
      // Money given back was taken before: two rows, two journals.
      const isTakenFirst = truth === "refunded" && call !== "refund";
      const told: Statement = { truth: isTakenFirst ? "captured" : truth, providerTransactionId };
      const after = await settleByWord(by, charge, attempt, told).catch((thrown: unknown) => {
        throw thrown instanceof SettlesNothing ? changed() : thrown;
      });
      if (isTakenFirst) await applyReconciliation(by, after, wentBack(after, asked, now(by)));
      return "done" as const;
    });
  });
}

const changed = (): DomainError =>
  new DomainError("invalid_status_transition", "the payment is no longer what was decided on");

function refuseUnlessSo(charge: Charge, { plan, truth, providerTransactionId }: AskedVerdict): void {
  if (reviewPlan(charge) !== plan || !truthsOfCharge(charge).includes(truth)) throw changed();
  if (truth !== "absent" && !providerTransactionId)
    throw new DomainError("invalid_status_transition", "the provider's id is needed");
}
