import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { merchants } from "@/db/schema/merchants";
import { sellers } from "@/db/schema/sellers";
import { sessions } from "@/db/schema/sessions";
import { webhooks } from "@/db/schema/webhooks";
import type { AuditRow } from "@/lib/audit-trail/queries";
import { type Context, inTransaction } from "@/lib/context";
import { isUuid } from "@/lib/ids";

interface Named {
  table: PgTable & { id: AnyPgColumn; clientId: AnyPgColumn };
  name: SQL<string | null>;
}

/** What people call each kind. Buyers are named on their own pages alone. */
const NAMED: Readonly<Record<string, Named>> = {
  merchant: { table: merchants, name: sql`${merchants.name}` },
  session: { table: sessions, name: sql`${sessions.name}` },
  seller: { table: sellers, name: sql`coalesce(${sellers.businessName}, ${sellers.ownerName})` },
  webhook: { table: webhooks, name: sql`${webhooks.endpoint}` },
};

/** Names of what entries are about, by id. */
export async function namesOfObjects(
  ctx: Context,
  rows: readonly Pick<AuditRow, "object" | "objectId">[],
): Promise<Map<string, string>> {
  return inTransaction(ctx, async ({ db, account }) => {
    const names = new Map<string, string>();
    for (const [object, { table, name }] of Object.entries(NAMED)) {
      const ids = new Set(rows.filter((row) => row.object === object).map(({ objectId }) => objectId));
      const known = [...ids].filter(isUuid);
      if (known.length === 0) continue;
      const found = await db
        .select({ id: sql<string>`${table.id}`, name })
        .from(table)
        .where(and(eq(table.clientId, account.id), inArray(table.id, known)));
      for (const row of found) if (row.name) names.set(row.id, row.name);
    }
    return names;
  });
}
