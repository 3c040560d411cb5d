import { and, asc, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { type ChargeStatus, charges, transactionRequests } from "@/db/schema/charges";
import { cards, customers } from "@/db/schema/customers";
import { whereIdIn } from "@/db/where-id-in";
import { aroundOf } from "@/lib/charges/around";
import { ranOut } from "@/lib/charges/history";
import { holdsEnded } from "@/lib/charges/holds-ended";
import { positionOf, readPosition } from "@/lib/charges/list-position";
import { inStates, type ListState } from "@/lib/charges/list-states";
import { anyMeant, type Meant, ofPayers, orOfAmount } from "@/lib/charges/meant";
import { hasPhone } from "@/lib/charges/phones";
import { type MeantTerm, readSearch } from "@/lib/charges/search-terms";
import { type Context, inSnapshot } from "@/lib/context";
import { type Buyer, shownName } from "@/lib/operators/buyers";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { attemptsOf } from "@/lib/payments/attempts";
import { pipelined } from "@/lib/pipeline";

export const PAYMENTS_PER_PAGE = 25;
/** Counted exactly up to here; beyond it the list says "more than". */
export const MOST_COUNTED = 10_000;

export interface PaymentFilters {
  search?: string | undefined;
  status?: readonly ListState[] | undefined;
  /** Besides `status`: the state that a typed text speaks of. */
  said?: readonly ListState[] | undefined;
  method?: readonly string[] | undefined;
  merchantId?: string | undefined;
  provider?: readonly string[] | undefined;
  declineCode?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  /** Of one payment link. */
  sessionId?: string | undefined;
  /** A buyer's id, e-mail or document, whole. */
  buyer?: string | undefined;
  /** What that buyer paid without being a customer, looked up. */
  paidByBuyer?: readonly string[] | undefined;
  /** Of what was asked for, both included. */
  minAmount?: number | undefined;
  maxAmount?: number | undefined;
  /** Orders on so many cards. */
  cards?: number | undefined;
  /** Only those whose money is shared with sellers. */
  hasSplit?: boolean | undefined;
  /** What a typed text means, looked up: instead of `search`. */
  meant?: Meant | undefined;
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
  capturedAmount: number;
  refundedAmount: number;
  chargedBackAmount: number;
  capturedAt: Date | null;
  currency: string;
  method: string;
  installments: number | null;
  card: { brand: string; lastFour: string } | undefined;
  buyer: Buyer | undefined;
  /** Name on the card: of payment links often all that is known of who paid. */
  holder: string | undefined;
  orderId: string | null;
  merchant: string | null;
  /** Its kind. */
  provider: string | null;
  /** What the connection to it is called, of which a merchant may have several of one kind. */
  connection: string | null;
  declineCode: string | null;
  /** Canceled because nobody paid in time. */
  hasRunOut: boolean;
  /** Voided because nobody captured it in time. */
  hasHoldEnded: boolean;
  /** Refused by the fraud analysis. */
  isRefused: boolean;
  /** The payment link it came through. */
  link: { id: string; name: string | null } | undefined;
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
    const where = and(...chargeNarrowing(inside, role, filters));
    const [rows, counted] = await Promise.all([pageOf(inside, where, filters), countOf(inside, where)]);
    const isBackward = filters.before !== undefined;
    const isMore = rows.length > PAYMENTS_PER_PAGE;
    const items = await dressed(inside, role, rows.slice(0, PAYMENTS_PER_PAGE));
    if (isBackward) items.reverse();
    const first = items[0];
    const last = items.at(-1);
    const hasPrevious = isBackward ? isMore : filters.after !== undefined;
    const hasNext = isBackward ? true : isMore;
    return {
      items,
      counted,
      previous: hasPrevious && first ? positionOf(first) : undefined,
      next: hasNext && last ? positionOf(last) : undefined,
    };
  });
}

/** Rows after, or before, where a page ended. */
export function beyond(
  at: PgColumn,
  id: PgColumn,
  { after, before }: Pick<PaymentFilters, "after" | "before">,
): SQL | undefined {
  const position = readPosition(before ?? after);
  if (!position) return undefined;
  const given = sql`(${position.at}::timestamptz, ${position.id}::uuid)`;
  return before === undefined ? sql`(${at}, ${id}) < ${given}` : sql`(${at}, ${id}) > ${given}`;
}

async function pageOf(ctx: Context, where: SQL | undefined, filters: PaymentFilters): Promise<ListedRow[]> {
  const direction = filters.before === undefined ? desc : asc;
  return listed(ctx.db)
    .where(and(where, beyond(charges.createdAt, charges.id, filters)))
    .orderBy(direction(charges.createdAt), direction(charges.id))
    .limit(PAYMENTS_PER_PAGE + 1);
}

/** These payments, in no order; the caller found them. */
export async function paymentsOf(ctx: Context, role: OperatorRole, ids: readonly string[]): Promise<ListedPayment[]> {
  if (ids.length === 0) return [];
  return dressed(ctx, role, await listed(ctx.db).where(whereIdIn(charges.id, ids)));
}

