import { availableOf, pendingOf } from "@/lib/ledger/accounts";
import { type Draft, type JournalSubject, transfer } from "@/lib/ledger/post";
import type { Prepaid } from "@/lib/money";

/** A seller's receivable paid early, on its new payment date: posted then, not when it was committed. */
export const prepaid = (
  subject: JournalSubject,
  { id, receivableId, sellerId, net, fee, markup }: Prepaid & { id: string; receivableId: string; sellerId: string },
): Draft => ({
  ...subject,
  type: "prepayment",
  eventId: `${id}:${receivableId}`,
  transfers: [
    ...transfer(pendingOf(sellerId), availableOf(sellerId), net),
    ...transfer(pendingOf(sellerId), { kind: "revenue:prepayment" }, fee + markup),
  ],
});

/** The merchant's own: its acquirer pays it early, and keeps the price. */
export const ownPrepaid = (
  subject: JournalSubject,
  arrangement: string | null,
  { id, receivableId, net, fee, markup }: Prepaid & { id: string; receivableId: string },
): Draft => ({
  ...subject,
  type: "prepayment",
  eventId: `${id}:${receivableId}`,
  transfers: [
    ...transfer(pendingOf(null), availableOf(null), net),
    ...transfer(pendingOf(null), { kind: "provider_receivable", arrangement }, fee + markup),
  ],
});
