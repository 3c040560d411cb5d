import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { payoutBatches } from "@/db/schema/payouts";
import type { receivables } from "@/db/schema/receivables";
import { sellerDocuments } from "@/db/schema/sellers";
import type { Context } from "@/lib/context";
import { accountOf } from "@/lib/ledger/accounts";
import { balancesOf } from "@/lib/ledger/checkpoints";
import type { Cents } from "@/lib/money";
import type { SellerRow } from "@/lib/sellers/queries";

/** Cents, as the books say them: what a seller is owed is above zero. */
export interface SellerBalance {
  pending: number;
  /** Below zero: a debt. */
  available: number;
  inTransit: number;
}

export const NOTHING: SellerBalance = { pending: 0, available: 0, inTransit: 0 };

const KINDS = { pending: "seller_pending", available: "seller_available", inTransit: "payout_in_transit" } as const;

export async function balancesOfSellers(
  ctx: Context,
  rows: readonly Pick<SellerRow, "id" | "merchantId">[],
): Promise<Map<string, SellerBalance>> {
  if (rows.length === 0) return new Map();
  const accountsOf = ({ id: sellerId, merchantId }: Pick<SellerRow, "id" | "merchantId">) => {
    const books = { clientId: ctx.account.id, merchantId, currency: "BRL" };
    const account = (kind: (typeof KINDS)[keyof typeof KINDS]) => accountOf(books, { kind, sellerId }).id;
    return {
      pending: account(KINDS.pending),
      available: account(KINDS.available),
      inTransit: account(KINDS.inTransit),
    };
  };
  const known = rows.map((row) => ({ id: row.id, accounts: accountsOf(row) }));
  const balances = await balancesOf(
    ctx,
    known.flatMap(({ accounts }) => Object.values(accounts)),
  );
  // Credit in the books is what is owed to them.
  const owed = (account: string) => 0 - (balances.get(account) ?? 0);
  return new Map(
    known.map(({ id, accounts }) => [
      id,
      { pending: owed(accounts.pending), available: owed(accounts.available), inTransit: owed(accounts.inTransit) },
    ]),
  );
}

/** Of what is on its way, what sending it costs: one price for each transfer. */
export async function transferFeesOf({ db, account }: Context, sellerId: string): Promise<Cents> {
  const [row] = await db
    .select({ fees: sql`coalesce(sum(${payoutBatches.withdrawalFeeAmount}), 0)`.mapWith(Number) })
    .from(payoutBatches)
    .where(
      and(
        eq(payoutBatches.clientId, account.id),
        eq(payoutBatches.sellerId, sellerId),
        eq(payoutBatches.status, "pending"),
      ),
    );
  return row?.fees ?? 0;
}

export type ShownDocument = Pick<
  typeof sellerDocuments.$inferSelect,
  "id" | "type" | "status" | "mime" | "size" | "createdAt" | "erasedAt"
>;

/** Money that a seller is to receive on one day, of those that wait. */
export interface CalendarDay {
  day: string;
  count: number;
  net: number;
}

/** A part of a payment that was the seller's, or that was taken from it again. */
export interface SellerLine {
  id: string;
  chargeId: string;
  purchaseId: string | null;
  type: (typeof receivables.$inferSelect)["type"];
  status: (typeof receivables.$inferSelect)["status"];
  installment: number | null;
  installments: number;
  gross: number;
  fee: number;
  net: number;
  paymentDate: string;
  isPartial: boolean;
}

const MOST_DAYS = 60;
const MOST_LINES = 30;

export const documentsOfSeller = ({ db, account }: Context, sellerId: string): Promise<ShownDocument[]> =>
  db
    .select({
      id: sellerDocuments.id,
      type: sellerDocuments.type,
      status: sellerDocuments.status,
      mime: sellerDocuments.mime,
      size: sellerDocuments.size,
      createdAt: sellerDocuments.createdAt,
      erasedAt: sellerDocuments.erasedAt,
    })
    .from(sellerDocuments)
    .where(
      and(
        eq(sellerDocuments.clientId, account.id),
        eq(sellerDocuments.sellerId, sellerId),
        isNull(sellerDocuments.deletedAt),
      ),
    )
    .orderBy(desc(sellerDocuments.createdAt), desc(sellerDocuments.id));

/** Of a receivable `r` that still waits: what refunds took of it is taken off its day. */
export const LEFT_OPEN = sql`(r.gross - r.fee - r.anticipation_fee
  + coalesce((select sum(d.gross - d.fee) from receivables d where d.reduces = r.id), 0))`;

/** The receivables `r` of a seller that wait for their day; what is paid early waits until its new one. */
export const waitingMoneyOf = ({ account }: Pick<Context, "account">, sellerId: string): SQL => sql`
  from receivables r
 where r.client_id = ${account.id} and r.seller_id = ${sellerId} and r.type = 'credit' and r.available_at is null`;

export async function calendarOf({ db, account }: Context, sellerId: string): Promise<CalendarDay[]> {
  const rows = await db.execute<{ day: string; count: number; net: number }>(sql`
    select r.payment_date::text as day, count(*)::int as count,
           sum(${LEFT_OPEN})::float8 as net
      ${waitingMoneyOf({ account }, sellerId)}
     group by r.payment_date order by r.payment_date limit ${MOST_DAYS}`);
  return [...rows].filter(({ net }) => net !== 0);
}

export async function sellerLinesOf({ db, account }: Context, sellerId: string): Promise<SellerLine[]> {
  const rows = await db.execute<SellerLine & Record<string, unknown>>(sql`
    select r.id, r.charge_id as "chargeId", c.purchase_id as "purchaseId", r.type, r.status, r.installment,
           r.installments, r.gross::float8 as gross, (r.fee + r.anticipation_fee)::float8 as fee,
           (r.gross - r.fee - r.anticipation_fee)::float8 as net, r.payment_date::text as "paymentDate",
           r.reduces is not null as "isPartial"
      from receivables r join charges c on c.id = r.charge_id
     where r.client_id = ${account.id} and r.seller_id = ${sellerId}
     order by r.created_at desc, r.id desc limit ${MOST_LINES}`);
  return [...rows];
}
