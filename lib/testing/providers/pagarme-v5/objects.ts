import { composeBoleto } from "@/lib/brazil/boleto";
import { dynamicPixCode } from "@/lib/brazil/pix-brcode";
import type { Entry, EntryRefund, Told } from "@/lib/testing/providers/kit/books";
import { addSeconds } from "@/lib/time";

/** Pagar.me's objects, as its reference shows them. */

type Members = Record<string, unknown>;

/** What a stand-in of Pagar.me keeps of a payment besides the books. */
export interface Kept {
  orderId: string;
  method: string;
  metadata: Record<string, string>;
  descriptor?: string;
  split?: unknown;
  dueOn?: string;
  canceledAt?: Date;
  /** When what expires by itself did. */
  isClosedBySelf?: boolean;
}
export const keptOf = (entry: Entry): Kept => entry.kept as unknown as Kept; // Guarantee: the stand-in enters nothing else.

const isCard = ({ method }: Entry): boolean => method === "credit" || method === "debit";
const time = (at: Date): string => at.toISOString();
const returnedOf = ({ refunds }: Entry): number =>
  refunds.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0);

type ChargeStatus =
  | "pending"
  | "paid"
  | "canceled"
  | "processing"
  | "failed"
  | "overpaid"
  | "underpaid"
  | "chargedback";

function statusOf(entry: Entry): ChargeStatus {
  switch (entry.state) {
    case "declined":
      return "failed";
    case "canceled":
      return "canceled";
    case "expired":
      return isCard(entry) ? "canceled" : "failed";
    case "held":
      return "pending";
    case "captured": {
      if (entry.chargedBack > 0 && !entry.wasDisputeWon) return "chargedback";
      if (returnedOf(entry) >= entry.captured) return "canceled";
      if (entry.method !== "boleto" || entry.captured === entry.amount) return "paid";
      return entry.captured > entry.amount ? "overpaid" : "underpaid";
    }
    default:
      return isCard(entry) ? "processing" : "pending";
  }
}

const ORDER_STATUS: Readonly<Record<ChargeStatus, string>> = {
  pending: "pending",
  processing: "pending",
  paid: "paid",
  overpaid: "paid",
  underpaid: "paid",
  chargedback: "paid",
  canceled: "canceled",
  failed: "failed",
};

export const orderOf = (entry: Entry): Members => ({
  id: keptOf(entry).orderId,
  code: entry.reference,
  amount: entry.amount,
  currency: entry.currency,
  closed: true,
  items: [],
  status: ORDER_STATUS[statusOf(entry)],
  created_at: time(entry.createdAt),
  updated_at: time(entry.createdAt),
  charges: [chargeMembers(entry)],
  metadata: keptOf(entry).metadata,
});

export const chargeOf = (entry: Entry): Members => ({
  ...chargeMembers(entry),
  order: { id: keptOf(entry).orderId, code: entry.reference },
});

function chargeMembers(entry: Entry): Members {
  const status = statusOf(entry);
  const paid = entry.captured > 0 ? { paid_amount: entry.captured, paid_at: time(paidAt(entry)) } : {};
  // What a partial capture gave up stands in the sum too, as the worst that may be.
  const released = entry.captured > 0 && isCard(entry) ? Math.max(0, entry.held - entry.captured) : 0;
  const canceled =
    entry.state === "canceled" || entry.state === "expired" ? entry.amount : returnedOf(entry) + released;
  const { canceledAt } = keptOf(entry);
  return {
    id: entry.id,
    code: entry.id.slice(-10).toUpperCase(),
    gateway_id: entry.id.slice(-12),
    amount: entry.amount,
    ...paid,
    ...(canceled > 0 ? { canceled_amount: canceled } : {}),
    status,
    currency: entry.currency,
    payment_method: keptOf(entry).method,
    ...(canceledAt ? { canceled_at: time(canceledAt) } : {}),
    created_at: time(entry.createdAt),
    updated_at: time(entry.createdAt),
    pending_cancellation: entry.refunds.some((one) => one.status === "pending"),
    metadata: keptOf(entry).metadata,
    last_transaction: transactionsOf(entry).at(-1),
  };
}

