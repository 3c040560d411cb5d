/** What an explanation may be asked to be about. */
export const SUBJECTS = [
  "sellerId",
  "chargeId",
  "receivableId",
  "batchId",
  "lineId",
  "prepaymentId",
  "checkpointId",
  "customerId",
  "paymentId",
  "whose",
  "day",
  "month",
  "reportId",
  "column",
  "currency",
] as const;
export type SubjectName = (typeof SUBJECTS)[number];

interface Figure {
  subject: readonly SubjectName[];
  optional: readonly SubjectName[];
  /** How the rows make the value, in the words of the API. */
  formula: string;
}

const of = (formula: string, subject: readonly SubjectName[], optional: readonly SubjectName[] = []): Figure => ({
  formula,
  subject,
  optional,
});
const batch = (formula: string): Figure => of(formula, ["batchId"]);
const prepayment = (formula: string): Figure => of(formula, ["prepaymentId"]);

/** Every figure that can be explained, and what each is a figure of. */
export const FIGURES = {
  "balance.available": of(
    "of a seller: what its account seller_available was credited, less what it was debited, with what the newest checkpoint brings forward; of the account: receivables that were released and are in no batch, and what offset batches left open",
    [],
    ["sellerId"],
  ),
  "balance.debt": of("what is available, negated, where it is below zero", [], ["sellerId"]),
  "balance.next": of("of the account: what receivables of its next payment date leave open", []),
  "balance.broughtForward": of(
    "what an account was credited before a checkpoint, less what it was debited: the checkpoint before it and what was booked between the two",
    ["checkpointId"],
  ),
  "balance.receivable": of(
    "what seller_pending or merchant_pending was credited, less what it was debited, with what the newest checkpoint brings forward",
    [],
    ["sellerId"],
  ),
  "balance.inTransit": of(
    "of a seller: what payout_in_transit was credited, less what it was debited; of the account: finalBalance of its batches that are pending",
    [],
    ["sellerId"],
  ),
  "sellers.available": of("seller_available of every seller whose balance is above zero", []),
  "sellers.debt": of("seller_available of every seller whose balance is below zero, negated", []),
  "sellers.receivable": of("seller_pending of every seller", []),
  "sellers.inTransit": of("payout_in_transit of every seller", []),
  "sellers.pendingBatches": of("finalBalance of the sellers' batches that are pending", []),
  "charge.captured": of("what capture journals moved to provider_receivable", ["chargeId"]),
  "charge.refunded": of("what refund journals moved from provider_receivable", ["chargeId"]),
  "charge.chargedBack": of("what chargeback journals moved from bank, less what came back", ["chargeId"]),
  "charge.net": of(
    "gross - fee - anticipationFee of the receivables of one seller, or of the merchant",
    ["chargeId"],
    ["sellerId"],
  ),
  "settlement.net": of("gross - fee - anticipationFee of all receivables of a charge, or of a purchase's charges", [
    "paymentId",
  ]),
  "settlement.fees": of("fee + anticipationFee of all receivables of a charge, or of a purchase's charges", [
    "paymentId",
  ]),
  "split.share": of("gross of the sales of one seller, at the capture", ["chargeId", "sellerId"]),
  "split.fee": of("its part of the processing fee + its fares, at the capture", ["chargeId", "sellerId"]),
  "split.net": of("split.share - split.fee", ["chargeId", "sellerId"]),
  "customer.paid": of("captured - refunded - charged back of the customer's charges in BRL", ["customerId"]),
  "calendar.day": of("of a seller: what its receivables of that payment date leave open", ["sellerId", "day"]),
  "calendar.total": of("of a seller: what its receivables of the next payment dates leave open", ["sellerId"]),
  "calendar.month": of(
    "what receivables of the payment dates of a month leave open: of one seller, of all sellers, of the account's own, or of everybody",
    ["month"],
    ["sellerId", "whose"],
  ),
  "receivable.fee": of("its part of the processing fee + its part of the fares", ["receivableId"]),
  "receivable.totalFee": of("fee + anticipationFee", ["receivableId"]),
  "receivable.net": of("gross - fee - anticipationFee", ["receivableId"]),
  "batch.amount": batch("lines of type credit"),
  "batch.feeAmount": batch("lines of type fee, negated"),
  "batch.withdrawalFeeAmount": batch("lines of type withdrawal, negated"),
  "batch.totalFeeAmount": batch("lines of type fee and withdrawal, negated"),
  "batch.balanceAmount": batch("lines of type carried"),
  "batch.creditAmount": batch("lines of type manual_credit"),
  "batch.refundAmount": batch("lines of type refund and chargeback, negated"),
  "batch.debitAdjustmentAmount": batch("lines of type adjustment below zero, negated"),
  "batch.creditAdjustmentAmount": batch("lines of type adjustment above zero"),
  "batch.finalBalance": batch(
    "amount + balanceAmount + creditAmount + creditAdjustmentAmount - totalFeeAmount - refundAmount - debitAdjustmentAmount: all lines",
  ),
  "batch.line": of("of a receivable: its gross, its fees, or what was taken, as the type of the line says", ["lineId"]),
  "prepayment.gross": prepayment("grossAmount of its items"),
  "prepayment.net": prepayment("netAmount of its items: floor(gross / (1 + (monthlyRate + markup) x days / 30))"),
  "prepayment.cost": prepayment("fee + markup: gross - netAmount of its items"),
  "prepayment.fee": prepayment("feeAmount of its items: netAmount x monthlyRate x days / 30, rounded half up"),
  "prepayment.markup": prepayment("markupAmount of its items: gross - netAmount - feeAmount"),
  "subscriptions.monthly": of(
    "amount of each active subscription per month: weekly ones x 52 / 12, others / their months, rounded half up",
    [],
  ),
  "subscriptions.atRisk": of(
    "open amounts of cycles that are being retried, or whose failure made a subscription unpaid",
    [],
  ),
  "subscriptions.declined": of("amounts of the cycles of a month that were declined at first", ["month"]),
  "subscriptions.recovered": of("those that were paid in the end", ["month"]),
  "subscriptions.retried": of("those that are being retried, or whose outcome is not known", ["month"]),
  "subscriptions.lost": of("those that were neither paid nor are being retried", ["month"]),
  "report.total": of(
    "the column's amounts of one currency in the report's files",
    ["reportId", "column"],
    ["currency"],
  ),
} as const satisfies Record<string, Figure>;
export type FigureName = keyof typeof FIGURES;

// Guarantee: the keys of a literal object are those that its type names.
export const FIGURE_NAMES = Object.keys(FIGURES) as [FigureName, ...FigureName[]];
export const isFigureName = (text: string): text is FigureName => Object.hasOwn(FIGURES, text);