type ListedRow = Awaited<ReturnType<typeof listed>>[number];

const listed = (db: Database) =>
  db
    .select({
      id: charges.id,
      status: charges.status,
      amount: charges.amount,
      originalAmount: charges.originalAmount,
      capturedAmount: charges.capturedAmount,
      refundedAmount: charges.refundedAmount,
      chargedBackAmount: charges.chargedBackAmount,
      capturedAt: charges.capturedAt,
      currency: charges.currency,
      method: charges.paymentType,
      installments: charges.installments,
      orderId: charges.orderId,
      provider: charges.providerType,
      connectionId: charges.providerId,
      declineCode: charges.declineCode,
      sessionId: charges.sessionId,
      merchantId: charges.merchantId,
      buyerId: sql<string | null>`${buyerId}`,
      reviewReason: charges.reviewReason,
      expiresAt: charges.expiresAt,
      createdAt: charges.createdAt,
      brand: cards.brand,
      lastFour: cards.last4digits,
      holder: cards.cardHolderName,
    })
    .from(charges)
    .leftJoin(cards, eq(cards.id, charges.cardId));

async function dressed(ctx: Context, role: OperatorRole, rows: readonly ListedRow[]): Promise<ListedPayment[]> {
  const canceled = rows.flatMap(({ id, status }) => (status === "canceled" ? [id] : []));
  const [around, attempts, ended] = await pipelined([
    aroundOf(
      ctx,
      role,
      rows.map(({ connectionId, ...row }) => ({ ...row, connectionIds: connectionId ? [connectionId] : [] })),
    ),
    attemptsOf(ctx, canceled),
    holdsEnded(ctx, rows),
  ]);
  return rows.map((listedRow) => {
    const {
      brand,
      lastFour,
      holder,
      reviewReason,
      sessionId,
      merchantId,
      connectionId,
      buyerId: buyer,
      expiresAt: _,
      ...row
    } = listedRow;
    return {
      ...row,
      hasRunOut: ranOut({ row: listedRow, attempts: attempts.filter(({ chargeId }) => chargeId === row.id) }),
      hasHoldEnded: ended.get(row.id) === "not_captured",
      isRefused: ended.get(row.id) === "refused",
      link: around.link(sessionId),
      merchant: around.merchant(merchantId),
      connection: connectionId && around.connection(connectionId),
      needsReview: reviewReason !== null,
      card: brand && lastFour ? { brand, lastFour } : undefined,
      buyer: around.buyer(buyer),
      holder: holder ? shownName(role, holder) : undefined,
    };
  });
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

export function chargeNarrowing(ctx: Context, role: OperatorRole, filters: PaymentFilters): (SQL | undefined)[] {
  return [
    eq(charges.clientId, ctx.account.id),
    inStates(filters.status),
    inStates(filters.said),
    filters.method?.length ? inArray(charges.paymentType, [...filters.method]) : undefined,
    filters.merchantId ? eq(charges.merchantId, filters.merchantId) : undefined,
    filters.provider?.length ? inArray(charges.providerType, [...filters.provider]) : undefined,
    filters.declineCode ? eq(charges.declineCode, filters.declineCode) : undefined,
    filters.sessionId ? eq(charges.sessionId, filters.sessionId) : undefined,
    filters.minAmount === undefined ? undefined : gte(charges.originalAmount, filters.minAmount),
    filters.maxAmount === undefined ? undefined : lte(charges.originalAmount, filters.maxAmount),
    filters.hasSplit ? sql`${charges.hasSplit}` : undefined,
    filters.cards === undefined ? undefined : sql`false`,
    filters.buyer
      ? sql`${charges.id} in (${chargesOfBuyer(ctx, role, filters.buyer)} union all ${paymentsNamed(filters.paidByBuyer ?? [])})`
      : undefined,
    filters.ids && whereIdIn(charges.id, filters.ids),
    filters.from && gte(charges.createdAt, filters.from),
    filters.until && lt(charges.createdAt, filters.until),
    matching(ctx, role, readSearch(filters.search ?? "")),
    filters.meant &&
      anyMeant(
        charges.orderId,
        filters.meant,
        [matching(ctx, role, filters.meant.whole), filters.meant.begun?.charge],
        chargesThatAre(ctx, role, filters.meant),
      ),
  ];
}

/** All that was typed holds; what is no amount is looked up by an index of its own. */
const chargesThatAre = (ctx: Context, role: OperatorRole, { terms, buyers, links, held }: Meant): SQL[] => [
  ...terms.flatMap((each) => matching(ctx, role, each) ?? []),
  ...(buyers ? [ofPayers(charges.id, [chargesOfBuyers(ctx, buyers), ofLinks(links)], held?.charge)] : []),
];

const ofLinks = (ids: readonly string[]): SQL =>
  sql`select c.id from ${charges} c where c.session_id in (${paymentsNamed(ids)})`;

/** Each thing the text may be is looked up by an index of its own; the charges of all of them are listed. */
function matching(ctx: Context, role: OperatorRole, terms: readonly MeantTerm[]): SQL | undefined {
  if (terms.length === 0) return undefined;
  return orOfAmount(charges.id, [chargesMeant(ctx, role, terms)], terms, {
    side: "charge",
    is: (amount) => eq(charges.originalAmount, amount),
    ids: (amount) => [
      sql`select c.id from ${charges} c where c.client_id = ${ctx.account.id} and c.original_amount = ${amount}`,
    ],
  });
}

/** Ids of charges that the text may mean; not as an amount, which has an index of its own. */
export const chargesMeant = (ctx: Context, role: OperatorRole, terms: readonly MeantTerm[]): SQL => {
  const found = answered(role, terms).flatMap((term) => FINDERS[term.kind](ctx, String(term.value)));
  return found.length > 0 ? sql.join(found, sql` union all `) : sql`select null::uuid where false`;
};

/** Who sees buyers masked learns of no e-mail, document or phone whether anybody has it. */
export const isAnswered = (role: OperatorRole, kind: string): boolean =>
  (kind !== "email" && kind !== "document" && kind !== "phone") || may(role, "buyers.see");

const answered = (role: OperatorRole, terms: readonly MeantTerm[]): readonly MeantTerm[] =>
  terms.filter(({ kind }) => isAnswered(role, kind));

const FINDERS: Record<MeantTerm["kind"], (ctx: Context, value: string) => SQL[]> = {
  id: (_ctx, value) => [sql`select ${value}::uuid`],
  amount: () => [],
  payments: (_ctx, value) => [paymentsNamed(value.split(","))],
  email: (ctx, value) => ofCustomers(ctx, or(eq(customers.email, value), eq(customers.email, value.toLowerCase()))),
  document: (ctx, value) => ofCustomers(ctx, eq(customers.documentNumber, value)),
  phone: (ctx, value) => ofCustomers(ctx, hasPhone(sql`${customers.phoneNumber}`, value)),
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

/** Of these ids, as a list; those of purchases are no charge's. */
export const paymentsNamed = (ids: readonly string[]): SQL => sql`select unnest(${`{${ids.join(",")}}`}::uuid[])`;

const ofAttempts = (ctx: Context, condition: SQL): SQL[] => [
  sql`select a.charge_id from ${transactionRequests} a
       where a.client_id = ${ctx.account.id} and a.charge_id is not null and ${condition}`,
];

/** Customers a text may mean, for what is theirs besides charges. */
export const customersMeant = (ctx: Context, role: OperatorRole, terms: readonly MeantTerm[]): SQL[] =>
  answered(role, terms).flatMap(({ kind, value }) =>
    kind === "email"
      ? [customersWith(ctx, or(eq(customers.email, value), eq(customers.email, value.toLowerCase())))]
      : kind === "document"
        ? [customersWith(ctx, eq(customers.documentNumber, value))]
        : kind === "phone"
          ? [customersWith(ctx, hasPhone(sql`${customers.phoneNumber}`, value))]
          : [],
  );

/** The buyer that a text names whole, as a list of customers; of a text that names none, an empty one. */
export const buyersNamed = (ctx: Context, role: OperatorRole, typed: string): SQL =>
  customersWith(ctx, named(role, typed));

/** Ids of the charges of the buyer that a text names. */
export const chargesOfBuyer = (ctx: Context, role: OperatorRole, typed: string): SQL =>
  sql.join(ofCustomers(ctx, named(role, typed)), sql` union all `);

/** Ids of the charges of these buyers. */
export const chargesOfBuyers = (ctx: Context, ids: readonly string[]): SQL =>
  sql.join(ofCustomers(ctx, whereIdIn(customers.id, ids)), sql` union all `);

function named(role: OperatorRole, typed: string): SQL | undefined {
  const conditions = answered(role, readSearch(typed)).flatMap(({ kind, value }) => {
    const text = String(value);
    if (kind === "id") return [eq(customers.id, text)];
    if (kind === "email") return [eq(customers.email, text), eq(customers.email, text.toLowerCase())];
    return kind === "document" ? [eq(customers.documentNumber, text)] : [];
  });
  return conditions.length > 0 ? or(...conditions) : sql`false`;
}

const customersWith = (ctx: Context, condition: SQL | undefined): SQL =>
  sql`(select ${customers.id} from ${customers} where ${and(eq(customers.clientId, ctx.account.id), condition)})`;

function ofCustomers(ctx: Context, condition: SQL | undefined): SQL[] {
  const found = customersWith(ctx, condition);
  return [
    sql`select c.id from ${charges} c where c.customer_id in ${found}`,
    sql`select c.id from ${charges} c where c.source_customer_id in ${found}`,
    sql`select c.id from ${charges} c join ${cards} k on k.id = c.card_id where k.customer_id in ${found}`,
  ];
}
