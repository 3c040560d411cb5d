import { getTranslations } from "next-intl/server";
import type { ChargeStatus } from "@/db/schema/charges";
import type { PaymentType } from "@/lib/charges/methods";
import type { SearchKind } from "@/lib/charges/search-terms";

/** Tables from what the code calls things to their messages in "payments". */
const STATUS_TEXTS = {
  pending: "statusPending",
  pre_authorized: "statusPreAuthorized",
  authorized: "statusAuthorized",
  failed: "statusFailed",
  canceled: "statusCanceled",
  voided: "statusVoided",
  charged_back: "statusChargedBack",
  refund_pending: "statusRefundPending",
  capture_pending: "statusCapturePending",
} as const satisfies Record<ChargeStatus, string>;

const METHOD_TEXTS = {
  credit: "method_credit",
  debit: "method_debit",
  voucher: "method_voucher",
  pix: "method_pix",
  boleto: "method_boleto",
  nupay: "method_nupay",
  drip: "method_drip",
  picpay: "method_picpay",
  apple_pay: "method_apple_pay",
  click_to_pay: "method_click_to_pay",
} as const satisfies Record<PaymentType, string>;

const KIND_TEXTS = {
  id: "kindId",
  txid: "kindTxid",
  email: "kindEmail",
  document: "kindDocument",
  lastFour: "kindLastFour",
  code: "kindCode",
  amount: "kindAmount",
  reference: "kindReference",
  order: "kindOrder",
} as const satisfies Record<SearchKind, string>;

/** Says states, methods and search kinds in the language of the page. */
export async function paymentWords() {
  const t = await getTranslations("payments");
  return {
    /** A hold that was let go took nothing from the buyer: it is not called a refund. */
    status: (row: { status: ChargeStatus; refundedAmount: number }): string =>
      row.status === "voided" && row.refundedAmount === 0 ? t("statusReleased") : t(STATUS_TEXTS[row.status]),
    // Guarantee: only methods of the request schema are ever stored.
    method: (method: string): string => t(METHOD_TEXTS[method as PaymentType]),
    kind: (kind: SearchKind): string => t(KIND_TEXTS[kind]),
  };
}
