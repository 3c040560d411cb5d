import {
  ArrowDownToLine,
  CircleCheck,
  CircleDashed,
  CircleX,
  HelpCircle,
  type LucideIcon,
  Send,
  Undo2,
} from "lucide-react";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import type { ComponentProps } from "react";
import { panelWords } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import type { Badge } from "@/components/ui/badge";
import { formatCents } from "@/components/ui/money-format";
import type { BatchStatus, LineType, TransferReason, TransferState } from "@/db/schema/payouts";
import { noonOf } from "@/lib/brazil/bank-calendar";
import type { ReturnProblem } from "@/lib/payouts/cnab240/return-file";
import type { ReturnVerdict } from "@/lib/payouts/judged-return";
import type { BatchRow } from "@/lib/payouts/queries";

export const PAYOUTS = "/dashboard/payouts";
export const BATCHES = `${PAYOUTS}/batches`;
export const PAYOUT_FILES = `${PAYOUTS}/files`;
export const PAYOUT_RETURNS = `${PAYOUT_FILES}/returns`;

type Look = { icon: LucideIcon; tone: ComponentProps<typeof Badge>["tone"] };

export const BATCH_LOOKS: Record<BatchStatus, Look> = {
  pending: { icon: CircleDashed, tone: "info" },
  paid: { icon: CircleCheck, tone: "success" },
  failed: { icon: CircleX, tone: "danger" },
  offset: { icon: ArrowDownToLine, tone: "warning" },
};
export const BATCH_TEXTS = {
  pending: "statusPending",
  paid: "statusPaid",
  failed: "statusFailed",
  offset: "statusOffset",
} as const satisfies Record<BatchStatus, string>;

export const TRANSFER_LOOKS: Record<TransferState, Look> = {
  created: { icon: CircleDashed, tone: "neutral" },
  sent: { icon: Send, tone: "info" },
  unknown: { icon: HelpCircle, tone: "warning" },
  settled: { icon: CircleCheck, tone: "success" },
  failed: { icon: CircleX, tone: "danger" },
  returned: { icon: Undo2, tone: "danger" },
};
export const TRANSFER_TEXTS = {
  created: "transferCreated",
  sent: "transferSent",
  unknown: "transferUnknown",
  settled: "transferSettled",
  failed: "transferFailed",
  returned: "transferReturned",
} as const satisfies Record<TransferState, string>;

export const REASON_TEXTS = {
  invalid_account: "reasonInvalidAccount",
  account_closed: "reasonAccountClosed",
  holder_mismatch: "reasonHolderMismatch",
  bank_unavailable: "reasonBankUnavailable",
  limit_exceeded: "reasonLimitExceeded",
  compliance: "reasonCompliance",
  unknown: "reasonUnknown",
} as const satisfies Record<TransferReason, string>;

export const PART_TEXTS = {
  credit: "partCredit",
  fee: "partFee",
  refund: "partRefund",
  chargeback: "partChargeback",
  adjustment: "partAdjustment",
  manual_credit: "partManualCredit",
  carried: "partCarried",
  withdrawal: "partWithdrawal",
} as const satisfies Record<LineType, string>;

export const RETURN_TEXTS = {
  not_a_return: "returnNotOne",
  truncated: "returnTruncated",
  wrong_sum: "returnWrongSum",
  foreign: "returnForeign",
  doubled: "returnDoubled",
  lot_refused: "returnLotRefused",
} as const satisfies Record<ReturnProblem, string>;

export const RETURN_VERDICT_TEXTS = {
  contradicts: "returnVerdictContradicts",
  paid: "returnVerdictPaid",
  failed: "returnVerdictFailed",
  returned: "returnVerdictReturned",
  unknown: "returnVerdictUnknown",
  known: "returnVerdictKnown",
  elsewhere: "returnVerdictElsewhere",
} as const satisfies Record<ReturnVerdict, string>;

const METHOD_TEXTS = { credit: "methodCredit", pix: "methodPix", nupay: "methodNupay" } as const;

export async function payoutWords() {
  const [t, format, locale, panel, payments] = await Promise.all([
    getTranslations("payouts"),
    getFormatter(),
    getLocale(),
    panelWords(),
    paymentWords(),
  ]);
  return {
    t,
    format,
    money: (cents: number): string => formatCents(cents, "BRL", locale),
    day: (day: string): string => format.dateTime(noonOf(day), { dateStyle: "medium" }),
    /** "December 2026", of `2026-12`. */
    monthName: (month: string): string => format.dateTime(noonOf(`${month}-15`), { month: "long", year: "numeric" }),
    moment: (at: Date): string => format.dateTime(at, { dateStyle: "medium", timeStyle: "short" }),
    /** What one batch is about: "Visa credit", its method where it has no arrangement, or how its sales were paid. */
    group: (
      { paymentMethod, paymentArrangement }: Pick<BatchRow, "paymentMethod" | "paymentArrangement">,
      paidWith: readonly string[],
    ): string => {
      if (paymentArrangement) return panel.arrangement(paymentArrangement);
      if (paymentMethod !== null) return t(METHOD_TEXTS[paymentMethod]);
      return paidWith.length > 0 ? format.list(paidWith.map(payments.method)) : t("methodOther");
    },
  };
}
