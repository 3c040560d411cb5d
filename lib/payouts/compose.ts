import type { LINE_SOURCES, LineType } from "@/db/schema/payouts";
import type { ReceivableType } from "@/db/schema/receivables";
import { type Cents, sumOf } from "@/lib/money";
import { type Group, groupOf, inOrder, NO_SALE, payoutGroupKey } from "@/lib/payouts/groups";

/** A receivable, or what was taken from one, that stands in no batch. */
export interface ReadyRow {
  id: string;
  type: ReceivableType;
  chargeId: string;
  gross: Cents;
  fee: Cents;
  anticipationFee: Cents;
  paymentMethod: string;
  paymentArrangement: string | null;
}

export interface ReadyAdjustment {
  id: string;
  kind: "returned" | "credit" | "correction" | "write_off";
  amount: Cents;
}

/** An offset batch that no other has taken. */
export interface Debt {
  batchId: string;
  finalBalance: Cents;
}

export interface Terms {
  /** The plan that says so; null for the merchant's own. */
  planId: string | null;
  withdrawalFee: Cents;
  minimumPayout: Cents;
}

export interface Line {
  type: LineType;
  amount: Cents;
  chargeId: string | null;
  sourceType: (typeof LINE_SOURCES)[number];
  sourceId: string;
}

export interface Amounts {
  amount: Cents;
  feeAmount: Cents;
  withdrawalFeeAmount: Cents;
  totalFeeAmount: Cents;
  balanceAmount: Cents;
  creditAmount: Cents;
  refundAmount: Cents;
  debitAdjustmentAmount: Cents;
  creditAdjustmentAmount: Cents;
  finalBalance: Cents;
}

export interface Composed {
  id: string;
  group: Group;
  status: "pending" | "offset";
  amounts: Amounts;
  lines: Line[];
}

/** What becomes of everything that is ready of one party on one day (spec/settlement.md section 4, steps 2 and 3). */
export function compose(
  rows: readonly ReadyRow[],
  adjustments: readonly ReadyAdjustment[],
  debts: readonly Debt[],
  terms: Terms,
  newId: () => string,
): Composed[] {
  const made: Composed[] = [];
  let open = debts.filter(({ finalBalance }) => finalBalance < 0);
  for (const { group, lines: own } of grouped(rows, adjustments)) {
    const carried = open.map(carriedLine);
    const before = amountsOf([...own, ...carried]);
    const { finalBalance } = before;
    if (finalBalance > 0 && (finalBalance <= terms.withdrawalFee || finalBalance < terms.minimumPayout)) continue;
    const id = newId();
    if (finalBalance <= 0) {
      made.push({ id, group, status: "offset", amounts: before, lines: [...own, ...carried] });
      open = finalBalance < 0 ? [{ batchId: id, finalBalance }] : [];
      continue;
    }
    const lines = [...own, ...carried, ...withdrawal(terms)];
    made.push({ id, group, status: "pending", amounts: amountsOf(lines), lines });
    open = [];
  }
  return made;
}

const carriedLine = ({ batchId, finalBalance }: Debt): Line => ({
  type: "carried",
  amount: finalBalance,
  chargeId: null,
  sourceType: "batch",
  sourceId: batchId,
});

const withdrawal = ({ withdrawalFee, planId }: Terms): Line[] =>
  withdrawalFee === 0 || planId === null
    ? []
    : [{ type: "withdrawal", amount: -withdrawalFee, chargeId: null, sourceType: "plan", sourceId: planId }];

function grouped(
  rows: readonly ReadyRow[],
  adjustments: readonly ReadyAdjustment[],
): { group: Group; lines: Line[] }[] {
  const groups = new Map<string, { group: Group; lines: Line[] }>();
  const add = (group: Group, lines: readonly Line[]): void => {
    const known = groups.get(payoutGroupKey(group));
    if (known) known.lines.push(...lines);
    else groups.set(payoutGroupKey(group), { group, lines: [...lines] });
  };
  for (const row of rows) add(groupOf(row.paymentMethod, row.paymentArrangement), linesOf(row));
  for (const { id, kind, amount } of adjustments) {
    const type = kind === "credit" ? "manual_credit" : "adjustment";
    add(NO_SALE, [{ type, amount, chargeId: null, sourceType: "adjustment", sourceId: id }]);
  }
  // What is written off pays debts and nothing else: what is left of it comes when every group has said what it owes.
  const writtenOff = groups.get(payoutGroupKey(NO_SALE));
  const isLeft =
    adjustments.some(({ kind }) => kind === "write_off") &&
    sumOf((writtenOff?.lines ?? []).map(({ amount }) => amount)) > 0;
  const isLast = (one: { group: Group }) => Number(isLeft && one === writtenOff);
  return [...groups.values()].sort((a, b) => isLast(a) - isLast(b) || inOrder(a.group, b.group));
}

/** A sale and what it costs stand apart; what is taken stands net of the fee that came back with it. */
function linesOf({ id, type, chargeId, gross, fee, anticipationFee }: ReadyRow): Line[] {
  const line = (of: LineType, amount: Cents): Line => ({
    type: of,
    amount,
    chargeId,
    sourceType: "receivable",
    sourceId: id,
  });
  const fees = fee + anticipationFee;
  if (type === "credit") return [line("credit", gross), ...(fees === 0 ? [] : [line("fee", -fees)])];
  const net = gross - fees;
  if (net > 0 || type === "refund_reversal" || type === "chargeback_refund") return [line("adjustment", net)];
  return [line(type, net)];
}

const total = (lines: readonly Line[], ...types: readonly LineType[]): Cents =>
  sumOf(lines.filter(({ type }) => types.includes(type)).map(({ amount }) => amount));

/** Every field of a batch, from its lines (spec/money.md section 9). */
export function amountsOf(lines: readonly Line[]): Amounts {
  const corrections = lines.filter(({ type }) => type === "adjustment");
  const feeAmount = negated(total(lines, "fee"));
  const withdrawalFeeAmount = negated(total(lines, "withdrawal"));
  return {
    amount: total(lines, "credit"),
    feeAmount,
    withdrawalFeeAmount,
    totalFeeAmount: feeAmount + withdrawalFeeAmount,
    balanceAmount: total(lines, "carried"),
    creditAmount: total(lines, "manual_credit"),
    refundAmount: negated(total(lines, "refund", "chargeback")),
    debitAdjustmentAmount: negated(sumOf(corrections.map(({ amount }) => Math.min(0, amount)))),
    creditAdjustmentAmount: sumOf(corrections.map(({ amount }) => Math.max(0, amount))),
    finalBalance: sumOf(lines.map(({ amount }) => amount)),
  };
}

/** Never minus zero. */
const negated = (amount: Cents): Cents => 0 - amount;
