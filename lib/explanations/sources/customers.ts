import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { chargesOfCustomer, customerFiguresWithin } from "@/lib/customers/operator-queries";
import { notFound } from "@/lib/errors";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, row } from "@/lib/explanations/sources/source";

/** What a customer paid the shop, less what went back; of one that pays more often than is summed up there is no figure. */
export async function paid(ctx: Context, { customerId = "" }: AskedFigure): Promise<Explained> {
  const found = (await customerFiguresWithin(ctx, [customerId])).get(customerId);
  if (!found || found.isMore) throw notFound("customer");
  const amount = sql`x.captured_amount - x.refunded_amount - x.charged_back_amount`;
  return {
    value: found.total,
    currency: "BRL",
    rows: sql`
      select ${row({
        id: sql`x.id`,
        at: sql`x.created_at`,
        type: sql`'payment'`,
        amount,
        sourceType: "charge",
        sourceId: sql`x.id`,
        chargeId: sql`x.id`,
      })}
        from (${chargesOfCustomer(ctx, sql`${customerId}::uuid`)}) x where x.currency = 'BRL' and ${amount} <> 0`,
  };
}
