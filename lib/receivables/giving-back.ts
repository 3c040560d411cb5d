import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { availableOf, type Party, pendingOf } from "@/lib/ledger/accounts";
import type { RefundSource } from "@/lib/ledger/journals/charges";
import { allocate, type Cents, sumOf } from "@/lib/money";

/** A receivable that waits for its payment date, and what refunds have left of it. */
export interface WaitingReturn {
  id: string;
  sellerId: Party;
  installment: number;
  paymentDate: string;
  originalPaymentDate: string;
  open: Cents;
}

/** Locks them: none is released while a refund is taken from it. */
export async function waitingReturnsOf({ db }: Context, chargeId: string): Promise<WaitingReturn[]> {
  const rows = await db.execute<WaitingReturn & Record<string, unknown>>(sql`
    select r.id, r.seller_id as "sellerId", r.installment, r.payment_date::text as "paymentDate",
           r.original_payment_date::text as "originalPaymentDate", ${OPEN}::float8 as open
      from receivables r
     where r.charge_id = ${chargeId} and r.type = 'credit' and r.status = 'waiting_funds'
     order by r.installment, r.id for update of r`);
  return [...rows];
}

/** Net of the receivable `r`, less the refunds that were taken from it. */
export const OPEN = sql.raw(`(r.gross - r.fee - r.anticipation_fee + coalesce((
  select sum(d.gross - d.fee) from receivables d where d.reduces = r.id), 0))`);

export interface GivenBack {
  sources: RefundSource[];
  reductions: {
    receivable: { installment: number; paymentDate: string; originalPaymentDate: string; reduces: string };
    amount: Cents;
  }[];
  /** What comes from money that was released already. */
  available: Cents;
}

/**
 * Where a party's part of a refund is taken from (spec/money.md section 7): its instalments still waiting, in proportion
 * to what is left of them, and then its available balance.
 */
export function givingBack(party: Party, amount: Cents, waiting: readonly WaitingReturn[]): GivenBack {
  const own = waiting.filter(({ sellerId, open }) => sellerId === party && open > 0);
  const weights = own.map(({ open }) => open);
  const pending = Math.min(amount, sumOf(weights));
  const parts = pending > 0 ? allocate(pending, weights) : [];
  const available = amount - pending;
  return {
    sources: [
      { account: pendingOf(party), amount: pending },
      { account: availableOf(party), amount: available },
    ],
    reductions: own
      .map(({ id: reduces, installment, paymentDate, originalPaymentDate }, index) => ({
        receivable: { installment, paymentDate, originalPaymentDate, reduces },
        amount: parts[index] ?? 0,
      }))
      .filter((reduction) => reduction.amount > 0),
    available,
  };
}
