import { and, asc, desc, eq, gte, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type ChargeStatus, charges, transactionRequests } from "@/db/schema/charges";
import { cards, customers } from "@/db/schema/customers";
import { merchants } from "@/db/schema/merchants";
import { readSearch, type SearchTerm } from "@/lib/charges/search-terms";
import { type Context, inSnapshot, inTransaction } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { type Buyer, shownBuyer } from "@/lib/operators/buyers";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

export const PAYMENTS_PER_PAGE = 25;
/** Counted exactly up to here; beyond it the list says "more than". */
export const MOST_COUNTED = 10_000;

export interface PaymentFilters {
  search?: string | undefined;
  status?: readonly ChargeStatus[] | undefined;
  method?: readonly string[] | undefined;
  merchantId?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  /** Of one payment link. */
  sessionId?: string | undefined;
  /** These alone. */
  ids?: readonly string[] | undefined;
  /** Of the row after which, or before which, the page begins. */
  after?: string | undefined;
  before?: string | undefined;
}

export interface ListedPayment {
  id: string;
  status: ChargeStatus;
  amount: number;
  originalAmount: number;
  refundedAmount: number;
  currency: string;
  method: string;
  installments: number | null;
  card: { brand: string; lastFour: string } | undefined;
  buyer: Buyer | undefined;
  orderId: string | null;
  merchant: string | null;
  provider: string | null;
  needsReview: boolean;
  createdAt: Date;
}

export interface PaymentPage {
  items: ListedPayment[];
  /** Rows that match, at most MOST_COUNTED + 1. */
  counted: number;
  previous: string | undefined;
  next: string | undefined;
}

/** Whoever paid: named with the charge, as its source, or the owner of the card. */
export const buyerId = sql`coalesce(${charges.customerId}, ${charges.sourceCustomerId}, ${cards.customerId})`;

export async function searchPayments(ctx: Context, role: OperatorRole, filters: PaymentFilters): Promise<PaymentPage> {
  demand(role, "payments.see");
  return inSnapshot(ctx, async (inside) => {
    const where = and(...narrowing(inside, filters));
    const [rows, counted] = await Promise.all([pageOf(inside, where, filters), countOf(inside, where)]);
    const isBackward = filters.before !== undefined;
    const isMore = rows.length > PAYMENTS_PER_PAGE;
    const shown = rows.slice(0, PAYMENTS_PER_PAGE);
    if (isBackward) shown.reverse();
    const first = shown[0];
    const last = shown.at(-1);
    const hasPrevious = isBackward ? isMore : filters.after !== undefined;
    const hasNext = isBackward ? true : isMore;
    return {
      items: shown.map(({ brand, lastFour, customer, ...row }) => ({
        ...row,
        needsReview: row.reviewReason !== null,
        card: brand && lastFour ? { brand, lastFour } : undefined,
        buyer: shownBuyer(role, customer),
      })),
      counted,
      previous: hasPrevious && first ? positionOf(first) : undefined,
      next: hasNext && last ? positionOf(last) : undefined,
    };
  });
}

async function pageOf({ db }: Context, where: SQL | undefined, { after, before }: PaymentFilters) {
  const direction = before === undefined ? desc : asc;
  const position = readPosition(before ?? after);
  const beyond =
    position &&
    (before === undefined
      ? sql`(${charges.createdAt}, ${charges.id}) < (${position.at}::timestamptz, ${position.id}::uuid)`
      : sql`(${charges.createdAt}, ${charges.id}) > (${position.at}::timestamptz, ${position.id}::uuid)`);
  return db
    .select({
      id: charges.id,
      status: charges.status,
      amount: charges.amount,
      originalAmount: charges.originalAmount,
      refundedAmount: charges.refundedAmount,
      currency: charges.currency,
      method: charges.paymentType,
      installments: charges.installments,
      orderId: charges.orderId,
      provider: charges.providerType,
      reviewReason: charges.reviewReason,
      createdAt: charges.createdAt,
      brand: cards.brand,
      lastFour: cards.last4digits,
      customer: customers,
      merchant: merchants.name,
    })
    .from(charges)
    .leftJoin(cards, eq(cards.id, charges.cardId))
    .leftJoin(customers, eq(customers.id, buyerId))
    .leftJoin(merchants, eq(merchants.id, charges.merchantId))
    .where(and(where, beyond))
    .orderBy(direction(charges.createdAt), direction(charges.id))
    .limit(PAYMENTS_PER_PAGE + 1);
}

