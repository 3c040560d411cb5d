import type { AccountName } from "@/lib/ledger/accounts";
import { type Draft, type Subject, transfer } from "@/lib/ledger/post";
import type { Cents } from "@/lib/money";

interface Batch {
  id: string;
  sellerId: string;
  /** What is sent, above 0. */
  finalBalance: Cents;
  withdrawalFee: Cents;
}

const inTransit = ({ sellerId }: Pick<Batch, "sellerId">): AccountName => ({ kind: "payout_in_transit", sellerId });

export const payoutCreated = (subject: Subject, batch: Batch): Draft => {
  const available: AccountName = { kind: "seller_available", sellerId: batch.sellerId };
  return {
    ...subject,
    type: "payout",
    eventId: batch.id,
    transfers: [
      ...transfer(available, inTransit(batch), batch.finalBalance),
      ...transfer(available, { kind: "revenue:withdrawal_fee" }, batch.withdrawalFee),
    ],
  };
};

export const payoutPaid = (subject: Subject, batch: Omit<Batch, "withdrawalFee">): Draft => ({
  ...subject,
  type: "payout_paid",
  eventId: batch.id,
  transfers: transfer(inTransit(batch), { kind: "bank" }, batch.finalBalance),
});
