import { and, asc, desc, eq, isNull, ne, or, type SQL, sql } from "drizzle-orm";
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

/**
 * By id, e-mail or document, as a person writes them; all of them when nothing is asked. Each payment with its buyer's
 * data makes a customer (spec/contract.md 8.3), so that one person has several: of one document the newest stands for all,
 * or the newest with a card where one is to be charged.
 */
export async function listCustomersForOperator(
  ctx: Context,
  role: OperatorRole,
  {
    ids,
    after,
    before,
    isToCharge = false,
  }: {
    ids?: readonly string[] | undefined;
    after?: string | undefined;
    before?: string | undefined;
    isToCharge?: boolean;
  },
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
          standsForAll(ids, isToCharge),
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

/** Nobody of the same document goes before it: among those that were found, where something was looked for. */
function standsForAll(ids: readonly string[] | undefined, isToCharge: boolean): SQL {
  const hasCard = (customer: SQL) =>
    isToCharge
      ? sql`exists (select from cards k where k.customer_id = ${customer} and k.deleted_at is null)`
      : sql.raw("true");
  return sql`not exists (
    select from customers other
     where other.client_id = ${customers.clientId} and other.document_number = ${customers.documentNumber}
       and ${SAME_KIND} and other.deleted_at is null and ${ids ? sql`other.id = any(${`{${ids.join(",")}}`}::uuid[])` : sql.raw("true")}
       and (${hasCard(sql.raw("other.id"))}, other.created_at, other.id)
         > (${hasCard(sql`${customers.id}`)}, ${customers.createdAt}, ${customers.id}))`;
}

const SAME_KIND = sql`lower(other.document_type) = lower(${customers.documentType})
  and other.document_country = ${customers.documentCountry}`;

export interface PersonFigures extends CustomerFigures {
  /** Customers of this document, itself included. */
  records: number;
}

/** Of one document more are not looked at. */
const MOST_RECORDS = 200;

/** What each of these has and paid together with the others of the same document. */
export async function personFiguresOf(
  ctx: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PersonFigures>> {
  if (ids.length === 0) return new Map();
  return inSnapshot(ctx, async (inside) => {
    const rows = await inside.db.execute<{ id: string; records: string[] }>(sql`
      select u.id, array(
               select u.id union
               (select other.id from customers join customers other
                    on other.client_id = ${customers.clientId} and other.document_number = ${customers.documentNumber}
                   and ${SAME_KIND} and other.deleted_at is null
                 where ${customers.id} = u.id and ${customers.clientId} = ${ctx.account.id}
                 order by other.created_at desc, other.id desc limit ${MOST_RECORDS}))::text[] as records
        from unnest(${`{${ids.join(",")}}`}::uuid[]) u(id)`);
    const groups = new Map(rows.map(({ id, records }) => [id, records]));
    const figures = await figuresOfGroups(inside, groups);
    return new Map([...figures].map(([id, own]) => [id, { ...own, records: groups.get(id)?.length ?? 1 }]));
  });
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
  return figuresOfGroups(ctx, new Map(ids.map((id) => [id, [id]])));
}

async function figuresOfGroups(
  ctx: Context,
  groups: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, CustomerFigures>> {
  const given = JSON.stringify([...groups].map(([id, ids]) => ({ id, ids })));
  const rows = await ctx.db.execute<{ id: string; cards: number; read: number; payments: number; total: string }>(sql`
      select u.id, (select count(*)::int from cards k where k.customer_id = any(u.ids) and k.deleted_at is null) as cards, p.*
        from jsonb_to_recordset(${given}::jsonb) u(id uuid, ids uuid[])
       cross join lateral (
         select count(*)::int as read,
                (count(distinct x.payment) filter (where x.captured_amount > 0))::int as payments,
                coalesce(sum(x.captured_amount - x.refunded_amount - x.charged_back_amount)
                  filter (where x.currency = 'BRL'), 0)::text as total
           from (${chargesOfCustomer(ctx, sql.raw("any(u.ids)"))}) x) p`);
  return new Map(
    rows.map(({ id, cards: held, read, payments, total }) => [
      id,
      { cards: held, payments, total: Number(total), isMore: read > MOST_SUMMED },
    ]),
  );
}

/** Its charges, or those of `any(…)` of several: as many as are summed up and one more of each way to be its own. */
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

const MOST_OTHERS = 5;

/** A customer that another payment made for the same document, with what tells it apart. */
export interface OtherRecord extends CustomerFigures {
  buyer: Buyer;
  createdAt: Date;
}

/** The others of the same document, the newest first: the first few, or as many as are looked at. */
export async function sameDocument(
  ctx: Context,
  role: OperatorRole,
  { id, documentNumber, documentType, documentCountry }: CustomerRow,
  { isAll }: { isAll: boolean },
): Promise<OtherRecord[]> {
  demand(role, "payments.see");
  if (documentNumber === null) return [];
  return inSnapshot(ctx, async (inside) => {
    const rows = await inside.db
      .select()
      .from(customers)
      .where(
        and(
          eq(customers.clientId, inside.account.id),
          eq(customers.documentNumber, documentNumber),
          eq(sql`lower(${customers.documentType})`, documentType.toLowerCase()),
          eq(customers.documentCountry, documentCountry),
          isNull(customers.deletedAt),
          ne(customers.id, id),
        ),
      )
      .orderBy(desc(customers.createdAt), desc(customers.id))
      .limit(isAll ? MOST_RECORDS : MOST_OTHERS);
    const figures = await customerFiguresWithin(
      inside,
      rows.map((row) => row.id),
    );
    return rows.flatMap((row) => {
      const [buyer, own] = [shownBuyer(role, row), figures.get(row.id)];
      return buyer && own ? [{ ...own, buyer, createdAt: row.createdAt }] : [];
    });
  });
}
