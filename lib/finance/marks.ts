import { systemDb } from "@/db/client";
import type { Context } from "@/lib/context";
import { namesOf } from "@/lib/operators/names";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { type MarkHow, markableOf, markOf, type TransferMark } from "@/lib/payouts/marking";
import { isDoneAtOnce, operatorOf } from "@/lib/proposals/service";

export interface MarkView {
  marks: readonly MarkHow[];
  /** Nobody else could approve it: it is done at once. */
  isAlone: boolean;
  /** What a colleague says of it, not approved yet. */
  waiting: { id: string; who: string | undefined; reason: string; isOwn: boolean; mark: TransferMark } | undefined;
}

/** What this person may say of how a batch's transfer ended. */
export async function markView(ctx: Context, role: OperatorRole, batchId: string): Promise<MarkView> {
  if (!may(role, "payouts.mark")) return { marks: [], isAlone: false, waiting: undefined };
  const { marks, merchantId, waiting } = await markableOf(ctx, batchId);
  const isAlone = marks.length > 0 && (await isDoneAtOnce(ctx, "payout_paid", merchantId));
  if (!waiting) return { marks, isAlone, waiting: undefined };
  const { id, askedBy, reason } = waiting;
  const names = await namesOf(systemDb(), ctx.account.id, [askedBy]);
  return {
    marks,
    isAlone,
    waiting: { id, who: names.get(askedBy), reason, isOwn: askedBy === operatorOf(ctx), mark: markOf(waiting) },
  };
}
