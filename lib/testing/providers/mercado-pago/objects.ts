import { composeBoleto } from "@/lib/brazil/boleto";
import { dynamicPixCode } from "@/lib/brazil/pix-brcode";
import { MERCADO_PAGO_ROWS } from "@/lib/declines/provider-rows";
import { centsToDecimal } from "@/lib/money";
import type { Entry, EntryRefund, Told } from "@/lib/testing/providers/kit/books";

/** Mercado Pago's objects, as its reference shows them. */

export type Members = Record<string, unknown>;

/** What a stand-in of Mercado Pago keeps of a payment besides the books. */
export interface Kept {
  wireMethod: string;
  metadata: Members;
  isLive: boolean;
  dueOn?: string;
}
export const keptOf = (entry: Entry): Kept => entry.kept as unknown as Kept; // Guarantee: the stand-in enters nothing else.

export const isCard = ({ method }: Entry): boolean => method === "credit" || method === "debit";
const reais = (cents: number): number => Number(centsToDecimal(cents));
const time = (at: Date): string => at.toISOString();
const returnedOf = ({ refunds }: Entry): number =>
  refunds.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0);

const DETAILS = {
  created: "pending_waiting_payment",
  pending: "pending_waiting_payment",
  challenge: "pending_challenge",
  held: "pending_capture",
  captured: "accredited",
  declined: "cc_rejected_other_reason",
  canceled: "by_collector",
  expired: "expired",
} as const satisfies Record<Entry["state"], string>;

function statusOf(entry: Entry): string {
  switch (entry.state) {
    case "held":
      return "authorized";
    case "declined":
      return "rejected";
    case "canceled":
    case "expired":
      return "cancelled";
    case "captured":
      if (entry.chargedBack > 0) return "charged_back";
      return returnedOf(entry) >= entry.captured ? "refunded" : "approved";
    default:
      return isCard(entry) ? "in_process" : "pending";
  }
}

/** Its own word for what a card was refused for, and for how a dispute ended. */
const detailOf = (entry: Entry): string => {
  if (entry.chargedBack > 0) return entry.wasDisputeWon ? "reimbursed" : "settled";
  if (entry.state !== "declined") return DETAILS[entry.state];
  const known = MERCADO_PAGO_ROWS.find(([, declinedCode]) => declinedCode === entry.decline?.declinedCode);
  return known?.[0] ?? DETAILS.declined;
};

export function paymentOf(entry: Entry): Members {
  const amount = entry.captured || entry.held || entry.amount;
  return {
    id: Number(entry.id),
    date_created: time(entry.createdAt),
    ...(entry.captured > 0 ? { date_approved: time(entry.payments[0]?.at ?? entry.createdAt) } : {}),
    date_last_updated: time(entry.createdAt),
    ...(!isCard(entry) && entry.expiresAt ? { date_of_expiration: time(entry.expiresAt) } : {}),
    payment_method_id: keptOf(entry).wireMethod,
    payment_type_id: TYPES[entry.method],
    status: statusOf(entry),
    status_detail: detailOf(entry),
    currency_id: entry.currency,
    description: "Pagamento",
    live_mode: keptOf(entry).isLive,
    authorization_code: entry.held > 0 ? entry.id.slice(-6) : null,
    collector_id: 1,
    metadata: keptOf(entry).metadata,
    external_reference: entry.reference,
    transaction_amount: reais(amount),
    transaction_amount_refunded: reais(returnedOf(entry)),
    installments: entry.installments,
    captured: isCard(entry) ? entry.captured > 0 : true,
    binary_mode: false,
    refunds: entry.refunds.map((one, index) => refundOf(entry, one, index)),
    transaction_details: { net_received_amount: 0, total_paid_amount: reais(amount), ...slipOf(entry) },
    ...(entry.method === "pix" ? { point_of_interaction: pixOf(entry) } : {}),
  };
}

const TYPES = { credit: "credit_card", debit: "debit_card", pix: "bank_transfer", boleto: "ticket" } as const;

const shownAmount = (entry: Entry): number =>
  entry.outcome === "amount_mismatch_minus_1" ? entry.amount - 1 : entry.amount;

function slipOf(entry: Entry): Members {
  const { dueOn } = keptOf(entry);
  if (entry.method !== "boleto" || dueOn === undefined) return {};
  const { barcode } = composeBoleto({ bank: "237", dueOn, amount: shownAmount(entry), freeField: "0".repeat(25) });
  return {
    external_resource_url: `https://mercadopago.example/payments/${entry.id}/ticket`,
    barcode: { content: barcode },
  };
}

const pixOf = (entry: Entry): Members => ({
  type: "OPENPLATFORM",
  transaction_data: {
    qr_code: dynamicPixCode({
      url: `pix.mercadopago.example/qr/v2/${entry.id}`,
      merchantName: "Mercado Pago",
      merchantCity: "Sao Paulo",
      amount: shownAmount(entry),
    }),
    qr_code_base64: "",
    ticket_url: `https://mercadopago.example/payments/${entry.id}/ticket`,
  },
});

const REFUND_STATUS = { pending: "in_process", done: "approved", failed: "rejected" } as const;

export const refundOf = (entry: Entry, refund: EntryRefund, index: number): Members => ({
  id: Number(refund.id),
  payment_id: Number(entry.id),
  amount: reais(refund.amount),
  metadata: {},
  source: { id: "1", name: "Loja", type: "collector" },
  date_created: time(new Date(refund.at.getTime() + index)),
  status: REFUND_STATUS[refund.status],
  refund_mode: "standard",
  adjustment_amount: 0,
  reason: null,
});

/** A notification says which payment changed, and nothing of how. */
export const eventOf = (id: number, { entry, happening, at }: Told): Members =>
  eventWith(
    id,
    happening === "authorized" || happening === "pending" ? "payment.created" : "payment.updated",
    entry.id,
    at,
  );

export const eventWith = (id: number | string, action: string, paymentId: string, at: Date): Members => ({
  id,
  live_mode: false,
  type: action.split(".")[0],
  action,
  api_version: "v1",
  date_created: time(at),
  user_id: 1,
  data: { id: paymentId },
});
