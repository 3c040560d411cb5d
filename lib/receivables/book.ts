import type { Write } from "@/db/writes";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { availableOf, type Party } from "@/lib/ledger/accounts";
import * as journals from "@/lib/ledger/journals/charges";
import { fares, processingFee } from "@/lib/ledger/journals/fees";
import { type Draft, postings } from "@/lib/ledger/post";
import { type Cents, sumOf } from "@/lib/money";
import { paymentArrangementOf, receivableAccountOf } from "@/lib/receivables/arrangement";
import { givingBack, type WaitingReturn, waitingReturnsOf } from "@/lib/receivables/giving-back";
import type { Movement, MovementType } from "@/lib/receivables/movements";
import { receivablesOf, type Share } from "@/lib/receivables/shares";
import { type CapturedSplit, capturedSplit, isCapturedWhole } from "@/lib/receivables/split-capture";
import { splitBookOf, splitChargeback, splitForcedRefund, splitRefund, splitWon } from "@/lib/receivables/split-return";
import { holdPositions } from "@/lib/receivables/split-state";
import { refundRows, takenAtOnce } from "@/lib/receivables/taken";
import { takenBack } from "@/lib/receivables/taken-back";

/** What a movement is booked by. */
interface Moment {
  at: Date;
  /** Receivables of its charge that still wait, locked. */
  waiting: readonly WaitingReturn[];
}

const ofSplit = ({ charge, type }: Movement) => (charge.splits.length > 0 ? SPLIT_DRAFTS[type] : undefined);

/** Whether the movement is booked by what was booked of its charge before. */
export const isBookedByOthers = (movement: Movement): boolean =>
  movement.type === "refund" || movement.type === "refundReversal" || ofSplit(movement) !== undefined;

/** What moved, as the statement that records its evidence posts it: for movements booked by nothing else. */
export const draftsOf = (ctx: Context, movements: readonly Movement[]): Draft[] =>
  movements.flatMap((movement) => DRAFTS[movement.type](movement, { at: now(ctx), waiting: [] }));

/** The same for all movements, under the lock of the charge. */
export async function readDrafts(ctx: Context, movements: readonly Movement[]): Promise<Draft[]> {
  const refund = movements.find(({ type }) => type === "refund");
  if (refund && refund.charge.splits.length > 0) {
    const sellerIds = refund.charge.splits.map(({ sellerId }) => sellerId);
    await holdPositions(ctx, refund.charge.row.merchantId, sellerIds);
  }
  const waiting = refund ? await waitingReturnsOf(ctx, refund.charge.row.id) : [];
  const moment = { at: now(ctx), waiting };
  const drafts: Draft[] = [];
  for (const movement of movements) {
    const shared = movement.type === "refundReversal" ? takenBack : ofSplit(movement);
    drafts.push(...(shared ? await shared(ctx, movement, moment) : DRAFTS[movement.type](movement, moment)));
  }
  return drafts;
}

/** The same for what needs no lock of the charge; undefined where something does. */
export async function unlockedDrafts(ctx: Context, movements: readonly Movement[]): Promise<Draft[] | undefined> {
  const shared = movements.filter(isBookedByOthers);
  if (shared.length === 0) return draftsOf(ctx, movements);
  return shared.every(isCapturedWhole) ? readDrafts(ctx, movements) : undefined;
}

/** Drafts as writes of the statement that records their evidence. */
export const bookings = (ctx: Context, drafts: readonly Draft[]): Write[] => postings(ctx, drafts);

export type { Draft } from "@/lib/ledger/post";

/** Of a charge that sellers share in; what is not here concerns nobody but the merchant. */
const SPLIT_DRAFTS: Partial<
  Record<MovementType, (ctx: Context, movement: Movement, moment: Moment) => Promise<Draft[]>>
> = {
  capture: async (ctx, of, { at }) => sharedCapture(of, await capturedSplit(ctx, of), at),
  refund: async (ctx, of, moment) => [await splitRefund(ctx, of, await splitBookOf(ctx, of), moment)],
  forcedRefund: async (ctx, of, moment) => [splitForcedRefund(of, await splitBookOf(ctx, of), moment)],
  chargeback: async (ctx, of, moment) => [splitChargeback(of, await splitBookOf(ctx, of), moment)],
  chargebackWon: async (ctx, of, moment) => [splitWon(of, await splitBookOf(ctx, of), moment)],
};

