import { type SQL, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { folded, foldedSql } from "@/db/folded";
import { charges } from "@/db/schema/charges";
import { cards } from "@/db/schema/customers";
import { purchasePayments, purchases } from "@/db/schema/purchases";
import type { Named } from "@/lib/charges/meant";
import type { Context } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { beginsWith, SHORTEST_BEGINNING } from "@/lib/search/beginnings";
import { LONG_PATIENCE_MS, readable } from "@/lib/search/buyers";
import { MOST_NAMED } from "@/lib/search/few-or";
import { shownBegins } from "@/lib/search/masked";

/** Of charges, and of purchases. */
export type Held = Readonly<Record<"charge" | "purchase", Named>>;

/**
 * Payments of which only the name on a card is known, when it begins as it was typed and each further word begins one of
 * its words. For who sees names masked, a name is what they are shown of it: of an order on several cards, the first.
 */
export async function heldBy(
  ctx: Context,
  role: OperatorRole,
  typed: string,
  patienceMs = LONG_PATIENCE_MS,
): Promise<Held | undefined> {
  const text = folded(readable(typed));
  if (text.length < SHORTEST_BEGINNING) return undefined;
  const isWhole = may(role, "buyers.see");
  const named = (name: SQL): SQL => begins(name, text, isWhole);
  const [single, several] = await idsHeld(ctx, named(foldedSql(sql`k.card_holder_name`)), isWhole, patienceMs);
  return {
    charge: fewAnd(
      single,
      sql`${charges.customerId} is null and ${charges.sourceCustomerId} is null and exists (
        select from ${cards} k where k.id = ${charges.cardId} and k.customer_id is null
           and ${named(foldedSql(sql`k.card_holder_name`))} offset 0)`,
    ),
    purchase: fewAnd(
      several,
      sql`${purchases.customerId} is null and exists (
        select from ${purchasePayments} s where s.purchase_id = ${purchases.id} and ${shownSlot(isWhole)}
           and ${named(foldedSql(sql`s.card ->> 'cardHolderName'`))} offset 0)`,
    ),
  };
}

/** Of more than are named, the others are met while walking the list. */
const fewAnd = (ids: readonly string[], common: SQL): Named =>
  ids.length > MOST_NAMED ? { ids: [], common } : { ids, common: undefined };

const shownSlot = (isWhole: boolean): SQL => (isWhole ? sql`true` : sql`s.slot_index = 0`);

function begins(name: SQL, typed: string, isWhole: boolean): SQL {
  const [first = "", ...others] = typed.split(/\s+/);
  const range = beginsWith(name, first);
  if (!isWhole) return sql`(${range} and ${shownBegins(name, typed)})`;
  return sql`(${sql.join([range, ...others.map((word) => sql`strpos(${name}, ${` ${word}`}) > 0`)], sql` and `)})`;
}

/** Beside row security, by the account's own key of the index of names; the rows are read behind it. */
const idsHeld = (ctx: Context, named: SQL, isWhole: boolean, patienceMs: number): Promise<[string[], string[]]> =>
  systemDb().transaction(async (db) => {
    await db.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
    const held = sql`
      from ${cards} k join ${charges} c on c.card_id = k.id
     where k.client_id = ${ctx.account.id} and k.customer_id is null and ${named}`;
    const single = await db.execute<{ id: string }>(sql`
      select c.id ${held} and c.customer_id is null and c.source_customer_id is null and c.purchase_id is null
       limit ${MOST_NAMED + 1}`);
    const several = await db.execute<{ id: string }>(sql`
      select s.purchase_id as id from ${purchasePayments} s join ${purchases} p on p.id = s.purchase_id
       where p.client_id = ${ctx.account.id} and p.customer_id is null and ${shownSlot(isWhole)}
         and s.charge_id in (select c.id ${held} and c.purchase_id is not null limit ${MOST_NAMED + 1})
       limit ${MOST_NAMED + 1}`);
    return [single.map(({ id }) => id), [...new Set(several.map(({ id }) => id))]];
  });
