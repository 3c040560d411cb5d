import { and, eq, isNull, sql } from "drizzle-orm";
import {
  payoutBatches,
  payoutHolds,
  payoutTransfers,
  sellerAdjustments,
  TRANSFER_REASONS,
  type TransferReason,
  type TransferState,
} from "@/db/schema/payouts";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import { payoutFailed, payoutPaid, payoutReturned } from "@/lib/ledger/journals/payouts";
import { post } from "@/lib/ledger/post";
import { announceBatch, announceReturn } from "@/lib/payouts/events";
import { batchMachine, transferMachine } from "@/lib/payouts/machine";
import { type BatchRow, findBatch } from "@/lib/payouts/queries";
import { isOfTheAccount } from "@/lib/payouts/rails";

export type TransferRow = typeof payoutTransfers.$inferSelect;

/** A bank gives back what it paid within this time. */
export const RETURN_DAYS = 90;

/** A bank's own word for why, as one of ours. */
export const transferReason = (word: string | undefined): TransferReason =>
  TRANSFER_REASONS.find((reason) => reason === word) ?? "unknown";

/** A compare-and-set; false when somebody else moved it meanwhile, or takes it as never told. */
export async function moveTransfer(
  ctx: Context,
  { id, status, attemptedAt }: Pick<TransferRow, "id" | "status" | "attemptedAt">,
  fact: string,
  changes: Partial<TransferRow> = {},
): Promise<boolean> {
  const to: TransferState = transferMachine.next(status, fact);
  const moved = await ctx.db
    .update(payoutTransfers)
    .set({ ...changes, status: to, updatedAt: now(ctx) })
    .where(
      and(
        eq(payoutTransfers.id, id),
        eq(payoutTransfers.status, status),
        attemptedAt ? eq(payoutTransfers.attemptedAt, attemptedAt) : isNull(payoutTransfers.attemptedAt),
      ),
    )
    .returning({ id: payoutTransfers.id });
  return moved.length > 0;
}

/** The bank paid it, on the day it was told to; or on the day that a person says, by the bank's name of it. */
export async function settleTransfer(
  ctx: Context,
  transfer: TransferRow,
  said: Partial<Pick<TransferRow, "sentOn" | "bankReference">> = {},
): Promise<void> {
  if (!(await moveTransfer(ctx, transfer, "bank.settled", { ...said, settledAt: now(ctx) }))) return;
  const payoutDate = said.sentOn ?? transfer.sentOn;
  const batch = await endBatch(ctx, transfer.batchId, "payout.paid", { payoutDate });
  await post(ctx, [payoutPaid(subjectOf(batch), { ...amountsOf(batch), sellerId: transfer.sellerId })]);
}

/** Nothing was paid: all of it is available again, and what the batch stood for waits for the next one. */
export async function failTransfer(ctx: Context, transfer: TransferRow, reason: TransferReason): Promise<void> {
  if (!(await moveTransfer(ctx, transfer, "bank.refused", { reason }))) return;
  await lockSeller(ctx, transfer);
  const batch = await endBatch(ctx, transfer.batchId, "payout.failed", { errorReason: reason });
  await ctx.db.execute(sql`update payout_lines set is_live = false where batch_id = ${batch.id}`);
  await ctx.db.execute(sql`
    update receivables set batch_id = null
     where id in (select source_id from payout_lines where batch_id = ${batch.id} and source_type = 'receivable')`);
  await ctx.db.execute(sql`update seller_adjustments set batch_id = null where batch_id = ${batch.id}`);
  await post(ctx, [payoutFailed(subjectOf(batch), { ...amountsOf(batch), sellerId: transfer.sellerId })]);
  await holdIfAccount(ctx, transfer, reason);
}

/** It was paid, and the bank gave it back: a fact of its own, paid out again with the next batch. */
export async function returnTransfer(ctx: Context, transfer: TransferRow, reason: TransferReason): Promise<void> {
  const at = now(ctx);
  if (!(await moveTransfer(ctx, transfer, "bank.gave_back", { reason, returnedAt: at }))) return;
  await lockSeller(ctx, transfer);
  const { id: transferId, clientId, merchantId, sellerId, amount, currency, batchId } = transfer;
  await post(ctx, [payoutReturned({ merchantId, currency }, { transferId, sellerId, amount })]);
  await ctx.db.insert(sellerAdjustments).values({
    id: newId(),
    clientId,
    merchantId,
    sellerId,
    kind: "returned",
    amount,
    currency,
    transferId,
    reason,
    createdAt: at,
  });
  const batch = await findBatch(ctx, batchId);
  if (batch) await announceReturn(ctx, batch, reason);
  await holdIfAccount(ctx, transfer, reason);
}

const lockSeller = ({ db }: Context, { merchantId, sellerId }: TransferRow): Promise<unknown> =>
  db.execute(sql`
    select 1 from seller_positions where merchant_id = ${merchantId} and seller_id = ${sellerId} for update`);

async function endBatch(
  ctx: Context,
  id: string,
  fact: string,
  changes: Partial<Pick<BatchRow, "payoutDate" | "errorReason">>,
): Promise<BatchRow> {
  const [batch] = await ctx.db
    .update(payoutBatches)
    .set({ ...changes, status: batchMachine.next("pending", fact), updatedAt: now(ctx) })
    .where(and(eq(payoutBatches.id, id), eq(payoutBatches.status, "pending")))
    .returning();
  if (!batch) throw new Error("a transfer whose batch is not pending");
  await announceBatch(ctx, batch);
  return batch;
}

const subjectOf = ({ merchantId, currency }: BatchRow) => ({ merchantId, currency });
const amountsOf = ({ id, finalBalance, withdrawalFeeAmount: withdrawalFee }: BatchRow) => ({
  id,
  finalBalance,
  withdrawalFee,
});

/** Until its account changes; one that it has replaced meanwhile holds nothing. */
async function holdIfAccount(
  ctx: Context,
  { id, clientId, merchantId, sellerId }: TransferRow,
  reason: TransferReason,
): Promise<void> {
  if (!isOfTheAccount(reason)) return;
  const current = await ctx.db.execute(sql`
    select 1 from payout_transfers t join sellers s on s.id = t.seller_id
     where t.id = ${id} and t.destination -> 'account' = s.bank_account`);
  if ([...current].length === 0) return;
  await ctx.db
    .insert(payoutHolds)
    .values({ id: newId(), clientId, merchantId, sellerId, cause: "account", reason, createdAt: now(ctx) })
    .onConflictDoNothing();
}

/** The acquirer's statement of their days is in: what it paid to the merchant itself is paid. */
export async function settleOwnBatches(ctx: Context, merchantId: string, through: string): Promise<void> {
  const batches = await ctx.db
    .update(payoutBatches)
    .set({
      status: batchMachine.next("pending", "payout.paid"),
      payoutDate: sql`${payoutBatches.paymentDate}`,
      updatedAt: now(ctx),
    })
    .where(
      and(
        eq(payoutBatches.merchantId, merchantId),
        eq(payoutBatches.status, "pending"),
        sql`${payoutBatches.sellerId} is null and ${payoutBatches.paymentDate} <= ${through}`,
      ),
    )
    .returning();
  for (const batch of batches) await announceBatch(ctx, batch);
}
