import { sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { folded, foldedSql } from "@/db/folded";
import type { Context } from "@/lib/context";
import { SHORTEST_BEGINNING } from "@/lib/search/beginnings";
import { hasWords, LONG_PATIENCE_MS, readable } from "@/lib/search/buyers";

const WORDS = foldedSql(sql`coalesce(name, '') || ' ' || coalesce(description, '')`);

/** Ids of links whose name or description has the words; beside row security, as for buyers. */
export async function linksLike(
  { account }: Context,
  typed: string,
  most: number,
  patienceMs = LONG_PATIENCE_MS,
): Promise<string[]> {
  const text = folded(readable(typed));
  if (text.length < SHORTEST_BEGINNING) return [];
  return systemDb().transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
    const rows = await tx.execute<{ id: string }>(sql`
      select id from sessions where client_id = ${account.id} and has_link and ${hasWords(WORDS, text)} limit ${most}`);
    return [...rows].map(({ id }) => id);
  });
}
