import { stillHere } from "@/lib/charges/extra-payments";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import type { Account } from "@/lib/context";
import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** What a person can do to a payment from its page. */
export const PAYMENT_ACTIONS = ["capture", "release", "cancel", "refund", "recheck", "hand_back", "simulate"] as const;
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number];

export const isPaymentAction = (text: unknown): text is PaymentAction =>
  PAYMENT_ACTIONS.some((action) => action === text);

const SIMULATED = new Set(["pix", "boleto"]);

interface Rule {
  right: Right;
  /** The state in which it makes sense; the service decides again when it is done. */
  when: (charge: Charge, account: Account) => boolean;
}

const isFree = ({ operation, reviewReason }: ChargeRow): boolean => operation === null && reviewReason === null;

export const refundable = (row: ChargeRow): number => row.capturedAmount - row.refundedAmount;

const RULES: Record<PaymentAction, Rule> = {
  capture: {
    right: "payments.capture",
    when: ({ row }) => isFree(row) && row.status === "pre_authorized" && row.purchaseId === null,
  },
  release: {
    right: "payments.capture",
    when: ({ row }) => isFree(row) && row.status === "pre_authorized" && row.purchaseId === null,
  },
  cancel: {
    right: "payments.capture",
    when: ({ row }) => isFree(row) && row.status === "pending" && row.cardId === null && row.purchaseId === null,
  },
  refund: {
    right: "payments.refund",
    when: ({ row }) =>
      isFree(row) && row.status === "authorized" && row.paymentType !== "boleto" && refundable(row) > 0,
  },
  recheck: {
    right: "payments.recheck",
    when: ({ attempts }) =>
      attempts.some(({ kind, state }) => kind !== "notice" && ["sent", "undetermined", "approved"].includes(state)),
  },
  hand_back: {
    right: "reviews.resolve",
    when: (charge) => isFree(charge.row) && stillHere(charge) !== undefined,
  },
  simulate: {
    right: "sandbox.control",
    when: ({ row }, account) =>
      account.mode === "sandbox" &&
      row.status === "pending" &&
      row.providerType === "SANDBOX" &&
      SIMULATED.has(row.paymentType),
  },
};

export const rightFor = (action: PaymentAction): Right => RULES[action].right;

/** In the order of importance. */
export const actionsFor = (role: OperatorRole, account: Account, charge: Charge): PaymentAction[] =>
  PAYMENT_ACTIONS.filter((action) => may(role, RULES[action].right) && RULES[action].when(charge, account));

/** Cents that it can be about: all of it, unless a part is named. */
export function mostOf(action: PaymentAction, charge: Charge): number {
  if (action === "refund") return refundable(charge.row);
  return action === "hand_back" ? (stillHere(charge)?.amount ?? 0) : charge.row.amount;
}

/** What the plan of a confirmation was made from: when it is another at the press of the button, nothing is done. */
export const planOf = (action: PaymentAction, charge: Charge): string =>
  action === "hand_back" ? (stillHere(charge)?.payment ?? "") : standingHash(charge.row);

export const standingHash = ({ status, amount, capturedAmount, refundedAmount }: ChargeRow): string =>
  [status, amount, capturedAmount, refundedAmount].join(".");
