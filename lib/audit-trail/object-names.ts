import { and, eq, inArray } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import { sessions } from "@/db/schema/sessions";
import type { AuditRow } from "@/lib/audit-trail/queries";
import { type Context, inTransaction } from "@/lib/context";
import { isUuid } from "@/lib/ids";

/** Names of the merchants and links that entries are about, by id. Buyers are named on their own pages alone. */
export async function namesOfObjects(
  ctx: Context,
  rows: readonly Pick<AuditRow, "object" | "objectId">[],
): Promise<Map<string, string>> {
  const idsOf = (of: string) => [
    ...new Set(rows.flatMap(({ object, objectId }) => (object === of && isUuid(objectId) ? [objectId] : []))),
  ];
  const [merchantIds, sessionIds] = [idsOf("merchant"), idsOf("session")];
  return inTransaction(ctx, async ({ db, account }) => {
    const named = [
      ...(merchantIds.length > 0
        ? await db
            .select({ id: merchants.id, name: merchants.name })
            .from(merchants)
            .where(and(eq(merchants.clientId, account.id), inArray(merchants.id, merchantIds)))
        : []),
      ...(sessionIds.length > 0
        ? await db
            .select({ id: sessions.id, name: sessions.name })
            .from(sessions)
            .where(and(eq(sessions.clientId, account.id), inArray(sessions.id, sessionIds)))
        : []),
    ];
    return new Map(named.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
  });
}
