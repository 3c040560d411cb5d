import { type AccountName, availableOf } from "@/lib/ledger/accounts";
import { type Draft, type JournalSubject, transfer } from "@/lib/ledger/post";
import type { Cents } from "@/lib/money";

interface Batch {
  id: string;
  sellerId: string;
  /** What is sent, above 0. */
  finalBalance: Cents;
  withdrawalFee: Cents;
}

const inTransit = ({ sellerId }: Pick<Batch, "sellerId">): AccountName => ({ kind: "payout_in_transit", sellerId });
const FEES: AccountName = { kind: "revenue:withdrawal_fee" };
const BANK: AccountName = { kind: "bank" };

export const payoutCreated = (subject: JournalSubject, batch: Batch): Draft => ({
  ...subject,
  type: "payout",
  eventId: batch.id,
  transfers: [
    ...transfer(availableOf(batch.sellerId), inTransit(batch), batch.finalBalance),
    ...transfer(availableOf(batch.sellerId), FEES, batch.withdrawalFee),
  ],
});

export const payoutPaid = (subject: JournalSubject, batch: Omit<Batch, "withdrawalFee">): Draft => ({
  ...subject,
  type: "payout_paid",
  eventId: batch.id,
  transfers: transfer(inTransit(batch), BANK, batch.finalBalance),
});

/** The exact reversal of what its creation moved. */
export const payoutFailed = (subject: JournalSubject, batch: Batch): Draft => ({
  ...subject,
  type: "payout_failed",
  eventId: batch.id,
  transfers: [
    ...transfer(inTransit(batch), availableOf(batch.sellerId), batch.finalBalance),
    ...transfer(FEES, availableOf(batch.sellerId), batch.withdrawalFee),
  ],
});

/** Paid, and given back by the bank; the price of the transfer is not. */
export const payoutReturned = (
  subject: JournalSubject,
  { transferId, sellerId, amount }: { transferId: string; sellerId: string; amount: Cents },
): Draft => ({
  ...subject,
  type: "payout_returned",
  eventId: transferId,
  transfers: transfer(BANK, availableOf(sellerId), amount),
});

/** What two people decided: the merchant bears it or gets it; a debt that nobody will pay is its loss. */
export const adjusted = (
  subject: JournalSubject,
  {
    id,
    sellerId,
    kind,
    amount,
  }: { id: string; sellerId: string; kind: "credit" | "correction" | "write_off"; amount: Cents },
): Draft => {
  const other: AccountName = kind === "write_off" ? { kind: "expense:seller_loss" } : { kind: "merchant_available" };
  const own = availableOf(sellerId);
  const transfers = amount < 0 ? transfer(own, other, -amount) : transfer(other, own, amount);
  return { ...subject, type: "adjustment", eventId: id, transfers };
};