const paidAt = (entry: Entry): Date => entry.payments[0]?.at ?? entry.createdAt;

/** Everything that was done with a payment, oldest first. */
export function transactionsOf(entry: Entry): Members[] {
  const first = openingOf(entry);
  const wasCapturedLater = isCard(entry) && !entry.capture && entry.captured > 0;
  const captured = wasCapturedLater
    ? [
        stepOf(
          entry,
          "capture",
          "capture",
          entry.captured < entry.held ? "partial_capture" : "captured",
          entry.captured,
        ),
      ]
    : [];
  const voided = entry.state === "canceled" ? [stepOf(entry, "void", "cancel", "voided", entry.amount)] : [];
  return [first, ...captured, ...voided, ...entry.refunds.map((one, index) => refundStep(entry, one, index))];
}

const cardStatus = (entry: Entry): string => {
  if (entry.state === "declined") return "not_authorized";
  if (entry.state === "pending") return "processing";
  if (entry.state === "expired") return "voided";
  return entry.capture ? "captured" : "authorized_pending_capture";
};

function openingOf(entry: Entry): Members {
  const { method } = keptOf(entry);
  const id = entry.id.replace(/^ch_/, "tran_");
  const common = {
    id,
    transaction_type: method,
    gateway_id: id.slice(-12),
    success: entry.state !== "declined",
    created_at: time(entry.createdAt),
    updated_at: time(entry.createdAt),
    gateway_response: { code: "200", errors: [] },
    antifraud_response: {},
    metadata: keptOf(entry).metadata,
  };
  if (isCard(entry)) {
    const { networkCode, adviceCode } = entry.decline ?? { networkCode: "00" };
    return {
      ...common,
      operation_type: entry.capture ? "auth_and_capture" : "auth_only",
      amount: entry.held || entry.amount,
      status: cardStatus(entry),
      installments: entry.installments,
      statement_descriptor: keptOf(entry).descriptor ?? null,
      acquirer_name: "pagarme",
      acquirer_tid: id.slice(-10),
      acquirer_nsu: id.slice(-6),
      acquirer_auth_code: entry.held > 0 ? id.slice(-6) : null,
      acquirer_message: entry.held > 0 ? "Transacao aprovada" : "Transacao recusada",
      acquirer_return_code: entry.state === "pending" ? null : networkCode,
      brand_id: entry.held > 0 ? `bid${id.slice(-12)}` : null,
      card: {
        id: id.replace(/^tran_/, "card_"),
        first_six_digits: "400000",
        last_four_digits: "0010",
        brand: brandName(entry.brand),
        holder_name: "left out",
        exp_month: 12,
        exp_year: 2031,
        status: "active",
        type: "credit",
        created_at: time(entry.createdAt),
        updated_at: time(entry.createdAt),
      },
      ...(adviceCode
        ? { retry_info: { brand_failure_return_code: adviceCode, transaction_limit: 15, transaction_date_limit: null } }
        : {}),
      ...(keptOf(entry).split ? { split: keptOf(entry).split } : {}),
    };
  }
  const shown = entry.outcome === "amount_mismatch_minus_1" ? entry.amount - 1 : entry.amount;
  if (entry.method === "pix") {
    const code = dynamicPixCode({
      url: `pix.pagar.me.example/qr/v2/${entry.id}`,
      merchantName: "Pagar.me",
      merchantCity: "Sao Paulo",
      amount: shown,
    });
    return {
      ...common,
      amount: entry.amount,
      status: entry.captured > 0 ? "paid" : "waiting_payment",
      qr_code: code,
      qr_code_url: `https://api.pagar.me.example/transactions/${id}/qrcode`,
      expires_at: entry.expiresAt ? time(entry.expiresAt) : null,
      end_to_end_id: entry.payments[0] ? `E${entry.payments[0].id.replaceAll("-", "").slice(0, 31)}` : null,
    };
  }
  const { dueOn = "" } = keptOf(entry);
  const { line } = composeBoleto({ bank: "197", dueOn, amount: shown, freeField: "0".repeat(25) });
  return {
    ...common,
    amount: entry.amount,
    status: entry.captured > 0 ? "paid" : "generated",
    url: `https://api.pagar.me.example/transactions/${id}/boleto`,
    pdf: `https://api.pagar.me.example/transactions/${id}/pdf`,
    line: line.replace(/^(\d{5})(\d{5})/, "$1.$2 "),
    barcode: `https://api.pagar.me.example/transactions/${id}/barcode`,
    qr_code: `https://api.pagar.me.example/transactions/${id}/qrcode`,
    nosso_numero: id.slice(-10),
    due_at: entry.expiresAt ? time(entry.expiresAt) : null,
  };
}

