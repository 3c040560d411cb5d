import { getTranslations } from "next-intl/server";
import type { ChargeStatus } from "@/db/schema/charges";
import type { PurchaseStatus } from "@/db/schema/purchases";
import { BRAND_NAMES } from "@/lib/brazil/card-brand";
import type { ListState } from "@/lib/charges/list-states";
import type { PaymentType } from "@/lib/payments/methods";
import type { ClueKind } from "@/lib/search/clues";
import type { ListedItem } from "@/lib/search/payments";

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
  phone: "kindPhone",
  lastFour: "kindLastFour",
  code: "kindCode",
  amount: "kindAmount",
  reference: "kindReference",
  order: "kindOrder",
  name: "kindName",
  status: "kindStatus",
  method: "kindMethod",
  brand: "kindBrand",
  day: "kindDay",
  cards: "kindCards",
  decline: "kindDecline",
} as const satisfies Record<ClueKind, string>;

const PURCHASE_STATUS_TEXTS = {
  pending: "purchasePending",
  paid: "purchasePaid",
  failed: "purchaseFailed",
  cancelled: "purchaseCancelled",
} as const satisfies Record<PurchaseStatus, string>;

const RELEASE_TEXTS = { done: "statusReleased", pending: "statusReleasing" } as const;
const STATE_TEXTS = {
  ...STATUS_TEXTS,
  released: "statusReleased",
  refunded: "statusVoided",
  expired: "statusExpired",
} as const satisfies Record<ListState, string>;

interface StatedCharge {
  status: ChargeStatus;
  refundedAmount: number;
  /** Where it is known. */
  capturedAmount?: number;
  hasRunOut?: boolean;
  hasHoldEnded?: boolean;
  /** By the fraud analysis, with whatever was held released. */
  isRefused?: boolean;
}

/** An authorization that was released took nothing from the buyer: nothing of it looks like a refund. */
function releaseOf({ status, refundedAmount, capturedAmount }: StatedCharge): "done" | "pending" | undefined {
  if (status === "voided" && refundedAmount === 0) return "done";
  return status === "refund_pending" && capturedAmount === 0 ? "pending" : undefined;
}

/** The state that a charge looks like. */
export const chargeLook = (row: StatedCharge): ChargeStatus =>
  row.isRefused ? "failed" : releaseOf(row) === "done" ? "canceled" : row.status;

/** Nobody authorizes these: they are asked for, and paid. */
const ASKED: readonly string[] = ["pix", "boleto"] satisfies PaymentType[];

interface AskedAndCaptured {
  originalAmount: number;
  capturedAmount: number;
}

const isPartlyCaptured = ({ originalAmount, capturedAmount }: AskedAndCaptured): boolean =>
  capturedAmount > 0 && capturedAmount < originalAmount;

/** What a payment is called by: what was captured, where that is only a part of what was asked for. */
export const shownAmount = (row: AskedAndCaptured): number =>
  isPartlyCaptured(row) ? row.capturedAmount : row.originalAmount;

export interface ShownItem {
  /** The state of a charge that looks alike. */
  status: ChargeStatus;
  /** Of a purchase: brand and last four of each card. */
  cards: string[];
}

/** As people call it where there is little room. */
export const shortBrand = (brand: string): string => (brand === BRAND_NAMES.amex ? "Amex" : brand);

/** A row of the list, whatever it is of. */
export function shownItem(item: ListedItem): ShownItem {
  if (item.kind === "charge") return { status: chargeLook(item), cards: [] };
  return {
    status: purchaseLook(item),
    cards: item.cards.map(({ brand, lastFour }) => [brand && shortBrand(brand), lastFour].filter(Boolean).join(" ")),
  };
}

export function purchaseLook({
  status,
  isHeld,
  wasPaid,
}: {
  status: PurchaseStatus;
  isHeld: boolean;
  wasPaid: boolean;
}): ChargeStatus {
  switch (status) {
    case "pending":
      return isHeld ? "pre_authorized" : "pending";
    case "paid":
      return "authorized";
    case "failed":
      return "failed";
    case "cancelled":
      return wasPaid ? "voided" : "canceled";
  }
}

/** Says states, methods and search kinds in the language of the page. */
export async function paymentWords() {
  const t = await getTranslations("payments");
  const status = (row: StatedCharge): string => {
    if (row.hasRunOut) return t("statusExpired");
    if (row.hasHoldEnded) return t("statusHoldEnded");
    if (row.isRefused) return t("statusRefused");
    const release = releaseOf(row);
    return t(release ? RELEASE_TEXTS[release] : STATUS_TEXTS[row.status]);
  };
  return {
    status,
    /** What the list is narrowed by, in words. */
    state: (state: ListState): string => t(STATE_TEXTS[state]),
    purchase: (row: { status: PurchaseStatus; isHeld: boolean; wasPaid: boolean; hasHoldEnded: boolean }): string =>
      row.status === "cancelled" && row.wasPaid
        ? t("statusVoided")
        : row.hasHoldEnded
          ? t("statusHoldEnded")
          : row.isHeld
            ? t("statusPreAuthorized")
            : t(PURCHASE_STATUS_TEXTS[row.status]),
    item(row: ListedItem): string {
      return row.kind === "charge" ? status(row) : this.purchase(row);
    },
    /** Beside that amount: of how much it is a part, and what of it was refunded. */
    beside(row: ListedItem, money: (cents: number) => string): string | undefined {
      const refunded = row.refundedAmount > 0 ? money(row.refundedAmount) : undefined;
      if (isPartlyCaptured(row)) return this.part(row.kind === "charge" ? row.method : "credit", row, money, refunded);
      return refunded && t("rowRefunded", { amount: refunded });
    },
    /** Of how much the amount is a part, of which some may have been refunded. */
    part(method: string, row: AskedAndCaptured, money: (cents: number) => string, refunded?: string): string {
      const amount = money(row.originalAmount);
      if (ASKED.includes(method))
        return refunded ? t("rowOfAskedRefunded", { amount, refunded }) : t("rowOfAsked", { amount });
      return refunded ? t("rowOfRefunded", { amount, refunded }) : t("rowOf", { amount });
    },
    // Guarantee: only methods of the request schema are ever stored.
    method: (method: string): string => t(METHOD_TEXTS[method as PaymentType]),
    kind: (kind: ClueKind): string => t(KIND_TEXTS[kind]),
    /** How somebody paid: the card by its brand and end, an order on several by how many. */
    paidWith(row: ListedItem): { text: string; detail: string | undefined } {
      if (row.kind === "purchase") return { text: t("rowCards", { count: row.cards.length }), detail: undefined };
      const { card, installments } = row;
      const detail = [
        ...(card ? [`•••• ${card.lastFour}`] : []),
        ...(installments && installments > 1 ? [t("rowInstallments", { count: installments })] : []),
      ].join(" · ");
      return { text: card ? shortBrand(card.brand) : this.method(row.method), detail: detail || undefined };
    },
  };
}

/** Whoever paid, as much of them as the role sees: a name first, with the e-mail beside it. */
export function payerParts({ buyer, holder }: ListedItem): { name: string; email: string | undefined } | undefined {
  const name = buyer?.name || buyer?.email || holder;
  return name ? { name, email: buyer?.email && buyer.email !== name ? buyer.email : undefined } : undefined;
}

/** The same in one line, where there is room for one. */
export const payerOf = (item: ListedItem): string | undefined => payerParts(item)?.name;
