import { type SQL, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import type { Context } from "@/lib/context";
import type { Asked } from "@/lib/explanations/schema";
import { type Explained, rateOf, row } from "@/lib/explanations/sources/source";
import { type AccountName, accountOf } from "@/lib/ledger/accounts";
import { merchantIdsOf } from "@/lib/payouts/queries";
import { balanceOf, merchantOfSeller } from "@/lib/payouts/service";

type Member = "available" | "receivable" | "inTransit";

const OF_SELLER = {
  available: "seller_available",
  receivable: "seller_pending",
  inTransit: "payout_in_transit",
} as const satisfies Record<Member, string>;

/** The balance as `GET /v1/payouts/balance` states it. */
export const balance =
  (member: Member) =>
  async (ctx: Context, { sellerId }: Asked): Promise<Explained> => {
    const { [member]: value } = await balanceOf(ctx, sellerId);
    return { value, currency: "BRL", rows: await rowsOf(ctx, member, sellerId) };
  };

async function rowsOf(ctx: Context, member: Member, sellerId: string | undefined): Promise<SQL> {
  if (sellerId !== undefined) {
    const merchantId = await merchantOfSeller(ctx, sellerId);
    return credited(ctx, [merchantId], { kind: OF_SELLER[member], sellerId });
  }
  if (member === "receivable") return credited(ctx, await merchantIdsOf(ctx), { kind: "merchant_pending" });
  return member === "available" ? ownAvailable(ctx) : ownBatches(ctx, sql`b.status = 'pending'`);
}

/** Everything that was booked on an account of these merchants; a credit adds. */
function credited(ctx: Context, merchantIds: readonly string[], name: AccountName): SQL {
  const ids = merchantIds.map(
    (merchantId) => accountOf({ clientId: ctx.account.id, merchantId, currency: "BRL" }, name).id,
  );
  return sql`
    select ${row({
      id: sql`j.id || '/' || p.line`,
      at: sql`j.created_at`,
      type: sql`j.event_type`,
      amount: sql`-p.amount`,
      sourceType: "journal",
      sourceId: sql`j.id`,
      chargeId: sql`j.charge_id`,
      journalId: sql`j.id`,
      ruleId:
        "sellerId" in name
          ? sql`case when j.event_type in ('fee', 'fares') then ${rateOf(sql`j.charge_id`, sql`${name.sellerId}::uuid`)} end`
          : sql`null`,
    })}
      from postings p join journals j on j.id = p.journal_id
     where p.account_id = any(${textArray(ids)}::uuid[])`;
}

const ownAvailable = (ctx: Context): SQL => sql`
  select ${row({
    id: sql`r.id`,
    at: sql`r.created_at`,
    type: sql`r.type`,
    amount: sql`r.gross - r.fee - r.anticipation_fee`,
    sourceType: "receivable",
    sourceId: sql`r.id`,
    chargeId: sql`r.charge_id`,
    installment: sql`r.installment`,
    journalId: sql`r.journal_id`,
  })}
    from merchants m join receivables r on r.merchant_id = m.id left join receivables p on p.id = r.reduces
   where m.client_id = ${ctx.account.id} and r.seller_id is null and r.batch_id is null
     and r.available_at is not null and (r.reduces is null or p.available_at is not null)
  union all ${ownBatches(
    ctx,
    sql`b.status = 'offset' and not exists (
      select from payout_lines l where l.source_id = b.id and l.type = 'carried' and l.is_live)`,
  )}`;

const ownBatches = (ctx: Context, which: SQL): SQL => sql`
  select ${row({
    id: sql`b.id`,
    at: sql`b.created_at`,
    type: sql`'batch'`,
    amount: sql`b.final_balance`,
    sourceType: "batch",
    sourceId: sql`b.id`,
  })}
    from payout_batches b
   where b.client_id = ${ctx.account.id} and b.seller_id is null and ${which}`;
