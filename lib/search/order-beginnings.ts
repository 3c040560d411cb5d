import { type SQL, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { purchases } from "@/db/schema/purchases";
import { type Context, inSnapshot } from "@/lib/context";
import { beginsWith, SHORTEST_BEGINNING } from "@/lib/search/beginnings";
import { fewOr, MOST_NAMED, type Narrowed } from "@/lib/search/few-or";

const LETTER = /\p{L}/u;

/**
 * Payments whose order begins as it was typed; undefined where an order is written exactly so, which is all that is meant
 * then, and of mere numbers, which may be anything else. Given up after `patienceMs`, with SQLSTATE 57014.
 */
export async function ordersBegunWith(
  ctx: Context,
  orders: readonly string[],
  patienceMs = 0,
): Promise<Narrowed | undefined> {
  const begun = orders.filter((text) => text.length >= SHORTEST_BEGINNING && LETTER.test(text));
  if (begun.length === 0) return undefined;
  return inSnapshot(ctx, async (inside) => {
    await inside.db.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
    if (await isWritten(inside, orders)) return undefined;
    const [single, several] = [await idsOf(inside, SINGLE, begun), await idsOf(inside, SEVERAL, begun)];
    const like = (column: SQL): SQL => sql`(${sql.join(ranges(column, begun), sql` or `)})`;
    return {
      charge: fewOr(charges.id, single, like(sql`${charges.orderId}`)),
      purchase: fewOr(purchases.id, several, like(sql`${purchases.orderId}`)),
    };
  });
}

const SINGLE = sql`charges where purchase_id is null`;
const SEVERAL = sql`purchases where true`;

const ranges = (column: SQL, texts: readonly string[]): SQL[] =>
  texts.map((text) => sql`(${column} is not null and ${beginsWith(column, text)})`);

async function isWritten({ db, account: { id: client } }: Context, orders: readonly string[]): Promise<boolean> {
  const named = sql.join(
    orders.map((text) => sql`${text}`),
    sql`, `,
  );
  const [row] = await db.execute<{ written: boolean }>(sql`
    select exists (select from charges where client_id = ${client} and order_id in (${named}))
        or exists (select from purchases where client_id = ${client} and order_id in (${named})) as written`);
  return row?.written ?? false;
}

/** Each beginning walks a range of the index of its own; one more than is named. */
const idsOf = (
  { db, account: { id: client } }: Context,
  rows: SQL,
  begun: readonly string[],
): Promise<{ id: string }[]> =>
  db.execute<{ id: string }>(
    sql.join(
      ranges(sql`order_id`, begun).map(
        (range) => sql`(select id from ${rows} and client_id = ${client} and ${range} limit ${MOST_NAMED + 1})`,
      ),
      sql` union `,
    ),
  );
