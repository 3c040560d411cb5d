import { and, asc, eq, gte, inArray } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import { payoutBatches, payoutLines } from "@/db/schema/payouts";
import { addDays, type CivilDate, isBankDay, nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { DomainError, invalid } from "@/lib/errors";
import { payoutCreated } from "@/lib/ledger/journals/payouts";
import { cutOne } from "@/lib/payouts/cut";
import { merchantOfSeller } from "@/lib/payouts/service";
import { journalsOf } from "@/lib/plans/journals";
import { rolledBack } from "@/lib/plans/rolled-back";
import { NOTHING, type PlanBody } from "@/lib/plans/schema";

interface Asked {
  merchantId: string;
  sellerId?: string | undefined;
  date?: CivilDate | undefined;
}

const MOST_DAYS_AHEAD = 366;

/** What would be paid of what is released by now, by the very cut of a bank day; nothing of it stays. */
export const planPayout = (ctx: Context, { merchantId, sellerId, date }: Asked): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => {
    const { account, db } = inside;
    const [merchant] = await db
      .select({ id: merchants.id })
      .from(merchants)
      .where(and(eq(merchants.clientId, account.id), eq(merchants.id, merchantId)));
    if (!merchant) throw new DomainError("merchant_not_found", "the merchant does not exist");
    if (sellerId !== undefined && (await merchantOfSeller(inside, sellerId)) !== merchantId) {
      throw new DomainError("seller_not_found", "the seller is of another merchant");
    }
    const today = saoPauloDay(now(inside));
    const day = date ?? nextBankDay(today);
    if (day < today || !isBankDay(day)) throw invalid("date: must be a bank day that is not over");
    if (day > addDays(today, MOST_DAYS_AHEAD)) throw invalid(`date: must be at most ${MOST_DAYS_AHEAD} days ahead`);
    // Batches of a day have its date, and those that are there already are not planned.
    const before = await batchesOn(inside, merchantId, day);
    await cutOne(inside, merchantId, day, sellerId);
    const known = new Set(before.map(({ id }) => id));
    return planOf(
      inside,
      day,
      (await batchesOn(inside, merchantId, day)).filter(({ id }) => !known.has(id)),
    );
  });

const batchesOn = ({ account, db }: Context, merchantId: string, day: CivilDate) =>
  db
    .select()
    .from(payoutBatches)
    .where(
      and(
        eq(payoutBatches.clientId, account.id),
        eq(payoutBatches.merchantId, merchantId),
        gte(payoutBatches.paymentDate, day),
      ),
    )
    .orderBy(
      asc(payoutBatches.sellerId),
      asc(payoutBatches.paymentArrangement),
      asc(payoutBatches.paymentMethod),
      asc(payoutBatches.feature),
    );

async function planOf(
  { db }: Context,
  day: CivilDate,
  batches: readonly (typeof payoutBatches.$inferSelect)[],
): Promise<PlanBody> {
  const prices = await db
    .select({ batchId: payoutLines.batchId, planId: payoutLines.sourceId })
    .from(payoutLines)
    .where(
      and(
        inArray(
          payoutLines.batchId,
          batches.map(({ id }) => id),
        ),
        eq(payoutLines.sourceType, "plan"),
      ),
    );
  const sent = batches.flatMap(({ sellerId, status, ...batch }) =>
    sellerId !== null && status === "pending" ? [{ ...batch, sellerId }] : [],
  );
  return {
    ...NOTHING,
    shares: batches.map(({ sellerId, finalBalance }) => ({
      sellerId,
      installment: null,
      amount: finalBalance,
      date: day,
    })),
    fees: batches
      .filter(({ withdrawalFeeAmount }) => withdrawalFeeAmount > 0)
      .map(({ id, sellerId, withdrawalFeeAmount }) => ({
        sellerId,
        amount: withdrawalFeeAmount,
        rateId: prices.find(({ batchId }) => batchId === id)?.planId ?? null,
      })),
    journals: journalsOf(
      sent.map(({ id, merchantId, currency, sellerId, finalBalance, withdrawalFeeAmount: withdrawalFee }) =>
        payoutCreated({ merchantId, currency }, { id, sellerId, finalBalance, withdrawalFee }),
      ),
    ),
    events: batches.map(({ status }) => `payout.${status}`),
  };
}
