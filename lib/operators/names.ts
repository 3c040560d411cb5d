import { and, asc, eq, inArray } from "drizzle-orm";
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

/** Everybody who works in the account or did. */
export function peopleOf(db: Database, clientId: string): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: operators.id, name: operators.name })
    .from(operators)
    .innerJoin(memberships, and(eq(memberships.operatorId, operators.id), eq(memberships.clientId, clientId)))
    .orderBy(asc(operators.name), asc(operators.id));
}
