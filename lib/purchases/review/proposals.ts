import { and, desc, eq, gte, sql } from "drizzle-orm";
import { z } from "zod";
import { auditLog } from "@/db/schema/accounts";
import { operatorIn } from "@/lib/audit";
import { TRUTHS } from "@/lib/charges/review/statement";
import { type Context, inTransaction } from "@/lib/context";
import { notEnded, PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import { FOLLOW_UPS } from "@/lib/purchases/review/choices";
import { addSeconds, realNow } from "@/lib/time";

export const RESOLUTION_PROPOSED = "purchase.resolve.propose";

/** As the audit log keeps it. */
const written = z.object({
  plan: z.string(),
  slots: z.array(z.object({ slotIndex: z.int(), truth: z.enum(TRUTHS), providerTransactionId: z.string().optional() })),
  followUp: z.enum(FOLLOW_UPS),
});

export interface ResolutionProposal extends z.infer<typeof written> {
  operatorId: string;
  /** Nobody agrees with themselves: spec/invariants.md A2. */
  isOwn: boolean;
  at: Date;
}

/** What people proposed for this review in the last day, the newest first. */
export const resolutionProposalsOf = (ctx: Context, purchaseId: string): Promise<ResolutionProposal[]> =>
  inTransaction(ctx, async ({ db, account, principal }) => {
    const rows = await db
      .select({ by: auditLog.actor, after: auditLog.after, at: auditLog.accountAt })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.clientId, account.id),
          gte(auditLog.at, addSeconds(realNow(), -PROPOSAL_SECONDS)),
          eq(auditLog.action, RESOLUTION_PROPOSED),
          eq(auditLog.objectId, purchaseId),
          notEnded(sql`${auditLog}`),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id));
    const own = principal.kind === "operator" ? principal.operatorId : undefined;
    return rows.flatMap(({ by, after, at }) => {
      const operatorId = operatorIn(by);
      if (operatorId === undefined || own === undefined) return [];
      return [{ ...written.parse(after), operatorId, isOwn: operatorId === own, at }];
    });
  });
