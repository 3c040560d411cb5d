import { sql } from "drizzle-orm";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";

/** A batch that ended below zero and of which no later one has taken the debt over yet. */
export interface CarriedBatch {
  id: string;
  day: CivilDate;
}

/** There is one of each seller, or of each merchant's own, unless a day had several groups of sales. */
const MOST_SHOWN = 5;

/** Where a debt stands: of one seller, or the account's own; the newest first. */
export async function carriedBatches(
  { account, db }: Context,
  sellerId: string | undefined,
): Promise<readonly CarriedBatch[]> {
  const rows = await db.execute<CarriedBatch & Record<string, unknown>>(sql`
    select b.id, b.payment_date::text as day from payout_batches b
     where b.client_id = ${account.id} and b.merchant_id in (select id from merchants where client_id = ${account.id})
       and b.seller_id is not distinct from ${sellerId ?? null}::uuid and b.status = 'offset' and b.final_balance < 0
       and not exists (select from payout_lines l where l.source_id = b.id and l.type = 'carried' and l.is_live)
     order by b.payment_date desc, b.created_at desc limit ${MOST_SHOWN}`);
  return [...rows];
}
