import type { Cents } from "@/lib/money";
import type { Instant } from "@/lib/providers/provider";

/**
 * For providers whose refunds carry no reference of ours. Before a refund is asked for, the payment at the provider is
 * marked with what had been refunded until then; afterwards the mark tells which of its refunds is whose. Refunds of one
 * payment are asked for one after another.
 */

const PREFIX = "refund_";
const MARK = /^(\d{1,15})\+(\d{1,15})@(\d{1,15})$/;

export interface RefundMark {
  reference: string;
  /** Refunded or being refunded when it was asked for. */
  before: Cents;
  amount: Cents;
  at: number;
}

export const markName = (reference: string): string => `${PREFIX}${reference.replaceAll("-", "_")}`;

export const markText = ({ before, amount, at }: Omit<RefundMark, "reference">): string => `${before}+${amount}@${at}`;

/** The marks among a payment's metadata, oldest first. */
export const marksIn = (metadata: Readonly<Record<string, unknown>>): RefundMark[] =>
  Object.entries(metadata)
    .flatMap(([name, text]): RefundMark[] => {
      const read = name.startsWith(PREFIX) && typeof text === "string" ? MARK.exec(text) : null;
      if (!read) return [];
      const [before = 0, amount = 0, at = 0] = read.slice(1).map(Number);
      return [{ reference: name.slice(PREFIX.length).replaceAll("_", "-"), before, amount, at }];
    })
    .sort((a, b) => a.at - b.at);

/** Money that went back, as a query shows it. */
export interface ProviderRefund {
  refundId: string;
  /** providerReference of the attempt that asked for it; absent when the payer's bank forced it. */
  reference?: string;
  /** What it gave back of, where the provider tells each payment of a charge apart. */
  paymentId?: string;
  amount: Cents;
  status: "pending" | "done" | "failed";
  at: Instant;
}

/** A refund that was asked for here and not refused, or one that was found at the provider. */
export interface KnownRefund {
  /** providerReference of the attempt that asked for it. */
  reference?: string;
  /** As the provider's record named one that was found there. */
  refundId?: string;
  amount: Cents;
  isDone: boolean;
  /** The provider said that it took it and will do it later. */
  isAccepted: boolean;
  /** It was refused as it was asked for: only a record that shows just this refund says otherwise. */
  isRefused?: boolean;
  at: Instant;
}

/** A refund as the provider lists it. */
export type Listed = Omit<ProviderRefund, "reference">;

/** Between the provider's clock and ours. */
const MOST_SKEW_MS = 600_000;

/**
 * Each refund with the reference of who asked for it; one that nobody here asked for has none. Oldest first. Where another
 * refund came between a mark and its own, the mark says less than had been refunded by then.
 */
export function attributed(listed: readonly Listed[], marks: readonly RefundMark[]): ProviderRefund[] {
  const left = [...marks];
  let sum = 0;
  const placed = listed.map((refund) => {
    const at = sum;
    if (refund.status !== "failed") sum += refund.amount;
    return { refund, at };
  });
  const references = new Map<Listed, string>();
  // Made before the mark, it is another's: the refund of this mark may not be shown yet, and has not failed.
  const isOlder = ({ status, at }: Listed, mark: RefundMark): boolean => {
    const madeMs = Date.parse(at);
    // Without a date that can be read it has that of the beginning of time.
    return status === "failed" && madeMs > 0 && madeMs < mark.at - MOST_SKEW_MS;
  };
  const give = (fits: (mark: RefundMark, at: Cents) => boolean): void => {
    // From the newest on: of equal marks an older one may be of a refund that never arrived.
    for (const { refund, at } of placed.toReversed()) {
      if (references.has(refund)) continue;
      const found = left.findLastIndex(
        (mark) => mark.amount === refund.amount && fits(mark, at) && !isOlder(refund, mark),
      );
      const [mark] = found < 0 ? [] : left.splice(found, 1);
      if (mark) references.set(refund, mark.reference);
    }
  };
  give(({ before }, at) => before === at);
  give(({ before }, at) => before < at);
  return listed.map((refund) => {
    const reference = references.get(refund);
    return reference === undefined ? refund : { ...refund, reference };
  });
}

/** What is refunded, or on its way. */
export const takenBy = (refunds: readonly Pick<ProviderRefund, "amount" | "status">[]): Cents =>
  refunds.filter(({ status }) => status !== "failed").reduce((sum, { amount }) => sum + amount, 0);

export const doneOf = (refunds: readonly Pick<ProviderRefund, "amount" | "status">[]): Cents =>
  refunds.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0);
