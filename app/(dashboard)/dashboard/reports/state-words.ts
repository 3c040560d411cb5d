import { getTranslations } from "next-intl/server";
import { webhookWords } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { disputeWords } from "@/app/(dashboard)/dashboard/disputes/words";
import { linkWords } from "@/app/(dashboard)/dashboard/links/words";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { PREPAYMENT_TEXTS } from "@/app/(dashboard)/dashboard/payouts/prepayments/words";
import { BATCH_TEXTS } from "@/app/(dashboard)/dashboard/payouts/words";
import { SELLER_STATUS_TEXTS } from "@/app/(dashboard)/dashboard/sellers/words";
import { STATUS_TEXTS as SUBSCRIPTION_TEXTS } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { BATCH_STATUSES } from "@/db/schema/payouts";
import { PREPAYMENT_STATUSES } from "@/db/schema/prepayments";
import { PURCHASE_STATUSES } from "@/db/schema/purchases";
import { RECEIVABLE_STATUSES, type ReceivableStatus } from "@/db/schema/receivables";
import type { ReportType } from "@/db/schema/reports";
import { SELLER_STATUSES } from "@/db/schema/sellers";
import { SESSION_STATUSES } from "@/db/schema/sessions";
import { SUBSCRIPTION_STATUSES } from "@/db/schema/subscriptions";
import { DELIVERY_STATUSES } from "@/db/schema/webhooks";
import { LIST_STATES } from "@/lib/charges/list-states";
import { DISPUTE_STAGES } from "@/lib/disputes/queries";

export interface NamedState {
  value: string;
  label: string;
}

const named = <S extends string>(states: readonly S[], say: (state: S) => string): NamedState[] =>
  states.map((value) => ({ value, label: say(value) }));

const RECEIVABLE_TEXTS = {
  waiting_funds: "receivableWaiting",
  paid: "receivablePaid",
  prepaid: "receivablePrepaid",
} as const satisfies Record<ReceivableStatus, string>;
const LINK_STATES = { created: "open", paid: "paid", canceled: "canceled", voided: "voided" } as const;

const OF_CHARGES = async () => {
  const words = await paymentWords();
  return named(LIST_STATES, (state) => words.state(state));
};

/** The states that rows of a type can be narrowed to, in the words of its list. */
const STATES: Readonly<Partial<Record<ReportType, () => Promise<NamedState[]>>>> = {
  transactions: OF_CHARGES,
  transactionsHistory: OF_CHARGES,
  purchases: async () => {
    const words = await paymentWords();
    return named(PURCHASE_STATUSES, (status) =>
      words.purchase({ status, isHeld: false, wasPaid: false, hasHoldEnded: false }),
    );
  },
  sessions: async () => {
    const words = await linkWords();
    return named(SESSION_STATUSES, (status) => words(LINK_STATES[status]));
  },
  disputes: async () => {
    const words = await disputeWords();
    return named(DISPUTE_STAGES, (stage) => words.stage(stage));
  },
  receivables: async () => {
    const t = await getTranslations("reports");
    return named(RECEIVABLE_STATUSES, (status) => t(RECEIVABLE_TEXTS[status]));
  },
  payout_batches: async () => {
    const t = await getTranslations("payouts");
    return named(BATCH_STATUSES, (status) => t(BATCH_TEXTS[status]));
  },
  prepayments: async () => {
    const t = await getTranslations("prepayments");
    return named(PREPAYMENT_STATUSES, (status) => t(PREPAYMENT_TEXTS[status]));
  },
  subscriptions: async () => {
    const t = await getTranslations("subscriptions");
    return named(SUBSCRIPTION_STATUSES, (status) => t(SUBSCRIPTION_TEXTS[status]));
  },
  sellers: async () => {
    const t = await getTranslations("sellers");
    return named(SELLER_STATUSES, (status) => t(SELLER_STATUS_TEXTS[status]));
  },
  deliveries: async () => {
    const words = await webhookWords();
    return named(DELIVERY_STATUSES, (status) => words.status(status));
  },
};

export const statesOf = (type: ReportType): Promise<NamedState[]> => STATES[type]?.() ?? Promise.resolve([]);
