import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { apiKeys } from "@/db/schema/accounts";
import { charges } from "@/db/schema/charges";
import { flows } from "@/db/schema/flows";
import { merchants, providers } from "@/db/schema/merchants";
import { monitors } from "@/db/schema/monitors";
import { customRoles, invitations } from "@/db/schema/operators";
import { purchases } from "@/db/schema/purchases";
import { reportDefinitions } from "@/db/schema/reports";
import { salePlans } from "@/db/schema/sale-plans";
import { sellers } from "@/db/schema/sellers";
import { sessions } from "@/db/schema/sessions";
import { subscriptions } from "@/db/schema/subscriptions";
import { vendors } from "@/db/schema/vendors";
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
  charge: { table: charges, name: sql`${charges.orderId}` },
  flow: { table: flows, name: sql`${flows.name}` },
  invitation: { table: invitations, name: sql`${invitations.email}` },
  merchant: { table: merchants, name: sql`${merchants.name}` },
  monitor: { table: monitors, name: sql`${monitors.name}` },
  provider: { table: providers, name: sql`${providers.name}` },
  purchase: { table: purchases, name: sql`${purchases.orderId}` },
  report_definition: { table: reportDefinitions, name: sql`${reportDefinitions.name}` },
  role: { table: customRoles, name: sql`${customRoles.name}` },
  sale_plan: { table: salePlans, name: sql`${salePlans.name}` },
  secret_key: { table: apiKeys, name: sql`coalesce(${apiKeys.name}, ${apiKeys.hint})` },
  session: { table: sessions, name: sql`${sessions.name}` },
  seller: { table: sellers, name: sql`coalesce(${sellers.businessName}, ${sellers.ownerName})` },
  subscription: { table: subscriptions, name: sql`${subscriptions.name}` },
  vendor: { table: vendors, name: sql`${vendors.name}` },
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
