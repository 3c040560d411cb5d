import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "@/db/client";
import { memberships, operators } from "@/db/schema/operators";

/** Names of an account's people, for pages that say who did something; `db` is systemDb(). */
export async function namesOf(db: Database, clientId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: operators.id, name: operators.name })
    .from(operators)
    .innerJoin(memberships, and(eq(memberships.operatorId, operators.id), eq(memberships.clientId, clientId)))
    .where(inArray(operators.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
