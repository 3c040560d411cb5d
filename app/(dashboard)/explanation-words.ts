import { getTranslations } from "next-intl/server";
import type { FigureName } from "@/lib/explanations/names";

/** The name and the rule of each figure. */
const FIGURE_TEXTS = {
  "balance.available": { name: "nameAvailable", rule: "ruleAvailable" },
  "balance.receivable": { name: "nameReceivable", rule: "ruleReceivable" },
  "balance.inTransit": { name: "nameInTransit", rule: "ruleInTransit" },
  "charge.captured": { name: "nameCaptured", rule: "ruleCaptured" },
  "charge.refunded": { name: "nameRefunded", rule: "ruleRefunded" },
  "charge.chargedBack": { name: "nameChargedBack", rule: "ruleChargedBack" },
  "charge.net": { name: "nameNet", rule: "ruleNet" },
  "receivable.fee": { name: "nameReceivableFee", rule: "ruleReceivableFee" },
  "receivable.totalFee": { name: "nameReceivableTotalFee", rule: "ruleReceivableTotalFee" },
  "receivable.net": { name: "nameReceivableNet", rule: "ruleReceivableNet" },
  "batch.amount": { name: "nameBatchAmount", rule: "ruleBatchAmount" },
  "batch.feeAmount": { name: "nameBatchFee", rule: "ruleBatchFee" },
  "batch.withdrawalFeeAmount": { name: "nameBatchWithdrawal", rule: "ruleBatchWithdrawal" },
  "batch.totalFeeAmount": { name: "nameBatchTotalFee", rule: "ruleBatchTotalFee" },
  "batch.balanceAmount": { name: "nameBatchCarried", rule: "ruleBatchCarried" },
  "batch.creditAmount": { name: "nameBatchCredit", rule: "ruleBatchCredit" },
  "batch.refundAmount": { name: "nameBatchRefund", rule: "ruleBatchRefund" },
  "batch.debitAdjustmentAmount": { name: "nameBatchDebit", rule: "ruleBatchDebit" },
  "batch.creditAdjustmentAmount": { name: "nameBatchCreditAdjustment", rule: "ruleBatchCreditAdjustment" },
  "batch.finalBalance": { name: "nameBatchFinal", rule: "ruleBatchFinal" },
  "prepayment.gross": { name: "namePrepaymentGross", rule: "rulePrepaymentGross" },
  "prepayment.net": { name: "namePrepaymentNet", rule: "rulePrepaymentNet" },
  "prepayment.fee": { name: "namePrepaymentFee", rule: "rulePrepaymentFee" },
  "prepayment.markup": { name: "namePrepaymentMarkup", rule: "rulePrepaymentMarkup" },
  "balance.debt": { name: "nameDebt", rule: "ruleDebt" },
  "balance.next": { name: "nameNext", rule: "ruleNext" },
  "balance.broughtForward": { name: "nameBroughtForward", rule: "ruleBroughtForward" },
  "sellers.available": { name: "nameSellersAvailable", rule: "ruleSellersAvailable" },
  "sellers.debt": { name: "nameSellersDebt", rule: "ruleSellersDebt" },
  "sellers.receivable": { name: "nameSellersReceivable", rule: "ruleSellersReceivable" },
  "sellers.inTransit": { name: "nameSellersInTransit", rule: "ruleSellersInTransit" },
  "sellers.pendingBatches": { name: "nameSellersPending", rule: "ruleSellersPending" },
  "batch.line": { name: "nameBatchLine", rule: "ruleBatchLine" },
  "subscriptions.monthly": { name: "nameSubscriptionsMonthly", rule: "ruleSubscriptionsMonthly" },
  "subscriptions.atRisk": { name: "nameSubscriptionsAtRisk", rule: "ruleSubscriptionsAtRisk" },
  "report.total": { name: "nameReportTotal", rule: "ruleReportTotal" },
} as const satisfies Record<FigureName, { name: string; rule: string }>;

/** Of journals, receivables, lines of payouts, items and files. */
const ROW_TEXTS = {
  capture: "typeCapture",
  fee: "typeFee",
  fares: "typeFares",
  provider_cost: "typeProviderCost",
  settlement: "typeSettlement",
  release: "typeRelease",
  payout: "typePayout",
  payout_paid: "typePayoutPaid",
  payout_failed: "typePayoutFailed",
  payout_returned: "typePayoutReturned",
  adjustment: "typeAdjustment",
  prepayment: "typePrepayment",
  refund: "typeRefund",
  refund_reversal: "typeRefundReversal",
  reversal: "typeRefundReversal",
  chargeback: "typeChargeback",
  chargeback_refund: "typeChargebackRefund",
  suspense: "typeSuspense",
  hold: "typeHold",
  hold_release: "typeHoldRelease",
  credit: "typeCredit",
  manual_credit: "typeManualCredit",
  carried: "typeCarried",
  withdrawal: "typeWithdrawal",
  batch: "typeBatch",
  item: "typeItem",
  file: "typeFile",
  gross: "typeGross",
  anticipation: "typeAnticipation",
  brought_forward: "typeBroughtForward",
  seller: "typeSeller",
  subscription: "typeSubscription",
  cycle: "typeCycle",
  processing: "typeProcessing",
} as const;
/** What a figure and its rows are called. */
export async function explanationWords() {
  const t = await getTranslations("explanations");
  return {
    figure: (figure: FigureName) => ({ name: t(FIGURE_TEXTS[figure].name), rule: t(FIGURE_TEXTS[figure].rule) }),
    row: (type: string) =>
      // Guarantee: looked up only where the key exists.
      Object.hasOwn(ROW_TEXTS, type) ? t(ROW_TEXTS[type as keyof typeof ROW_TEXTS]) : type,
  };
}
