import { type SQL, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { folded, foldedSql } from "@/db/folded";
import { hasPhone } from "@/lib/charges/phones";
import { LONGEST_SEARCH, phoneOf } from "@/lib/charges/search-terms";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { SHORTEST_BEGINNING } from "@/lib/search/beginnings";
import { anyPart, shownBegins } from "@/lib/search/masked";

export const LONG_PATIENCE_MS = 5_000;
const DIGITS_ONLY = /^[\d.\-/+() ]+$/;

/** Without the one sign that PostgreSQL takes in no text. */
export const readable = (typed: string): string => typed.replaceAll("\0", "").trim().slice(0, LONGEST_SEARCH);

/**
 * Ids of customers whose id or document it is, or whose name or e-mail it is a part of. Who sees buyers masked finds them
 * by what they are shown of a name.
 */
export async function customersLike(
  { account }: Context,
  role: OperatorRole,
  typed: string,
  most: number,
  patienceMs = LONG_PATIENCE_MS,
): Promise<string[]> {
  const text = readable(typed);
  if (isUuid(text)) return [text];
  const condition = conditionOf(role, text);
  if (!condition) return [];
  return systemDb().transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
    const rows = await tx.execute<{ id: string }>(sql`
      select id from customers where client_id = ${account.id} and deleted_at is null and ${condition} limit ${most}`);
    return [...rows].map(({ id }) => id);
  });
}

/** Undefined for what can mean nobody. */
function conditionOf(role: OperatorRole, text: string): SQL | undefined {
  const isDocument = DIGITS_ONLY.test(text);
  const meant = isDocument ? text.replaceAll(/\D/g, "") : folded(text).replaceAll(/[,;]/g, " ").trim();
  if (meant.length < SHORTEST_BEGINNING) return undefined;
  if (may(role, "buyers.see")) {
    const phone = phoneOf(text);
    const byPhone = phone ? sql` or ${hasPhone(sql`phone_number`, phone)}` : sql``;
    return isDocument ? sql`(document_number = ${meant}${byPhone})` : hasWords(WORDS, meant);
  }
  if (isDocument) return undefined;
  // The first word is a part of what the index of words knows; what is shown is asked of those it finds.
  const [first = ""] = meant.split(/\s+/);
  return sql`${WORDS} like ${anyPart(first)} and ${shownBegins(foldedSql(sql`name`), meant)}`;
}

const WORDS = foldedSql(sql`name || ' ' || email`);

/** Each of them, in any order: who says two names of somebody leaves out what is between them. */
export const hasWords = (text: SQL, words: string): SQL =>
  sql`(${sql.join(
    words.split(/\s+/).map((word) => sql`${text} like ${anyPart(word)}`),
    sql` and `,
  )})`;
