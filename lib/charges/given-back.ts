import { sql } from "drizzle-orm";
import type { ChargeRow } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import { notEnded, PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import { addSeconds, realNow } from "@/lib/time";

export interface CountedTogether {
  /** What people gave back of it so far, by one or by two of them, and what they are giving back now. */
  given: number;
  /** What waits for a second person. */
  waiting: number;
}

type Payment = Pick<ChargeRow, "id" | "purchaseId">;

/**
 * Of one payment, whose parts count together: of a purchase all of its cards. What the provider refused since was never
 * given back, so no card counts with more than its books say.
 */
export async function givenBackOf({ db, account }: Context, { id, purchaseId }: Payment): Promise<CountedTogether> {
  const since = addSeconds(realNow(), -PROPOSAL_SECONDS).toISOString();
  const [row] = await db.execute<{ given: string; waiting: string }>(sql`
    with cards as (
      select c.id::text as id, c.status, c.captured_amount - c.refunded_amount as left,
             c.refunded_amount + case when c.operation = 'refund' then coalesce(c.operation_amount, 0) else 0 end as back
        from charges c
       where c.client_id = ${account.id} and ${purchaseId ? sql`c.purchase_id = ${purchaseId}` : sql`c.id = ${id}`}
    )
    select coalesce(sum(least(back, case when whole.by_people then back else (
             select coalesce(sum((v.after->>'amount')::bigint), 0) from audit_log v
              where v.client_id = ${account.id} and v.object_id = cards.id and v.action = 'charge.void'
                and v.actor like 'operator:%') end)), 0)::text as given,
           coalesce(sum((
             select sum((l.after->>'amount')::bigint) from audit_log l
              where l.client_id = ${account.id} and l.object_id = cards.id and l.action = 'charge.refund.propose'
                and l.at >= ${since}::timestamptz and ${notEnded(sql`l`)}
                and cards.status = 'authorized' and (l.after->>'amount')::bigint <= cards.left)), 0)::text as waiting
      from cards, lateral (select exists (
             select from audit_log w where w.client_id = ${account.id} and w.object_id = ${purchaseId ?? ""}
                and w.action = 'purchase.refund' and w.actor like 'operator:%') as by_people) whole`);
  return { given: Number(row?.given ?? 0), waiting: Number(row?.waiting ?? 0) };
}

/** One after the other: what people ask for of a payment, take back, refuse and agree to. */
export const oneAtATime = async ({ db, account }: Context, chargeId: string): Promise<void> => {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${account.id} requests of ${chargeId}`}, 0))`);
};
