import { type SQL, sql } from "drizzle-orm";
import { settledOf } from "@/lib/charges/settlement";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";
import type { AskedFigure } from "@/lib/explanations/schema";
import { feePartsOf, moving, partOf } from "@/lib/explanations/sources/receivables";
import { type Explained, NET, ofReceivable, rateOf } from "@/lib/explanations/sources/source";

/** What a payment leaves everybody who gets a part of it, after fees. */
export async function net(ctx: Context, { paymentId = "" }: AskedFigure): Promise<Explained> {
  const { chargeIds, currency } = await chargesOf(ctx, paymentId);
  const settled = await settledOf(ctx, chargeIds);
  const rows = sql`
    select ${ofReceivable(NET, { ruleId: rateOf(sql`r.charge_id`, sql`r.seller_id`) })}
      from receivables r where ${ofCharges(ctx, chargeIds)}`;
  return { value: settled.net, currency, rows };
}

export async function fees(ctx: Context, { paymentId = "" }: AskedFigure): Promise<Explained> {
  const { chargeIds, currency } = await chargesOf(ctx, paymentId);
  const settled = await settledOf(ctx, chargeIds);
  const chosen = ofCharges(ctx, chargeIds);
  const rows = sql`${feePartsOf(chosen)} union all ${partOf(chosen, "anticipation", sql`r.anticipation_fee`)}`;
  return { value: settled.fee, currency, rows: moving(rows) };
}

const ofCharges = ({ account }: Context, ids: readonly string[]): SQL =>
  sql`r.client_id = ${account.id} and r.charge_id = any(${`{${ids.join(",")}}`}::uuid[])`;

/** The charge itself, or those of the purchase. */
async function chargesOf({ account, db }: Context, id: string): Promise<{ chargeIds: string[]; currency: string }> {
  const found = [
    ...(await db.execute<{ id: string; currency: string }>(sql`
      select id, currency from charges where client_id = ${account.id} and (id = ${id} or purchase_id = ${id})`)),
  ];
  const [first] = found;
  if (!first) throw notFound("payment");
  return { chargeIds: found.map((each) => each.id), currency: first.currency };
}