const NAMES: Readonly<Record<string, string>> = { visa: "Visa", mastercard: "Mastercard", elo: "Elo", amex: "Amex" };
const brandName = (brand: string): string => NAMES[brand] ?? brand;

const stepOf = (entry: Entry, name: string, operation: string, status: string, amount: number): Members => {
  const { card: _card, ...opening } = openingOf(entry);
  return { ...opening, id: `${String(opening.id)}_${name}`, operation_type: operation, status, amount };
};

const REFUND_STATUS = { pending: "waiting_cancellation", done: "refunded", failed: "error_on_refunding" } as const;

const refundStep = (entry: Entry, refund: EntryRefund, index: number): Members => {
  const at = time(new Date(addSeconds(refund.at, 1).getTime() + index));
  const step = stepOf(entry, `refund_${index}`, "cancel", REFUND_STATUS[refund.status], refund.amount);
  // Of a Pix the identifier is that of the payment: a refund has another, or none.
  const named = "end_to_end_id" in step ? { end_to_end_id: null } : {};
  return { ...step, ...named, created_at: at, updated_at: at, success: refund.status !== "failed" };
};

export const payablesOf = (entry: Entry): Members[] =>
  entry.chargedBack > 0
    ? [
        {
          id: entry.id.slice(-12),
          status: "waiting_funds",
          amount: -entry.chargedBack,
          fee: 0,
          anticipation_fee: 0,
          installment: 1,
          gateway_id: entry.id.slice(-12),
          charge_id: entry.id,
          split_id: null,
          bulk_anticipation_id: null,
          recipient_id: null,
          originator_model: null,
          originator_model_id: null,
          original_payment_date: null,
          type: "chargeback",
          payment_method: keptOf(entry).method,
          created_at: time(entry.createdAt),
          settlement_id: null,
          payment_profile_id: null,
        },
      ]
    : [];

const EVENT_OF: Partial<Record<Told["happening"], string>> = {
  pending: "charge.pending",
  declined: "charge.payment_failed",
  captured: "charge.paid",
  canceled: "charge.refunded",
  refund_done: "charge.refunded",
  refund_failed: "charge.partial_canceled",
  disputed: "charge.chargedback",
  dispute_won: "charge.updated",
};

/** The event that Pagar.me sends of something that happened; undefined where it sends none that anybody waits for. */
export function eventOf(id: string, told: Told): Members | undefined {
  const { entry, happening, at } = told;
  const type =
    happening === "authorized" || happening === "paid"
      ? entry.captured > 0
        ? "charge.paid"
        : "charge.pending"
      : EVENT_OF[happening];
  return type === undefined ? undefined : eventWith(id, type, chargeOf(entry), at);
}

export const eventWith = (id: string, type: string, data: unknown, at: Date): Members => ({
  id,
  account: { id: "acc_1", name: "Loja" },
  type,
  created_at: time(at),
  data,
});
