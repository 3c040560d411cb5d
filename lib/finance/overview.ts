import { type SQL, sql } from "drizzle-orm";
import { sellers } from "@/db/schema/sellers";
import { addDays, type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { totalsOf } from "@/lib/ledger/checkpoints";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { balanceOf } from "@/lib/payouts/service";
import { OPEN } from "@/lib/receivables/giving-back";
import { type CarriedBatch, carriedBatches } from "@/lib/sellers/carried";
import { shownSeller } from "@/lib/sellers/operator-queries";

const ROWS_PER_DAY = 25;

/** Whose money: one seller's, all sellers', the account's own, or everybody's. */
export interface Whose {
  whose?: string | undefined;
  sellerId?: string | undefined;
}

export interface MoneyFigures {
  available: number;
  receivable: number;
  inTransit: number;
  debt: number;
}

/** `earlyCost`: of what is to be received, what confirmed prepayments cost; no day brings it. */
export interface ShownFigures extends MoneyFigures {
  earlyCost: number;
}

export interface ComingDay {
  day: CivilDate;
  count: number;
  net: number;
}

/** A part of a payment that falls due on the day. */
export interface ComingRow {
  id: string;
  paymentId: string;
  installment: number;
  installments: number;
  /** Null: the account's own. */
  seller: { id: string; name: string } | null;
  net: number;
}

export interface MoneyOverview {
  today: CivilDate;
  /** `2026-11`: that was asked for, else this one, or the first with something to come. */
  month: string;
  /** The account's own; not told of one seller. */
  own: ShownFigures | undefined;
  /** Of the one seller, or of all. */
  sellers: ShownFigures | undefined;
  seller: { id: string; merchantId: string; name: string; createdAt: Date } | undefined;
  /** Of the month, each with something to come. */
  days: ComingDay[];
  /** The first with something to come, of whichever month. */
  next: ComingDay | undefined;
  /** The first that brings the account something of its own, today included until its statement was read. */
  ownNext: ComingDay | undefined;
  /** Batches in which a debt stands: the account's own, and the one seller's. */
  ownCarried: readonly CarriedBatch[];
  sellerCarried: readonly CarriedBatch[];
  rows: { items: ComingRow[]; next: string | undefined } | undefined;
}

interface Asked extends Whose {
  month?: string | undefined;
  day?: string | undefined;
  after?: string | undefined;
}

export async function moneyOverview(ctx: Context, role: OperatorRole, asked: Asked): Promise<MoneyOverview> {
  demand(role, "payouts.see");
  const { sellerId } = asked;
  if (sellerId !== undefined && !isUuid(sellerId)) throw notFound("seller");
  return inSnapshot(ctx, async (inside) => {
    const [row] = sellerId
      ? await inside.db.select().from(sellers).where(sql`client_id = ${ctx.account.id} and id = ${sellerId}`)
      : [];
    if (sellerId && (!row || row.deletedAt)) throw notFound("seller");
    const coming = comingOf(inside, asked);
    const [today, next] = [saoPauloDay(now(inside)), await nextDay(inside, coming)];
    const month = asked.month ?? monthOf(asked.day ?? [next?.day ?? today, today].sort().at(-1) ?? today);
    return {
      today,
      month,
      own: sellerId ? undefined : await withCost(inside, await ownFigures(inside), partyOf({ whose: "own" })),
      sellers: await withCost(
        inside,
        sellerId ? await balanceOf(inside, sellerId) : await figuresOfSellers(inside),
        partyOf(sellerId ? { sellerId } : { whose: "sellers" }),
      ),
      seller: row && {
        id: row.id,
        merchantId: row.merchantId,
        name: shownSeller(role, row).name,
        createdAt: row.createdAt,
      },
      days: await daysOfMonth(inside, coming, month),
      next,
      ownNext: sellerId ? undefined : await nextDay(inside, ownComing(inside)),
      ownCarried: sellerId ? [] : await carriedBatches(inside, undefined),
      sellerCarried: sellerId ? await carriedBatches(inside, sellerId) : [],
      rows:
        asked.day === undefined
          ? undefined
          : await rowsOf(inside, role, comingOf(inside, asked, today), asked.day, asked.after),
    };
  });
}

/** The books owe it in full until the new day, when the cost is posted (spec/settlement.md 5). */
async function withCost(
  { account, db }: Context,
  figures: MoneyFigures | undefined,
  party: SQL,
): Promise<ShownFigures | undefined> {
  if (!figures) return undefined;
  const [row] = await db.execute<{ cost: number }>(sql`
    select coalesce(sum(i.fee_amount + i.markup_amount), 0)::float8 as cost
      from prepayments p join prepayment_items i on i.prepayment_id = p.id
      join receivables r on r.id = i.receivable_id
     where p.client_id = ${account.id} and p.status = 'committed' and i.is_committed and r.available_at is null
       and ${party}`);
  return { ...figures, earlyCost: row?.cost ?? 0 };
}

const ownFigures = (ctx: Context): Promise<MoneyFigures> => balanceOf(ctx, undefined);

/** Credit in the books is what they are owed; a debit of what they have available is their debt. */
export async function figuresOfSellers(ctx: Context): Promise<MoneyFigures | undefined> {
  const totals = await totalsOf(ctx, ["seller_available", "seller_pending", "payout_in_transit"]);
  const of = (kind: string) => totals.find((each) => each.kind === kind);
  if (totals.length === 0) return undefined;
  return {
    available: of("seller_available")?.credit ?? 0,
    receivable: 0 - (of("seller_pending")?.balance ?? 0),
    inTransit: 0 - (of("payout_in_transit")?.balance ?? 0),
    debt: of("seller_available")?.debit ?? 0,
  };
}

const monthOf = (day: CivilDate): string => day.slice(0, "2026-11".length);

const nextMonth = (first: CivilDate): CivilDate => {
  const [year = 0, month = 0] = first.split("-").map(Number);
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`;
};

/** Whose receivables `r`. */
function partyOf({ whose, sellerId }: Whose): SQL {
  if (sellerId !== undefined) return sql`r.seller_id = ${sellerId}`;
  if (whose === "own") return sql`r.seller_id is null`;
  return whose === "sellers" ? sql`r.seller_id is not null` : sql`true`;
}

/**
 * What waits for its day, `r`: also what is paid early, until the new day comes. In two parts, so that each is read by its
 * own index: of the receivables of all years few still wait. With `today`, also what today has released, until the
 * statement of the day was read.
 */
export function comingOf({ account }: Context, whose: Whose, today?: CivilDate): SQL {
  return sql`
    from (
      select w.* from merchants m join receivables w on w.merchant_id = m.id
       where m.client_id = ${account.id} and w.status = 'waiting_funds'
      union all
      select e.* from prepayments p join prepayment_items i on i.prepayment_id = p.id
        join receivables e on e.id = i.receivable_id join merchants m on m.id = e.merchant_id
       where p.client_id = ${account.id} and p.status = 'committed' and i.is_committed and e.available_at is null
      ${today === undefined ? sql`` : sql`union all ${untold(account.id, today)}`}) r
   where r.client_id = ${account.id} and r.type = 'credit' and ${partyOf(whose)} and ${OPEN} <> 0`;
}

/** The account's own that was not received yet: today's included until its statement was read. */
export const ownComing = (ctx: Context): SQL => comingOf(ctx, { whose: "own" }, saoPauloDay(now(ctx)));

const untold = (clientId: string, today: CivilDate): SQL => sql`
  select released.* from (
      select u.* from merchants m join receivables u on u.merchant_id = m.id
       where m.client_id = ${clientId} and u.type = 'credit' and u.original_payment_date = ${today}
         and u.payment_date = ${today} and u.available_at is not null
      union all
      select e.* from prepayments p join prepayment_items i on i.prepayment_id = p.id
        join receivables e on e.id = i.receivable_id join merchants m on m.id = e.merchant_id
       where p.client_id = ${clientId} and p.payment_date = ${today} and p.status in ('committed', 'paid')
         and i.is_committed and e.payment_date = ${today} and e.available_at is not null) released
   where not exists (select from merchant_days d
                      where d.merchant_id = released.merchant_id and d.statements_through >= ${today}::date)`;

/** Each day of a month, `2026-11`, that brings something. */
export function daysOfMonth(ctx: Context, coming: SQL, month: string): Promise<ComingDay[]> {
  const first = `${month}-01`;
  return daysBetween(ctx, coming, first, addDays(nextMonth(first), -1));
}

async function daysBetween({ db }: Context, coming: SQL, from: CivilDate, until: CivilDate): Promise<ComingDay[]> {
  const rows = await db.execute<ComingDay & Record<string, unknown>>(sql`
    select r.payment_date::text as day, count(*)::int as count, sum(${OPEN})::float8 as net
      ${coming} and r.payment_date between ${from} and ${until} group by 1 order by 1`);
  return [...rows];
}

export async function nextDay(ctx: Context, coming: SQL): Promise<ComingDay | undefined> {
  const [row] = await ctx.db.execute<{ day: string | null }>(sql`select min(r.payment_date)::text as day ${coming}`);
  return row?.day ? (await daysBetween(ctx, coming, row.day, row.day))[0] : undefined;
}

async function rowsOf(
  { db }: Context,
  role: OperatorRole,
  coming: SQL,
  day: CivilDate,
  after: string | undefined,
): Promise<MoneyOverview["rows"]> {
  interface Row extends Record<string, unknown> {
    id: string;
    paymentId: string;
    installment: number;
    installments: number;
    sellerId: string | null;
    net: number;
  }
  const rows = [
    ...(await db.execute<Row>(sql`
      select r.id, (select coalesce(c.purchase_id, c.id) from charges c where c.id = r.charge_id) as "paymentId",
             r.installment, r.installments, r.seller_id as "sellerId", ${OPEN}::float8 as net
        ${coming} and r.payment_date = ${day} and r.id > ${isUuid(after ?? "") ? after : NO_ID}
       order by r.id limit ${ROWS_PER_DAY + 1}`)),
  ];
  const shown = rows.slice(0, ROWS_PER_DAY);
  const ids = [...new Set(shown.flatMap(({ sellerId }) => sellerId ?? []))];
  const known =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(sellers)
          .where(sql`id = any(${`{${ids.join(",")}}`}::uuid[])`);
  const names = new Map(known.map((row) => [row.id, shownSeller(role, row).name]));
  return {
    items: shown.map(({ sellerId, ...row }) => ({
      ...row,
      seller: sellerId === null ? null : { id: sellerId, name: names.get(sellerId) ?? sellerId },
    })),
    next: rows.length > ROWS_PER_DAY ? shown.at(-1)?.id : undefined,
  };
}

const NO_ID = "00000000-0000-0000-0000-000000000000";

export interface NextMoney {
  available: number;
  /** The next day that brings the account something of its own, today included until its statement was read. */
  next: ComingDay | undefined;
  /** Batches of sellers whose transfer has no result yet. */
  pending: { count: number; amount: number };
}

/** For home. */
export async function nextMoney(ctx: Context, role: OperatorRole): Promise<NextMoney> {
  demand(role, "payouts.see");
  return inSnapshot(ctx, async (inside) => {
    const { available } = await ownFigures(inside);
    return {
      available,
      next: await nextDay(inside, ownComing(inside)),
      pending: await pendingOfSellers(inside),
    };
  });
}

export async function pendingOfSellers({ account, db }: Context): Promise<NextMoney["pending"]> {
  const [pending] = await db.execute<NextMoney["pending"] & Record<string, unknown>>(sql`
    select count(*)::int as count, coalesce(sum(final_balance), 0)::float8 as amount from payout_batches
     where client_id = ${account.id} and merchant_id in (select id from merchants where client_id = ${account.id})
       and status = 'pending' and seller_id is not null`);
  return pending ?? { count: 0, amount: 0 };
}
