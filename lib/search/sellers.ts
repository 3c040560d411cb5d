import { type SQL, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { folded, foldedSql } from "@/db/folded";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { SHORTEST_BEGINNING } from "@/lib/search/beginnings";
import { LONG_PATIENCE_MS, readable } from "@/lib/search/buyers";
import { anyPart, shownBegins } from "@/lib/search/masked";

const DIGITS_ONLY = /^[\d.\-/]+$/;

/**
 * Ids of sellers whose id, document, e-mail or name at a provider it is, or of whose own name it is a part; for who sees
 * people masked neither document nor e-mail, and of a person's name what they are shown. Beside row security, as for
 * buyers: the rows are read behind it.
 */
export async function sellersLike(
  { account }: Context,
  role: OperatorRole,
  typed: string,
  most: number,
  patienceMs = LONG_PATIENCE_MS,
): Promise<string[]> {
  const text = readable(typed);
  if (isUuid(text)) return [text];
  if (text.length < SHORTEST_BEGINNING) return [];
  const own = sql`s.client_id = ${account.id} and s.deleted_at is null`;
  const found = (condition: SQL) => sql`(select s.id from sellers s where ${own} and ${condition} limit ${most})`;
  const query = sql.join(conditionsOf(account.id, role, text).map(found), sql` union `);
  return systemDb().transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
    const rows = await tx.execute<{ id: string }>(query);
    return [...rows].map(({ id }) => id).slice(0, most);
  });
}

const COMPANY = foldedSql(sql`coalesce(s.business_name, '')`);
const WORDS = foldedSql(sql`s.owner_name || ' ' || coalesce(s.business_name, '')`);

function conditionsOf(clientId: string, role: OperatorRole, text: string): SQL[] {
  const lower = text.toLowerCase();
  const plain = folded(text);
  const isDocument = DIGITS_ONLY.test(text);
  const atProvider = sql`s.id in (select r.seller_id from seller_registrations r
    where r.client_id = ${clientId} and r.external_id = ${text})`;
  if (!may(role, "buyers.see")) {
    const [first = ""] = plain.split(/\s+/);
    const isShown = sql`(strpos(${COMPANY}, ${plain}) > 0 or ${shownBegins(foldedSql(sql`s.owner_name`), plain)})`;
    return [atProvider, sql`${WORDS} like ${anyPart(first)} and ${isShown}`];
  }
  if (isDocument) return [sql`s.document_number = ${text.replaceAll(/\D/g, "")}`];
  return [
    sql`s.owner_email = ${lower}`,
    sql`s.business_email = ${lower}`,
    atProvider,
    sql`${WORDS} like ${anyPart(plain)}`,
  ];
}