async function countOf({ db }: Context, where: SQL | undefined): Promise<number> {
  const some = db
    .select({ id: charges.id })
    .from(charges)
    .where(where)
    .limit(MOST_COUNTED + 1)
    .as("some");
  const [row] = await db.select({ counted: sql<number>`count(*)::int` }).from(some);
  return row?.counted ?? 0;
}

function narrowing(ctx: Context, filters: PaymentFilters): (SQL | undefined)[] {
  return [
    eq(charges.clientId, ctx.account.id),
    filters.status?.length ? inArray(charges.status, [...filters.status]) : undefined,
    filters.method?.length ? inArray(charges.paymentType, [...filters.method]) : undefined,
    filters.merchantId ? eq(charges.merchantId, filters.merchantId) : undefined,
    filters.sessionId ? eq(charges.sessionId, filters.sessionId) : undefined,
    filters.ids && inArray(charges.id, [...filters.ids]),
    filters.from && gte(charges.createdAt, filters.from),
    filters.until && lt(charges.createdAt, filters.until),
    matching(ctx, readSearch(filters.search ?? "")),
  ];
}

/** Each thing the text may be is looked up by an index of its own; the charges of all of them are listed. */
function matching(ctx: Context, terms: readonly SearchTerm[]): SQL | undefined {
  if (terms.length === 0) return undefined;
  const [only] = terms;
  // Walks its index in the order of the list: half a million payments may be of one price.
  if (terms.length === 1 && only?.kind === "amount") return eq(charges.originalAmount, only.value);
  return sql`${charges.id} in (${sql.join(
    terms.flatMap((term) => FINDERS[term.kind](ctx, String(term.value))),
    sql` union all `,
  )})`;
}

const FINDERS: Record<SearchTerm["kind"], (ctx: Context, value: string) => SQL[]> = {
  id: (_ctx, value) => [sql`select ${value}::uuid`],
  amount: () => [],
  email: (ctx, value) => ofCustomers(ctx, or(eq(customers.email, value), eq(customers.email, value.toLowerCase()))),
  document: (ctx, value) => ofCustomers(ctx, eq(customers.documentNumber, value)),
  order: (ctx, value) => [
    sql`select c.id from ${charges} c where c.client_id = ${ctx.account.id} and c.order_id = ${value}`,
  ],
  lastFour: (ctx, value) => [
    sql`select c.id from ${charges} c join ${cards} k on k.id = c.card_id
         where k.client_id = ${ctx.account.id} and k.last4digits = ${value}`,
  ],
  txid: (ctx, value) => ofAttempts(ctx, sql`a.id = ${value}::uuid`),
  code: (ctx, value) => [
    ...ofAttempts(ctx, sql`a.authorization_nsu = ${value}`),
    ...ofAttempts(ctx, sql`a.authorization_code = ${value}`),
  ],
  reference: (ctx, value) => ofAttempts(ctx, sql`a.transaction_id = ${value}`),
};

const ofAttempts = (ctx: Context, condition: SQL): SQL[] => [
  sql`select a.charge_id from ${transactionRequests} a
       where a.client_id = ${ctx.account.id} and a.charge_id is not null and ${condition}`,
];

function ofCustomers(ctx: Context, condition: SQL | undefined): SQL[] {
  const found = sql`(select ${customers.id} from ${customers} where ${and(eq(customers.clientId, ctx.account.id), condition)})`;
  return [
    sql`select c.id from ${charges} c where c.customer_id in ${found}`,
    sql`select c.id from ${charges} c where c.source_customer_id in ${found}`,
    sql`select c.id from ${charges} c join ${cards} k on k.id = c.card_id where k.customer_id in ${found}`,
  ];
}

const positionOf = (row: { createdAt: Date; id: string }): string => `${row.createdAt.toISOString()}_${row.id}`;

/** A position that was tampered with begins at the first page. */
function readPosition(text: string | undefined): { at: string; id: string } | undefined {
  const [at = "", id = ""] = text?.split("_") ?? [];
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) || !isUuid(id) ? undefined : { at: moment.toISOString(), id };
}

const MOST_MERCHANTS = 200;

/** For the filter: the merchants that can be chosen. */
export const merchantsToChoose = (ctx: Context, role: OperatorRole): Promise<{ id: string; name: string | null }[]> => {
  demand(role, "payments.see");
  return inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: merchants.id, name: merchants.name })
      .from(merchants)
      .where(and(eq(merchants.clientId, account.id), isNull(merchants.deletedAt)))
      .orderBy(asc(merchants.name), asc(merchants.id))
      .limit(MOST_MERCHANTS),
  );
};
