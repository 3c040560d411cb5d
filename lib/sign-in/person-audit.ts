import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { memberships } from "@/db/schema/operators";
import { type Audited, audit } from "@/lib/audit";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";

/** Who did something to themselves, and from where. */
export interface Doer {
  operatorId: string;
  address: string | null;
  requestId?: string;
}

/** What a person does to their own access is known to every account that lets them in; in the caller's transaction. */
export async function auditPerson(
  db: Database,
  doer: Doer,
  entry: Pick<Audited, "action" | "before" | "after">,
): Promise<void> {
  const accounts = await db
    .select({
      id: clients.id,
      mode: clients.mode,
      offsetSeconds: clients.clockOffsetSeconds,
      frozenAt: clients.clockFrozenAt,
      autoSettleSeconds: clients.autoSettleSeconds,
    })
    .from(memberships)
    .innerJoin(clients, eq(clients.id, memberships.clientId))
    .where(and(eq(memberships.operatorId, doer.operatorId), isNull(memberships.endedAt)));
  for (const { offsetSeconds, frozenAt, ...account } of accounts) {
    const context = systemContext({ ...account, clock: { offsetSeconds, frozenAt } }, doer.requestId ?? newId());
    await audit(
      {
        ...context,
        principal: { kind: "operator", operatorId: doer.operatorId },
        db,
        isInTransaction: true,
        ...(doer.address ? { ip: doer.address } : {}),
      },
      { ...entry, object: "operator", objectId: doer.operatorId },
    );
  }
}
