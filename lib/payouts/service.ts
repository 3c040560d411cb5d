import { and, eq, isNull } from "drizzle-orm";
import { sellers } from "@/db/schema/sellers";
import { type Context, now } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { type AccountName, accountOf } from "@/lib/ledger/accounts";
import { balancesOf } from "@/lib/ledger/checkpoints";
import { sumOf } from "@/lib/money";
import { type BatchRow, findBatch, findOrder, merchantIdsOf, type OrderRow, ownFigures } from "@/lib/payouts/queries";
import type { BalanceBody } from "@/lib/payouts/schema";

/** Unknown, another client's, or of another seller than the one that is named: 404. */
export async function batchAt(ctx: Context, id: string, sellerId?: string): Promise<BatchRow> {
  const batch = await findBatch(ctx, id);
  if (!batch || (sellerId !== undefined && batch.sellerId !== sellerId)) throw notFound("payment batch");
  return batch;
}

export async function orderAt(ctx: Context, id: string, sellerId?: string): Promise<OrderRow> {
  const order = await findOrder(ctx, id);
  if (!order || (sellerId !== undefined && order.row.sellerId !== sellerId)) throw notFound("payment order");
  return order;
}

/** What is there, what comes and what is on its way, all as of one moment. */
export async function balanceOf(ctx: Context, sellerId: string | undefined): Promise<BalanceBody> {
  const figures = sellerId === undefined ? await ownBalance(ctx) : await sellerBalance(ctx, sellerId);
  return { ...figures, debt: Math.max(0, -figures.available), asOf: now(ctx) };
}

type Figures = Pick<BalanceBody, "available" | "receivable" | "inTransit">;

/** Unknown, another client's or gone: `seller_not_found`. */
export async function merchantOfSeller(ctx: Context, sellerId: string): Promise<string> {
  const [seller] = await ctx.db
    .select({ merchantId: sellers.merchantId })
    .from(sellers)
    .where(and(eq(sellers.clientId, ctx.account.id), eq(sellers.id, sellerId), isNull(sellers.deletedAt)));
  if (!seller) throw new DomainError("seller_not_found", "the seller does not exist");
  return seller.merchantId;
}

async function sellerBalance(ctx: Context, sellerId: string): Promise<Figures> {
  const owed = owedBy(ctx, [await merchantOfSeller(ctx, sellerId)]);
  return {
    available: await owed({ kind: "seller_available", sellerId }),
    receivable: await owed({ kind: "seller_pending", sellerId }),
    inTransit: await owed({ kind: "payout_in_transit", sellerId }),
  };
}

async function ownBalance(ctx: Context): Promise<Figures> {
  const owed = owedBy(ctx, await merchantIdsOf(ctx));
  return { ...(await ownFigures(ctx)), receivable: await owed({ kind: "merchant_pending" }) };
}

/** Credit balances, over the books of these merchants. */
function owedBy(ctx: Context, merchantIds: readonly string[]): (name: AccountName) => Promise<number> {
  return async (name) => {
    const ids = merchantIds.map(
      (merchantId) => accountOf({ clientId: ctx.account.id, merchantId, currency: "BRL" }, name).id,
    );
    // Never minus zero.
    return 0 - sumOf([...(await balancesOf(ctx, ids)).values()]);
  };
}