const DRAFTS: Record<MovementType, (movement: Movement, moment: Moment) => Draft[]> = {
  hold: (of) => [journals.held(saleOf(of), of.eventId, of.amount)],
  holdRelease: (of) => [journals.holdReleased(saleOf(of), of.eventId, of.amount)],
  capture: (of, { at }) => capture(of, [{ party: null, gross: of.amount, processingFee: 0, fares: 0 }], at),
  refund: (of, moment) => [refund(of, [{ party: null, amount: of.amount, feeReturned: 0 }], moment)],
  forcedRefund: (of, moment) => [forcedRefund(of, moment)],
  chargeback: (of, { at }) => [
    {
      ...journals.chargedBack(saleOf(of), of.eventId, whole(of)),
      receivables: [{ ...takenAtOnce(of, "chargeback", at), gross: -of.amount }],
    },
  ],
  chargebackWon: (of, { at }) => [
    {
      ...journals.chargebackWon(saleOf(of), of.eventId, whole(of)),
      receivables: [{ ...takenAtOnce(of, "chargeback_refund", at), gross: of.amount }],
    },
  ],
  unowned: (of) => [journals.unowned(saleOf(of), of.eventId, of.amount)],
  refundReversal: () => {
    throw new Error("what a refund took is read before it is taken back");
  },
  givenBack: (of) => [journals.givenBack(saleOf(of), of.eventId, of.amount)],
};

const saleOf = ({ charge: { row } }: Movement): journals.Sale => ({
  merchantId: row.merchantId,
  currency: row.currency,
  chargeId: row.id,
});

const owedIn = ({ charge: { row, brand } }: Movement): string | null => receivableAccountOf(row.paymentType, brand);

/** Nobody else has a part in it: all of it is the merchant's. */
const whole = ({ amount }: Movement): journals.SharePart[] => [{ party: null, amount }];

function sharedCapture(of: Movement, { shares, kept }: CapturedSplit, at: Date): Draft[] {
  const [captured, ...fees] = capture(of, shares, at);
  return captured ? [{ ...captured, shares: kept }, ...fees] : fees;
}

/** What was captured, what it costs its bearers, and when each part of it can be used. */
export function capture(of: Movement, shares: readonly Share[], at: Date): Draft[] {
  const sale = saleOf(of);
  const { row, brand } = of.charge;
  const partsOf = (amount: (share: Share) => number): journals.SharePart[] =>
    shares.map((share) => ({ party: share.party, amount: amount(share) }));
  const receivables = receivablesOf(shares, {
    paymentType: row.paymentType,
    paymentArrangement: paymentArrangementOf(row.paymentType, brand),
    installments: row.installments ?? 1,
    ...(of.remainder ? { remainder: of.remainder } : {}),
    capturedOn: saoPauloDay(at),
  });
  const parts = partsOf(({ gross }) => gross);
  return [
    { ...journals.captured(sale, of.eventId, owedIn(of), parts), receivables },
    processingFee(
      sale,
      of.eventId,
      partsOf((share) => share.processingFee),
    ),
    fares(
      sale,
      of.eventId,
      partsOf((share) => share.fares),
    ),
  ];
}

/** What a party gives back of its share, and how much of its fee comes back to it: no more than it gives. */
export interface Return {
  party: Party;
  amount: Cents;
  feeReturned: Cents;
}

export function refund(of: Movement, returns: readonly Return[], { at, waiting }: Moment): Draft {
  const taken = returns.map((given) => takenFrom(of, given, { at, waiting }));
  const feesReturned: journals.RefundSource = {
    account: { kind: "revenue:platform_fee" },
    amount: sumOf(returns.map(({ feeReturned }) => feeReturned)),
  };
  return {
    ...journals.refunded(saleOf(of), of.eventId, owedIn(of), [
      ...taken.flatMap(({ sources }) => sources),
      feesReturned,
    ]),
    receivables: taken.flatMap(({ receivables }) => receivables),
  };
}

function takenFrom(of: Movement, { party, amount, feeReturned }: Return, { at, waiting }: Moment) {
  const back = givingBack(party, amount - feeReturned, waiting);
  return { sources: back.sources, receivables: refundRows(of, party, back, feeReturned, at) };
}

/** Shared as a chargeback is, though it is evidence of a refund. */
function forcedRefund(of: Movement, { at }: Moment): Draft {
  const sources = [{ account: availableOf(null), amount: of.amount }];
  return {
    ...journals.refunded(saleOf(of), of.eventId, owedIn(of), sources),
    receivables: [{ ...takenAtOnce(of, "chargeback", at), gross: -of.amount }],
  };
}
