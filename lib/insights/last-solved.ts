import { and, desc, eq, gte } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { operatorIn } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { namesOf } from "@/lib/operators/names";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const REMEMBERED_DAYS = 90;

export interface SolvedReview {
  purchaseId: string;
  /** Who resolved it, where a person did. */
  by: string | undefined;
  at: Date;
}

/** The review that was resolved last: what an empty list has to tell. */
export async function lastSolved(ctx: Context, role: OperatorRole): Promise<SolvedReview | undefined> {
  demand(role, "payments.see");
  const since = addSeconds(realNow(), -REMEMBERED_DAYS * DAY_SECONDS);
  const [row] = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: auditLog.objectId, actor: auditLog.actor, at: auditLog.at })
      .from(auditLog)
      .where(and(eq(auditLog.clientId, account.id), gte(auditLog.at, since), eq(auditLog.action, "purchase.resolve")))
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(1),
  );
  if (!row) return undefined;
  const person = operatorIn(row.actor);
  const names = await namesOf(systemDb(), ctx.account.id, person ? [person] : []);
  return { purchaseId: row.id, by: person && names.get(person), at: row.at };
}
