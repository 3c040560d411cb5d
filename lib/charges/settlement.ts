import { and, asc, eq, getTableColumns, inArray } from "drizzle-orm";
import { receivables } from "@/db/schema/receivables";
import { sellers } from "@/db/schema/sellers";
import { sellerNameFor } from "@/lib/charges/shared";
import { type Context, inTransaction } from "@/lib/context";
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

const MOST_ROWS = 200;

/** What these charges bring whom and when; nobody's who may not see the ledger. */
export async function settlementOf(
  ctx: Context,
  role: OperatorRole,
  chargeIds: readonly string[],
): Promise<SettlementLine[]> {
  if (!may(role, "ledger.see") || chargeIds.length === 0) return [];
  const nameOf = may(role, "sellers.see") ? sellerNameFor(role) : () => null;
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({
        ...getTableColumns(receivables),
        businessName: sellers.businessName,
        ownerName: sellers.ownerName,
      })
      .from(receivables)
      .leftJoin(sellers, eq(sellers.id, receivables.sellerId))
      .where(and(eq(receivables.clientId, account.id), inArray(receivables.chargeId, [...chargeIds])))
      .orderBy(asc(receivables.paymentDate), asc(receivables.createdAt), asc(receivables.id))
      .limit(MOST_ROWS),
  );
  return rows.map(
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
}
