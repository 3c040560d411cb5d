import { and, asc, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { cards, customers } from "@/db/schema/customers";
import { type Context, inSnapshot } from "@/lib/context";
import { type CustomerRow, findCustomer } from "@/lib/customers/queries";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { type Buyer, shownBuyer } from "@/lib/operators/buyers";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

export const CUSTOMERS_PER_PAGE = 25;
const MOST_CARDS = 50;

export interface CustomerPage {
  items: (Buyer & { createdAt: Date })[];
  previous: string | undefined;
  next: string | undefined;
}

/** By id, e-mail or document, as a person writes them; all of them when nothing is asked. */
export async function listCustomersForOperator(
  ctx: Context,
  role: OperatorRole,
  {
    ids,
    after,
    before,
  }: { ids?: readonly string[] | undefined; after?: string | undefined; before?: string | undefined },
): Promise<CustomerPage> {
  demand(role, "payments.see");
  const direction = before === undefined ? desc : asc;
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select()
      .from(customers)
      .where(
        and(
          eq(customers.clientId, account.id),
          isNull(customers.deletedAt),
          ids && (ids.length > 0 ? or(...ids.map((id) => eq(customers.id, id))) : sql`false`),
          beyond(before ?? after, before !== undefined),
        ),
      )
      .orderBy(direction(customers.createdAt), direction(customers.id))
      .limit(CUSTOMERS_PER_PAGE + 1),
  );
  const isMore = rows.length > CUSTOMERS_PER_PAGE;
  const shown = rows.slice(0, CUSTOMERS_PER_PAGE);
  if (before !== undefined) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    items: shown.flatMap((row) => {
      const buyer = shownBuyer(role, row);
      return buyer ? [{ ...buyer, createdAt: row.createdAt }] : [];
    }),
    previous: first && (before === undefined ? after !== undefined : isMore) ? positionOf(first) : undefined,
    next: last && (before !== undefined || isMore) ? positionOf(last) : undefined,
  };
}

export interface CustomerFigures {
  cards: number;
  /** Payments that took money; one on several cards is one. */
  payments: number;
  /** Of those in reais: taken, less what went back. */
  total: number;
  /** They have more payments than are read: what is counted is not all. */
  isMore: boolean;
}

/** More than anybody pays one shop; whoever does is not summed up on a list. */
const MOST_SUMMED = 1_000;

/** What each of these customers has and paid; a charge is theirs as its buyer, as its source, or by their card. */
export async function customerFiguresOf(
  ctx: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CustomerFigures>> {
  if (ids.length === 0) return new Map();
  return inSnapshot(ctx, (inside) => customerFiguresWithin(inside, ids));
}

/** In the caller's snapshot. */
export async function customerFiguresWithin(
  ctx: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CustomerFigures>> {
  const rows = await ctx.db.execute<{ id: string; cards: number; read: number; payments: number; total: string }>(sql`
      select u.id, (select count(*)::int from cards k where k.customer_id = u.id and k.deleted_at is null) as cards, p.*
        from unnest(${`{${ids.join(",")}}`}::uuid[]) u(id)
       cross join lateral (
         select count(*)::int as read,
                (count(distinct x.payment) filter (where x.captured_amount > 0))::int as payments,
                coalesce(sum(x.captured_amount - x.refunded_amount - x.charged_back_amount)
                  filter (where x.currency = 'BRL'), 0)::text as total
           from (${chargesOfCustomer(ctx, sql`u.id`)}) x) p`);
  return new Map(
    rows.map(({ id, cards: held, read, payments, total }) => [
      id,
      { cards: held, payments, total: Number(total), isMore: read > MOST_SUMMED },
    ]),
  );
}

/** Its charges, as many as are summed up and one more of each way to be its own. */
export function chargesOfCustomer({ account }: Context, customer: SQL): SQL {
  const columns = sql.raw(`c.id, coalesce(c.purchase_id, c.id) as payment, c.captured_amount, c.refunded_amount,
    c.charged_back_amount, c.currency, c.created_at`);
  return sql`
    (select ${columns} from charges c where c.client_id = ${account.id} and c.customer_id = ${customer}
      limit ${MOST_SUMMED + 1})
    union
    (select ${columns} from charges c where c.client_id = ${account.id} and c.source_customer_id = ${customer}
      limit ${MOST_SUMMED + 1})
    union
    (select ${columns} from cards k join charges c on c.card_id = k.id
      where c.client_id = ${account.id} and k.customer_id = ${customer} limit ${MOST_SUMMED + 1})`;
}

const positionOf = (row: { createdAt: Date; id: string }): string => `${row.createdAt.toISOString()}_${row.id}`;

function beyond(position: string | undefined, isBackward: boolean): SQL | undefined {
  const [at = "", id = ""] = position?.split("_") ?? [];
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime()) || !isUuid(id)) return undefined;
  const there = sql`(${moment.toISOString()}::timestamptz, ${id}::uuid)`;
  const row = sql`(${customers.createdAt}, ${customers.id})`;
  return isBackward ? sql`${row} > ${there}` : sql`${row} < ${there}`;
}

export type ShownCard = Pick<
  typeof cards.$inferSelect,
  "id" | "brand" | "last4digits" | "expirationMonth" | "expirationYear" | "status" | "createdAt"
>;

export interface CustomerOverview {
  row: CustomerRow;
  buyer: Buyer;
  cards: ShownCard[];
}

export async function customerOverview(ctx: Context, role: OperatorRole, id: string): Promise<CustomerOverview> {
  demand(role, "payments.see");
  if (!isUuid(id)) throw notFound("customer");
  return inSnapshot(ctx, async (inside) => {
    const row = await findCustomer(inside, id);
    const buyer = row && shownBuyer(role, row);
    if (!row || !buyer) throw notFound("customer");
    const { brand, last4digits, expirationMonth, expirationYear, status, createdAt } = cards;
    const theirs = await inside.db
      .select({ id: cards.id, brand, last4digits, expirationMonth, expirationYear, status, createdAt })
      .from(cards)
      .where(and(eq(cards.customerId, id), isNull(cards.deletedAt)))
      .orderBy(desc(cards.linkedAt))
      .limit(MOST_CARDS);
    return { row, buyer, cards: theirs };
  });
}
