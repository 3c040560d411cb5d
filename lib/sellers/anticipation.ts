import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { sellers } from "@/db/schema/sellers";
import { nextBankDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { scheduleNoLater } from "@/lib/due-jobs/schedule";
import { lastBankDayOf, momentOn } from "@/lib/receivables/merchant-day";
import type { SellerRow } from "@/lib/sellers/queries";
import { keepDay } from "@/lib/settlement/days";

const isOn = ({ transferPolicy }: SellerRow): boolean => transferPolicy.automaticAnticipationEnabled === true;

/**
 * A policy that begins is lived from the next 14:00 of a bank day on (spec/settlement.md section 5): its merchant may have
 * had no such moment, and left nothing out before it.
 */
export async function beginAnticipation(ctx: Context, before: SellerRow | undefined, row: SellerRow): Promise<void> {
  if (!isOn(row) || (before && isOn(before))) return;
  const { merchantId } = row;
  const over = lastBankDayOf("anticipation", now(ctx));
  if (!(await hasOther(ctx, row))) await keepDay(ctx, merchantId, "anticipatedOn", over);
  await scheduleNoLater(ctx, "merchant.day", merchantId, momentOn(nextBankDay(over), "anticipation"));
}

async function hasOther({ db, account }: Context, { id, merchantId }: SellerRow): Promise<boolean> {
  const [other] = await db
    .select({ id: sellers.id })
    .from(sellers)
    .where(
      and(
        eq(sellers.clientId, account.id),
        eq(sellers.merchantId, merchantId),
        ne(sellers.id, id),
        isNull(sellers.deletedAt),
        sql`(${sellers.transferPolicy} ->> 'automaticAnticipationEnabled')::boolean`,
      ),
    )
    .limit(1);
  return other !== undefined;
}
