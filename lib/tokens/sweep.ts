import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { cardTokens } from "@/db/schema/customers";
import { deletePans } from "@/lib/vault/cards";

const BATCH = 500;

/** Forgets the tokens nobody used in their two hours, numbers included; answers how many, all of them when called until 0. */
export async function sweepTokens(): Promise<number> {
  const unused = await systemDb()
    .select({ id: cardTokens.id, clientId: cardTokens.clientId, vaultId: cardTokens.vaultId })
    .from(cardTokens)
    .where(and(isNull(cardTokens.usedAt), sql`${cardTokens.expiresAt} < now()`))
    .orderBy(asc(cardTokens.expiresAt))
    .limit(BATCH);
  const clients = new Map<string, typeof unused>();
  for (const token of unused) clients.set(token.clientId, [...(clients.get(token.clientId) ?? []), token]);
  for (const [clientId, tokens] of clients) {
    // The number first: a token without its record is swept again, a record without its token never.
    await deletePans(
      clientId,
      tokens.flatMap(({ vaultId }) => (vaultId ? [vaultId] : [])),
    );
    const ids = tokens.map(({ id }) => id);
    await systemDb()
      .delete(cardTokens)
      .where(and(eq(cardTokens.clientId, clientId), inArray(cardTokens.id, ids)));
  }
  return unused.length;
}
