import { and, asc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { receivables } from "@/db/schema/receivables";
import { sellers } from "@/db/schema/sellers";
import { sellerNameFor } from "@/lib/charges/shared";
import { type Context, inSnapshot } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

export interface SettlementLine {
  id: string;
  /** Null: the merchant's own. */
  sellerId: string | null;
  /** Null where it is the merchant's own, or not for everybody's eyes. */
  sellerName: string | null;
  type: (typeof receivables.$inferSelect)["type"];
  status: (typeof receivables.$inferSelect)["status"];
  installment: number | null;
  installments: number;
  gross: number;
  fee: number;
  net: number;
  /** The bank day on which its money can be used. */
  paymentDate: string;
}

/** The lines of a page; a payment that many sellers share in instalments has more. */
const MOST_LINES = 200;

export interface PaymentSettlement {
  lines: SettlementLine[];
  /** Of all lines, as are the two sums. */
  count: number;
  net: number;
  fee: number;
}

type Settled = Omit<PaymentSettlement, "lines">;

const FEE = sql`${receivables.fee} + ${receivables.anticipationFee}`;

/** What all receivables of these charges come to. */
export async function settledOf({ account, db }: Context, chargeIds: readonly string[]): Promise<Settled> {
  const [found] = await db
    .select({
      count: sql`count(*)`.mapWith(Number),
      net: sql`coalesce(sum(${receivables.gross} - (${FEE})), 0)`.mapWith(Number),
      fee: sql`coalesce(sum(${FEE}), 0)`.mapWith(Number),
    })
    .from(receivables)
    .where(and(eq(receivables.clientId, account.id), inArray(receivables.chargeId, [...chargeIds])));
  return found ?? { count: 0, net: 0, fee: 0 };
}

/** What these charges bring whom and when; nobody's who may not see the ledger. */
export async function settlementOf(
  ctx: Context,
  role: OperatorRole,
  chargeIds: readonly string[],
): Promise<PaymentSettlement | undefined> {
  if (!may(role, "ledger.see") || chargeIds.length === 0) return undefined;
  const nameOf = may(role, "sellers.see") ? sellerNameFor(role) : () => null;
  const [settled, rows] = await inSnapshot(ctx, async (inside) => [
    await settledOf(inside, chargeIds),
    await inside.db
      .select({
        ...getTableColumns(receivables),
        businessName: sellers.businessName,
        ownerName: sellers.ownerName,
      })
      .from(receivables)
      .leftJoin(sellers, eq(sellers.id, receivables.sellerId))
      .where(and(eq(receivables.clientId, inside.account.id), inArray(receivables.chargeId, [...chargeIds])))
      .orderBy(asc(receivables.paymentDate), asc(receivables.createdAt), asc(receivables.id))
      .limit(MOST_LINES),
  ]);
  const lines = rows.map(
    ({
      id,
      sellerId,
      type,
      status,
      installment,
      installments,
      gross,
      fee,
      anticipationFee,
      paymentDate,
      ...seller
    }) => ({
      id,
      sellerId,
      sellerName: nameOf(seller),
      type,
      status,
      installment,
      installments,
      gross,
      fee: fee + anticipationFee,
      net: gross - fee - anticipationFee,
      paymentDate,
    }),
  );
  return { ...settled, lines };
}
