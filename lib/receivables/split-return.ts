import { and, eq } from "drizzle-orm";
import { splitRules } from "@/db/schema/charges";
import type { Context } from "@/lib/context";
import { availableOf, type Party } from "@/lib/ledger/accounts";
import * as journals from "@/lib/ledger/journals/charges";
import { type Draft, type NewReceivable, type Transfer, transfer } from "@/lib/ledger/post";
import { allocate, type Cents, feeReturned, sumOf } from "@/lib/money";
import { receivableAccountOf } from "@/lib/receivables/arrangement";
import { givingBack, type WaitingReturn } from "@/lib/receivables/giving-back";
import type { Movement } from "@/lib/receivables/movements";
import {
  isTooLate,
  lockPositions,
  type Position,
  type SplitStanding,
  standingsOf,
} from "@/lib/receivables/split-state";
import { refundRows, takenAtOnce } from "@/lib/receivables/taken";
import { refundableOf } from "@/lib/splits/fees";
import type { SplitRow } from "@/lib/splits/rows";

/** What goes back of a split sale: spec/money.md section 7, spec/settlement.md section 3. */
export interface SplitBook {
  rules: readonly SplitRow[];
  standings: ReadonlyMap<Party, SplitStanding>;
  positions: ReadonlyMap<string, Position>;
}

/** Read behind the charge's lock, with the positions of its sellers locked. */
export async function splitBookOf(ctx: Context, { charge }: Movement): Promise<SplitBook> {
  const rules = await ctx.db
    .select()
    .from(splitRules)
    .where(eq(splitRules.chargeId, charge.row.id))
    .orderBy(splitRules.position);
  const positions = await lockPositions(
    ctx,
    charge,
    rules.map(({ sellerId }) => sellerId),
  );
  return { rules, positions, standings: await standingsOf(ctx, charge.row.id) };
}

interface Moment {
  at: Date;
  waiting: readonly WaitingReturn[];
}

const saleOf = ({ charge: { row } }: Movement): journals.Sale => ({
  merchantId: row.merchantId,
  currency: row.currency,
  chargeId: row.id,
});
const owedIn = ({ charge: { row, brand } }: Movement): string | null => receivableAccountOf(row.paymentType, brand);

const openOf = ({ standings }: SplitBook, party: Party): Cents => Math.max(0, standings.get(party)?.open ?? 0);

/**
 * Of which rule's share the refund is: by the request's rules, else in proportion to what is not refunded yet. What went
 * meanwhile, by a dispute or another refund, falls on the merchant.
 */
function partsOf(of: Movement, book: SplitBook): Cents[] {
  const { rules } = book;
  const chosen = of.asked?.rules;
  const parts = chosen
    ? rules.map(({ sellerId }) => chosen.find((rule) => rule.sellerId === sellerId)?.amount ?? 0)
    : proportional(of.amount, [...rules.map(({ sellerId }) => openOf(book, sellerId)), openOf(book, null)]);
  return rules.map(({ sellerId }, index) => Math.min(parts[index] ?? 0, openOf(book, sellerId)));
}

/** Too late for a seller, its part falls on the merchant. */
function isLate(of: Movement, book: SplitBook, { sellerId }: SplitRow): boolean {
  const limit = book.positions.get(sellerId)?.maxRefundDays ?? null;
  const { capturedAt } = of.charge.row;
  return Boolean(of.asked && capturedAt && isTooLate(limit, capturedAt, of.asked.at));
}

const proportional = (amount: Cents, weights: readonly Cents[]): Cents[] =>
  sumOf(weights) > 0 ? allocate(amount, weights) : weights.map(() => 0);

export async function splitRefund(ctx: Context, of: Movement, book: SplitBook, moment: Moment): Promise<Draft> {
  const parts = partsOf(of, book);
  await keepRefunded(ctx, of.eventId, book, parts);
  const gives = book.rules.map((rule, index) => (isLate(of, book, rule) ? 0 : (parts[index] ?? 0)));
  const taken = book.rules.map((rule, index) => takenOf(of, book, rule, gives[index] ?? 0, moment));
  const short = sumOf(taken.map(({ left }) => left));
  const merchant = givingBack(null, of.amount - sumOf(gives) + short, moment.waiting);
  const sources = [...taken.flatMap((one) => one.sources), ...merchant.sources];
  const draft = journals.refunded(saleOf(of), of.eventId, owedIn(of), sources);
  return {
    ...draft,
    transfers: [...draft.transfers, ...taken.flatMap(({ credits }) => credits)],
    receivables: [...taken.flatMap(({ receivables }) => receivables), ...refundRows(of, null, merchant, 0, moment.at)],
  };
}

/** In the refund's own transaction: the next one counts on from here. */
async function keepRefunded(
  ctx: Context,
  eventId: string,
  { rules }: SplitBook,
  parts: readonly Cents[],
): Promise<void> {
  for (const [index, { id, refundedShare, refundedParts }] of rules.entries()) {
    const part = parts[index] ?? 0;
    if (part === 0) continue;
    await ctx.db
      .update(splitRules)
      .set({ refundedShare: refundedShare + part, refundedParts: { ...refundedParts, [eventId]: part } })
      .where(and(eq(splitRules.clientId, ctx.account.id), eq(splitRules.id, id)));
  }
}

