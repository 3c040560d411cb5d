import type { ReceivableType } from "@/db/schema/receivables";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { availableOf } from "@/lib/ledger/accounts";
import * as journals from "@/lib/ledger/journals/charges";
import { fares, processingFee } from "@/lib/ledger/journals/fees";
import { type Draft, type NewReceivable, post } from "@/lib/ledger/post";
import type { Cents } from "@/lib/money";
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
  refund: (of, moment) => [refund(of, moment)],
  forcedRefund: (of, moment) => [forcedRefund(of, moment)],
  chargeback: (of, { at }) => [
    {
      ...journals.chargedBack(saleOf(of), of.eventId, whole(of)),
      receivables: [taken(of, "chargeback", -of.amount, at)],
    },
  ],
  chargebackWon: (of, { at }) => [
    {
      ...journals.chargebackWon(saleOf(of), of.eventId, whole(of)),
      receivables: [taken(of, "chargeback_refund", of.amount, at)],
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

function refund(of: Movement, { at, waiting }: Moment): Draft {
  const { sources, reductions, available } = givingBack(null, of.amount, waiting);
  return {
    ...journals.refunded(saleOf(of), of.eventId, owedIn(of), sources),
    receivables: [
      ...reductions.map((reduction) => ({ ...taken(of, "refund", -reduction.amount, at), ...reduction.receivable })),
      ...(available > 0 ? [taken(of, "refund", -available, at)] : []),
    ],
  };
}

/** Shared as a chargeback is, though it is evidence of a refund. */
function forcedRefund(of: Movement, { at }: Moment): Draft {
  const sources = [{ account: availableOf(null), amount: of.amount }];
  return {
    ...journals.refunded(saleOf(of), of.eventId, owedIn(of), sources),
    receivables: [taken(of, "chargeback", -of.amount, at)],
  };
}

/** What is taken from money that was released already, or given to it, is so at once. */
function taken({ charge: { row, brand } }: Movement, type: ReceivableType, gross: Cents, at: Date): NewReceivable {
  const day = saoPauloDay(at);
  return {
    sellerId: null,
    type,
    status: "paid",
    installment: null,
    installments: row.installments ?? 1,
    gross,
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
