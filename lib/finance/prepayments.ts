import { and, asc, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { PREPAYMENT_STATUSES, prepaymentItems, prepayments } from "@/db/schema/prepayments";
import { receivables } from "@/db/schema/receivables";
import { sellers } from "@/db/schema/sellers";
import { type CivilDate, daysBetween } from "@/lib/brazil/bank-calendar";
import { positionOf } from "@/lib/charges/list-position";
import { beyond } from "@/lib/charges/search";
import { type Context, inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { prepay, sumOf } from "@/lib/money";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { freeDays, freeReceivables } from "@/lib/prepayments/free";
import type { ItemRow, PrepaymentRow } from "@/lib/prepayments/queries";
import { MOST_DATES } from "@/lib/prepayments/schema";
import { isPrepaymentOn, MOST_ITEMS, monthlyRatesOf } from "@/lib/prepayments/service";
import { type PrepaymentWindow, windowAt } from "@/lib/prepayments/window";
import { shownSeller } from "@/lib/sellers/operator-queries";

const PER_PAGE = 25;
const ITEMS_PER_PAGE = 50;

export interface ListedPrepayment {
  row: PrepaymentRow;
  /** Null: the account's own receivables. */
  seller: string | null;
}

/** One whose time is over reads expired before the job that says so has come. */
const readAt = (at: Date, row: PrepaymentRow): PrepaymentRow =>
  row.status === "pending" && row.expiresAt < at ? { ...row, status: "expired" } : row;

export interface PrepaymentPage {
  items: ListedPrepayment[];
  previous: string | undefined;
  next: string | undefined;
}

interface Filters {
  status?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

export async function listPrepaymentsForOperator(
  ctx: Context,
  role: OperatorRole,
  filters: Filters,
): Promise<PrepaymentPage> {
  demand(role, "payouts.see");
  const isBackward = filters.before !== undefined;
  const order = isBackward ? asc : desc;
  return inSnapshot(ctx, async (inside) => {
    const at = now(inside);
    const rows = await inside.db
      .select({ row: prepayments, seller: sellers })
      .from(prepayments)
      .leftJoin(sellers, eq(sellers.id, prepayments.sellerId))
      .where(
        and(
          eq(prepayments.clientId, inside.account.id),
          inStatus(filters.status, at),
          beyond(prepayments.createdAt, prepayments.id, filters),
        ),
      )
      .orderBy(order(prepayments.createdAt), order(prepayments.id))
      .limit(PER_PAGE + 1);
    const isMore = rows.length > PER_PAGE;
    const shown = rows.slice(0, PER_PAGE);
    if (isBackward) shown.reverse();
    const [first, last] = [shown[0]?.row, shown.at(-1)?.row];
    return {
      items: shown.map(({ row, seller }) => ({
        row: readAt(at, row),
        seller: seller && shownSeller(role, seller).name,
      })),
      previous: first && (isBackward ? isMore : filters.after !== undefined) ? positionOf(first) : undefined,
      next: last && (isBackward || isMore) ? positionOf(last) : undefined,
    };
  });
}

function inStatus(asked: string | undefined, at: Date): SQL | undefined {
  const status = PREPAYMENT_STATUSES.find((each) => each === asked);
  const isOver = sql`(${prepayments.status} = 'pending' and ${prepayments.expiresAt} < ${at.toISOString()})`;
  if (status === "expired") return sql`(${prepayments.status} = 'expired' or ${isOver})`;
  if (status === "pending") return sql`(${prepayments.status} = 'pending' and not ${isOver})`;
  return status && eq(prepayments.status, status);
}

/** What is free on one settlement date, at today's price. */
export interface PricedDay {
  day: CivilDate;
  count: number;
  gross: number;
  net: number;
  /** Before its own day. */
  daysEarly: number;
}

export interface PrepaymentChoice {
  isOn: boolean;
  seller: { id: string; name: string } | undefined;
  window: PrepaymentWindow;
  monthlyRateBps: number;
  markupBps: number;
  /** First and last settlement date of everything that is free. */
  first: CivilDate | undefined;
  last: CivilDate | undefined;
  chosen: PricedDay[];
  isTooMuch: boolean;
}

interface Asked {
  sellerId?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
}

/** What can be paid early between two days, with the price of each; nothing is written. */
export async function prepaymentChoice(ctx: Context, role: OperatorRole, asked: Asked): Promise<PrepaymentChoice> {
  demand(role, "prepayment.simulate");
  const { sellerId } = asked;
  if (sellerId !== undefined && !isUuid(sellerId)) throw notFound("seller");
  return inSnapshot(ctx, async (inside) => {
    const [seller] = sellerId
      ? await inside.db.select().from(sellers).where(sql`client_id = ${ctx.account.id} and id = ${sellerId}`)
      : [];
    if (sellerId && (!seller || seller.deletedAt)) throw notFound("seller");
    const [isOn, window] = [await isPrepaymentOn(inside), windowAt(now(inside))];
    const rates = await monthlyRatesOf(inside, seller?.planId ?? null);
    const days = isOn ? await freeDays(inside, sellerId, window.paymentDate) : [];
    const inRange = days.filter(({ day }) => day >= (asked.from ?? "") && day <= (asked.until ?? "9999-12-31"));
    const isTooMuch = sumOf(inRange.map(({ count }) => count)) > MOST_ITEMS || needsTooManyDates(days, inRange);
    const dates = inRange.map(({ day }) => day);
    const free =
      isTooMuch || dates.length === 0
        ? []
        : await freeReceivables(inside, sellerId, window.paymentDate, { receiptDates: dates }, MOST_ITEMS);
    const priced = new Map<CivilDate, PricedDay>();
    for (const { settlementDate: day, gross } of free) {
      const daysEarly = daysBetween(window.paymentDate, day);
      const { net } = prepay(gross, rates.monthlyRateBps, rates.markupBps, daysEarly);
      if (net <= 0) continue;
      const known = priced.get(day) ?? { day, count: 0, gross: 0, net: 0, daysEarly };
      priced.set(day, { ...known, count: known.count + 1, gross: known.gross + gross, net: known.net + net });
    }
    return {
      isOn,
      seller: seller && { id: seller.id, name: shownSeller(role, seller).name },
      window,
      ...rates,
      first: days[0]?.day,
      last: days.at(-1)?.day,
      chosen: [...priced.values()],
      isTooMuch,
    };
  });
}

/** Up to a day there can be any number; from a later one on each date is named. */
const needsTooManyDates = (all: readonly { day: CivilDate }[], chosen: readonly { day: CivilDate }[]): boolean =>
  chosen.length > MOST_DATES && chosen[0]?.day !== all[0]?.day;

export interface ShownItem {
  row: ItemRow;
  payment: { id: string; orderId: string | null; installment: number | null; installments: number };
}

export interface PrepaymentOverview extends ListedPrepayment {
  count: number;
  isOver: boolean;
  items: ShownItem[];
  next: string | undefined;
}

export async function prepaymentOverview(
  ctx: Context,
  role: OperatorRole,
  id: string,
  after: string | undefined,
): Promise<PrepaymentOverview> {
  demand(role, "payouts.see");
  if (!isUuid(id)) throw notFound("prepayment");
  return inSnapshot(ctx, async (inside) => {
    const { db, account } = inside;
    const [found] = await db
      .select({ row: prepayments, seller: sellers })
      .from(prepayments)
      .leftJoin(sellers, eq(sellers.id, prepayments.sellerId))
      .where(and(eq(prepayments.clientId, account.id), eq(prepayments.id, id)));
    if (!found) throw notFound("prepayment");
    const own = and(eq(prepaymentItems.clientId, account.id), eq(prepaymentItems.prepaymentId, id));
    const rows = await db
      .select({
        row: prepaymentItems,
        chargeId: charges.id,
        purchaseId: charges.purchaseId,
        orderId: charges.orderId,
        installment: receivables.installment,
        installments: receivables.installments,
      })
      .from(prepaymentItems)
      .innerJoin(receivables, eq(receivables.id, prepaymentItems.receivableId))
      .innerJoin(charges, eq(charges.id, receivables.chargeId))
      .where(and(own, isUuid(after ?? "") ? gt(prepaymentItems.id, after ?? "") : undefined))
      .orderBy(asc(prepaymentItems.id))
      .limit(ITEMS_PER_PAGE + 1);
    const shown = rows.slice(0, ITEMS_PER_PAGE);
    const row = readAt(now(inside), found.row);
    return {
      row,
      seller: found.seller && shownSeller(role, found.seller).name,
      count: await db.$count(prepaymentItems, own),
      isOver: row.status !== "pending",
      items: shown.map(({ row: item, chargeId, purchaseId, orderId, installment, installments }) => ({
        row: item,
        payment: { id: purchaseId ?? chargeId, orderId, installment, installments },
      })),
      next: rows.length > ITEMS_PER_PAGE ? shown.at(-1)?.row.id : undefined,
    };
  });
}