interface Taken {
  sources: journals.RefundSource[];
  /** A returned fee above the refund is the seller's at once. */
  credits: Transfer[];
  receivables: NewReceivable[];
  /** What falls on the merchant. */
  left: Cents;
}

/** Of one seller: its fee comes back, then what waits is taken, then what is available down to the least it may owe. */
function takenOf(of: Movement, book: SplitBook, rule: SplitRow, give: Cents, { at, waiting }: Moment): Taken {
  const { sellerId: party } = rule;
  if (give === 0) return { sources: [], credits: [], receivables: [], left: 0 };
  const returned = feesReturned(rule, give);
  const owed = Math.min(give, returned.processing + returned.fares);
  const fromProcessing = Math.min(returned.processing, owed);
  const fromFares = owed - fromProcessing;
  const back = givingBack(party, give - owed, waiting);
  const available = Math.min(back.available, book.positions.get(party)?.room ?? 0);
  const left = back.available - available;
  const [pending] = back.sources;
  const excess = returned.processing + returned.fares - owed;
  const rows = refundRows(of, party, { ...back, available }, excess > 0 ? 0 : owed, at);
  return {
    sources: [
      ...(pending ? [pending] : []),
      { account: availableOf(party), amount: available },
      { account: { kind: "revenue:platform_fee" }, amount: fromProcessing },
      { account: { kind: "revenue:fares" }, amount: fromFares },
    ],
    credits: [
      ...transfer({ kind: "revenue:platform_fee" }, availableOf(party), returned.processing - fromProcessing),
      ...transfer({ kind: "revenue:fares" }, availableOf(party), returned.fares - fromFares),
    ],
    receivables: rows.length > 0 || give === left ? rows : [feesAlone(of, party, give - left, returned, at)],
    left,
  };
}

/** Nothing was taken of the seller beside its fees. */
const feesAlone = (
  of: Movement,
  party: Party,
  gross: Cents,
  { processing, fares }: { processing: Cents; fares: Cents },
  at: Date,
): NewReceivable => ({
  ...takenAtOnce(of, "refund", at),
  sellerId: party,
  gross: -gross,
  fee: -(processing + fares),
});

/** Cumulative, so that parts add up exactly to what goes back of the whole. */
function feesReturned(rule: SplitRow, give: Cents): { processing: Cents; fares: Cents } {
  const share = rule.capturedShare ?? 0;
  if (share === 0) return { processing: 0, fares: 0 };
  const before = rule.refundedShare;
  const after = before + give;
  const backOf = (part: Cents) => feeReturned(part, share, before, after);
  return {
    processing: backOf(
      refundableOf(rule.processingRefundable ?? "none", rule.processing ?? 0, rule.processingMdr ?? 0),
    ),
    fares: backOf(refundableOf(rule.faresRefundable ?? "none", rule.fares ?? 0, rule.faresMdr ?? 0)),
  };
}

/** Who is liable, in proportion to what they still have; nobody, or nothing left: the merchant. */
function liableParts(amount: Cents, book: SplitBook): journals.SharePart[] {
  const liable = book.rules.filter(({ liable: isLiable, sellerId }) => isLiable && openOf(book, sellerId) > 0);
  if (liable.length === 0) return [{ party: null, amount }];
  const parts = allocate(
    amount,
    liable.map(({ sellerId }) => openOf(book, sellerId)),
  );
  return liable
    .map(({ sellerId: party }, index) => ({ party, amount: parts[index] ?? 0 }))
    .filter((part) => part.amount > 0);
}

const lostBy = (of: Movement, parts: readonly journals.SharePart[], at: Date): NewReceivable[] =>
  parts.map(({ party, amount }) => ({ ...takenAtOnce(of, "chargeback", at), sellerId: party, gross: -amount }));

export function splitChargeback(of: Movement, book: SplitBook, { at }: Moment): Draft {
  const parts = liableParts(of.amount, book);
  return { ...journals.chargedBack(saleOf(of), of.eventId, parts), receivables: lostBy(of, parts, at) };
}

/** The payer's bank took it back (MED): evidence of a refund, borne like a chargeback; no fee comes back. */
export function splitForcedRefund(of: Movement, book: SplitBook, { at }: Moment): Draft {
  const parts = liableParts(of.amount, book);
  const sources = parts.map(({ party, amount }) => ({ account: availableOf(party), amount }));
  return { ...journals.refunded(saleOf(of), of.eventId, owedIn(of), sources), receivables: lostBy(of, parts, at) };
}

/** Exactly what each lost. */
export function splitWon(of: Movement, { standings }: SplitBook, { at }: Moment): Draft {
  const lost = [...standings].filter(([, { disputed }]) => disputed > 0);
  const amounts = proportional(
    of.amount,
    lost.map(([, { disputed }]) => disputed),
  );
  const parts = lost
    .map(([party], index) => ({ party, amount: amounts[index] ?? 0 }))
    .filter(({ amount }) => amount > 0);
  return {
    ...journals.chargebackWon(saleOf(of), of.eventId, parts),
    receivables: parts.map(({ party, amount }) => ({
      ...takenAtOnce(of, "chargeback_refund", at),
      sellerId: party,
      gross: amount,
    })),
  };
}
