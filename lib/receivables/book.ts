import type { ReceivableType } from "@/db/schema/receivables";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { availableOf, type Party } from "@/lib/ledger/accounts";
import * as journals from "@/lib/ledger/journals/charges";
import { fares, processingFee } from "@/lib/ledger/journals/fees";
import { type Draft, type NewReceivable, post } from "@/lib/ledger/post";
import { allocate, type Cents, sumOf } from "@/lib/money";
import { paymentArrangementOf, receivableAccountOf } from "@/lib/receivables/arrangement";
import { givingBack, type Waiting, waitingOf } from "@/lib/receivables/giving-back";
import type { Movement, MovementType } from "@/lib/receivables/movements";
import { receivablesOf, type Share } from "@/lib/receivables/shares";

/** What a movement is booked by. */
interface Moment {
  at: Date;
  /** Receivables of its charge that still wait, locked. */
  waiting: readonly Waiting[];
}

/** Posts what moved, with the receivables that it makes, in the transaction that records its evidence. */
export async function book(ctx: Context, movements: readonly Movement[]): Promise<void> {
  if (movements.length === 0) return;
  const refund = movements.find(({ type }) => type === "refund");
  const waiting = refund ? await waitingOf(ctx, refund.charge.row.id) : [];
  const at = now(ctx);
  await post(
    ctx,
    movements.flatMap((movement) => DRAFTS[movement.type](movement, { at, waiting })),
  );
}

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
  givenBack: (of) => [journals.givenBack(saleOf(of), of.eventId, of.amount)],
};

const saleOf = ({ charge: { row } }: Movement): journals.Sale => ({
  merchantId: row.merchantId,
  currency: row.currency,
  chargeId: row.id,
});

const owedIn = ({ charge: { row, brand } }: Movement): string | null => receivableAccountOf(row.paymentType, brand);

/** No seller has a part in a charge yet: all of it is the merchant's. */
const whole = ({ amount }: Movement): journals.Part[] => [{ party: null, amount }];

/** What was captured, what it costs its bearers, and when each part of it can be used. */
export function capture(of: Movement, shares: readonly Share[], at: Date): Draft[] {
  const sale = saleOf(of);
  const { row, brand } = of.charge;
  const partsOf = (amount: (share: Share) => number): journals.Part[] =>
    shares.map((share) => ({ party: share.party, amount: amount(share) }));
  const receivables = receivablesOf(shares, {
    paymentType: row.paymentType,
    paymentArrangement: paymentArrangementOf(row.paymentType, brand),
    installments: row.installments ?? 1,
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
  const feesReturned: journals.Source = {
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
  const { sources, reductions, available } = givingBack(party, amount - feeReturned, waiting);
  const debit = takenAtOnce(of, "refund", at);
  const rows = [
    ...reductions.map((reduction) => ({ ...debit, ...reduction.receivable, net: reduction.amount })),
    ...(available > 0 ? [{ ...debit, net: available }] : []),
  ];
  const fees =
    feeReturned > 0
      ? allocate(
          feeReturned,
          rows.map(({ net }) => net),
        )
      : rows.map(() => 0);
  const receivables = rows.map(({ net, ...row }, index) => {
    const fee = fees[index] ?? 0;
    return { ...row, sellerId: party, gross: -(net + fee), fee: -fee };
  });
  return { sources, receivables };
}

/** Shared as a chargeback is, though it is evidence of a refund. */
function forcedRefund(of: Movement, { at }: Moment): Draft {
  const sources = [{ account: availableOf(null), amount: of.amount }];
  return {
    ...journals.refunded(saleOf(of), of.eventId, owedIn(of), sources),
    receivables: [{ ...takenAtOnce(of, "chargeback", at), gross: -of.amount }],
  };
}

/** The merchant's own, unless said otherwise: taken from money that was released already, or given to it. */
function takenAtOnce(
  { charge: { row, brand } }: Movement,
  type: ReceivableType,
  at: Date,
): Omit<NewReceivable, "gross"> {
  const day = saoPauloDay(at);
  return {
    sellerId: null,
    type,
    status: "paid",
    installment: null,
    installments: row.installments ?? 1,
    fee: 0,
    anticipationFee: 0,
    paymentMethod: row.paymentType,
    paymentArrangement: paymentArrangementOf(row.paymentType, brand),
    paymentDate: day,
    originalPaymentDate: day,
    reduces: null,
    availableAt: at,
  };
}
