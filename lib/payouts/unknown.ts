import { type SQL, sql } from "drizzle-orm";
import { type CivilDate, previousBankDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { lastBankDayOf } from "@/lib/receivables/merchant-day";
import { keepBreaks, type StatementDifference } from "@/lib/settlement/breaks";

/** Bank days that a transfer without a result is asked about before people are told. */
const ASKED_BANK_DAYS = 3;

/** Transfers of this day and before have been asked about long enough: until 17:00 of the third bank day after it. */
function askedLongEnough(at: Date): CivilDate {
  let day = lastBankDayOf("lastTransfers", at);
  for (let back = 0; back < ASKED_BANK_DAYS; back += 1) day = previousBankDay(day);
  return day;
}

/** Of an unknown transfer that left on this day: whether its bank is not expected to say any more what became of it. */
export const isGivenUp = (sentOn: CivilDate | null, at: Date): boolean =>
  sentOn !== null && sentOn <= askedLongEnough(at);

/** The same of rows. */
export const isBroken = (at: Date): SQL => sql`(sent_on <= ${askedLongEnough(at)})`;

/**
 * Transfers whose bank still does not say what became of them, each a break that somebody owns: they stay as they are and
 * are never sent again, until the bank or two people say how they ended (spec/settlement.md section 4).
 */
export async function keepUnknown(ctx: Context, merchantId: string): Promise<void> {
  const rows = await ctx.db.execute<StatementDifference & Record<string, unknown>>(sql`
    select id::text as subject, null::uuid as "chargeId", sent_on::text as day, amount::float8 as expected, 0::float8 as found
      from payout_transfers
     where client_id = ${ctx.account.id} and merchant_id = ${merchantId} and status = 'unknown' and ${isBroken(now(ctx))}
     order by id`);
  await keepBreaks(ctx, merchantId, "transfer_unknown", [...rows]);
}
