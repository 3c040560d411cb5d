import { type SQL, sql } from "drizzle-orm";
import type { AccountKind } from "@/db/schema/ledger";
import type { Context } from "@/lib/context";
import { type Explained, row } from "@/lib/explanations/sources/source";
import { figuresOfSellers, type MoneyFigures, pendingOfSellers } from "@/lib/finance/overview";
import { accountBalances } from "@/lib/ledger/checkpoints";

/** The account that each figure is read from, and which of its balances count: a credit is below zero in the books. */
const FROM = {
  available: { kind: "seller_available", counts: sql`known.balance < 0`, amount: sql`-known.balance` },
  debt: { kind: "seller_available", counts: sql`known.balance > 0`, amount: sql`known.balance` },
  receivable: { kind: "seller_pending", counts: sql`known.balance <> 0`, amount: sql`-known.balance` },
  inTransit: { kind: "payout_in_transit", counts: sql`known.balance <> 0`, amount: sql`-known.balance` },
} as const satisfies Record<keyof MoneyFigures, { kind: AccountKind; counts: SQL; amount: SQL }>;

/** Of all sellers whom the reader may see, a row each; `balance.*` explains that row. */
export const figure =
  (name: keyof MoneyFigures) =>
  async (ctx: Context): Promise<Explained> => {
    const figures = await figuresOfSellers(ctx);
    const { kind, counts, amount } = FROM[name];
    return {
      value: figures?.[name] ?? 0,
      currency: "BRL",
      rows: sql`
        select ${row({
          id: sql`known.id`,
          at: sql`s.created_at`,
          type: sql`'seller'`,
          amount,
          sourceType: "seller",
          sourceId: sql`known.seller_id`,
        })}
          from (${accountBalances(ctx, [kind])}) known join sellers s on s.id = known.seller_id where ${counts}`,
    };
  };

export async function pendingBatches(ctx: Context): Promise<Explained> {
  const { amount } = await pendingOfSellers(ctx);
  return {
    value: amount,
    currency: "BRL",
    rows: sql`
      select ${row({
        id: sql`b.id`,
        at: sql`b.created_at`,
        type: sql`'batch'`,
        amount: sql`b.final_balance`,
        sourceType: "batch",
        sourceId: sql`b.id`,
      })}
        from payout_batches b
       where b.client_id = ${ctx.account.id}
         and b.merchant_id in (select id from merchants where client_id = ${ctx.account.id})
         and b.status = 'pending' and b.seller_id is not null`,
  };
}
