import { sql } from "drizzle-orm";
import { isAnyOf } from "@/db/is-any-of";
import { type CivilDate, rollForward, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { isAnticipating } from "@/lib/prepayments/automatic";
import { isPrepaymentDue } from "@/lib/prepayments/pay";
import { lastBankDayOf, momentOn } from "@/lib/receivables/merchant-day";
import { isReleaseDue } from "@/lib/receivables/release";
import type { KeptDay } from "@/lib/settlement/days";

/** What there is to do on a merchant's bank day. */
export interface BankDayLook extends KeptDay {
  /** Money that still has a day before it, or had one lately. */
  isActive: boolean;
  /** Any seller lets its receivables be paid early by themselves. */
  isAnticipating: boolean;
  isPrepaymentDue: boolean;
  /** On this bank day or the next: those of a day are all committed before it begins. */
  isPrepaymentComing: boolean;
  isReleaseDue: boolean;
  /** Something of anybody's stands in no batch, though it could. */
  isUnbatched: boolean;
  /** Any seller was ever paid, or is to be. */
  hasPositions: boolean;
}

/**
 * One statement, and a transaction of its own: on most moments of most days nothing is due. It names the client to row
 * security before it looks at anything; each part names that client again, which keeps it behind the naming.
 */
export async function lookAtDay(ctx: Context, merchantId: string): Promise<BankDayLook> {
  const at = now(ctx);
  const released: CivilDate = lastBankDayOf("release", at);
  const rows = await ctx.db.execute<BankDayLook & Record<string, unknown>>(sql`
    select ${hasMoneyUnderWay(merchantId)} as "isActive",
           ${isAnticipating(merchantId)} as "isAnticipating",
           ${isPrepaymentDue(merchantId, lastBankDayOf("prepayments", at))} as "isPrepaymentDue",
           ${isPrepaymentDue(merchantId, rollForward(saoPauloDay(at)))} as "isPrepaymentComing",
           ${isReleaseDue(merchantId, released, momentOn(released, "release"))} as "isReleaseDue",
           ${isUnbatched(merchantId)} as "isUnbatched",
           exists (select from seller_positions p
                    where p.client_id = who.client_id and p.merchant_id = ${merchantId}) as "hasPositions",
           days.statements_through::text as "statementsThrough", days.cut_on::text as "cutOn",
           days.anticipated_on::text as "anticipatedOn", days.checked_on::text as "checkedOn"
      from (select set_config('app.client_id', ${ctx.account.id}, true)::uuid as client_id) who
      left join lateral (select * from merchant_days d
                          where d.client_id = who.client_id and d.merchant_id = ${merchantId} offset 0) days on true`);
  const [look] = [...rows];
  if (!look) throw new Error("a look without an answer");
  return look;
}

const isUnbatched = (merchantId: string) => sql`(
  ${isAnyOf(sql`receivables r where r.client_id = who.client_id and r.merchant_id = ${merchantId}
             and r.batch_id is null and r.available_at is not null order by r.seller_id, r.id`)}
  or exists (select from seller_adjustments a where a.client_id = who.client_id and a.merchant_id = ${merchantId}
                and a.batch_id is null))`;

const hasMoneyUnderWay = (merchantId: string) => sql`(
  ${isAnyOf(sql`receivables r where r.client_id = who.client_id and r.merchant_id = ${merchantId}
             and r.status = 'waiting_funds' order by r.payment_date`)}
  or ${isUnbatched(merchantId)}
  or exists (select from payout_batches b where b.client_id = who.client_id and b.merchant_id = ${merchantId}
                and b.status = 'pending')
  or exists (select from seller_positions p where p.client_id = who.client_id and p.merchant_id = ${merchantId}
                and p.debt_since is not null)
  or ${isAnyOf(sql`receivables r where r.client_id = who.client_id and r.merchant_id = ${merchantId}
                and r.type = 'credit' and r.original_payment_date >= coalesce(days.statements_through, '0001-01-01')
              order by r.original_payment_date`)})`;
