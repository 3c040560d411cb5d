import { rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { brandOf, declineOf, rawOrder } from "@/lib/providers/pagarme-v5/answers";
import { HOLD_DAYS, MOST_CENTS, PAGARME_V5_CAPABILITIES } from "@/lib/providers/pagarme-v5/capabilities";
import { addressOf, createOrder, mismatchOf, orderBody } from "@/lib/providers/pagarme-v5/order";
import { splitOf, splitProblem } from "@/lib/providers/pagarme-v5/split";
import type { WireCharge, WireOrder } from "@/lib/providers/pagarme-v5/wire";
import type { AuthorizeInput, CallContext, CardAuth, Outcome, Payer } from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const MAX_HOLDER = 64;
const MAX_DESCRIPTOR = 13;
const POLL_MS = 5_000;
/** The status of a card's transaction that holds money and has taken none. */
const HELD = "authorized_pending_capture";

export async function authorize(
  connections: Connections,
  call: CallContext,
  input: AuthorizeInput,
): Promise<Outcome<CardAuth>> {
  const refused = refusedBeforeSending(input) ?? splitProblem(input.split, input.amount);
  if (refused) return refused;
  const lines = await splitOf(connections, call, input.split);
  if (!lines.ok) return lines.outcome;
  const member = MEMBERS[input.method ?? "credit"];
  const payment = { payment_method: member, [member]: cardPayment(input), ...lines.split };
  const read = await createOrder(connections, call, orderBody(call, input.amount, payerOf(input), payment));
  if (!read.ok) return read.outcome;
  const [charge] = read.value.charges;
  return charge ? outcomeOf(call, input, read, charge) : unreadable(read.status);
}

/** A buyer who is known by the card alone. */
const payerOf = ({ holder, card }: AuthorizeInput): Payer => ({ ...holder, name: holder.name || card.holderName });

const MEMBERS = { credit: "credit_card", debit: "debit_card", voucher: "voucher" } as const;

function cardPayment({ card, holder, ...input }: AuthorizeInput) {
  const descriptor = foldedText(input.statementDescriptor ?? "", MAX_DESCRIPTOR);
  const isRepeated = input.recurrence === "subsequent" || input.recurrence === "unscheduled";
  return {
    ...(input.method === undefined || input.method === "credit"
      ? { operation_type: input.capture ? "auth_and_capture" : "auth_only", installments: input.installments }
      : {}),
    ...(descriptor ? { statement_descriptor: descriptor } : {}),
    ...(input.recurrence ? { recurrency_cycle: isRepeated ? "subsequent" : "first" } : {}),
    ...(isRepeated && input.networkTransactionId ? { payment_origin: { brand_id: input.networkTransactionId } } : {}),
    card: {
      number: card.pan,
      holder_name: foldedText(card.holderName, MAX_HOLDER),
      exp_month: Number(card.expMonth),
      exp_year: Number(card.expYear),
      ...(card.cvv === undefined ? {} : { cvv: card.cvv }),
      ...(holder.document ? { holder_document: holder.document.number } : {}),
      ...(holder.address ? { billing_address: addressOf(holder.address) } : {}),
    },
  };
}

function refusedBeforeSending({ amount, currency, installments, threeDS, method, capture }: AuthorizeInput) {
  const { card } = PAGARME_V5_CAPABILITIES;
  if (currency !== "BRL") return rejected("unsupported", `currency ${currency}`);
  const most = card === false ? 0 : card.maxInstallments;
  if (installments > most) return rejected("unsupported", `at most ${most} installments`);
  if (method && method !== "credit" && !capture) return rejected("unsupported", `${method} is captured at once`);
  if (amount === 0) return rejected("unsupported", "a card is not checked without an amount");
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > MOST_CENTS) {
    return rejected("unsupported", `at most ${MOST_CENTS} cents`);
  }
  if (threeDS) return rejected("unsupported", "3-D Secure is not offered through this provider");
  return undefined;
}

/** Whether a card's charge holds money that was not taken yet. */
export const isHeld = ({ status, last_transaction: last }: WireCharge): boolean =>
  status === "pending" && last?.status === HELD;

export const holdEnd = ({ created_at: createdAt }: WireCharge): Date =>
  addSeconds(new Date(createdAt), HOLD_DAYS * DAY_SECONDS);

function outcomeOf(
  call: CallContext,
  input: AuthorizeInput,
  read: { value: WireOrder; status: number },
  charge: WireCharge,
): Outcome<CardAuth> {
  const { value, status } = read;
  const raw = rawOrder(status, value);
  const { id: providerTxId, last_transaction: last } = charge;
  if (charge.status === "failed") {
    if (value.status !== "failed" || !last) return unreadable(status);
    const decline = declineOf(last, input.card.brand, input.crossBorder, call.clock.now());
    return { kind: "declined", ...decline, providerTxId, raw };
  }
  const differing = mismatchOf(call, read, charge);
  if (differing) return differing;
  if (charge.status === "processing" && value.status === "pending") {
    return { kind: "pending", providerTxId, pollAfterMs: POLL_MS, raw };
  }
  const isCaptured = charge.status === "paid";
  // Neither taken nor held, or the one where the other was asked for: asking tells which.
  if ((!isCaptured && !isHeld(charge)) || isCaptured !== input.capture || !last) return unreadable(status);
  // The order says the same as its charge, or neither is believed.
  if (value.status !== (isCaptured ? "paid" : "pending")) return unreadable(status);
  const got = isCaptured ? (charge.paid_amount ?? 0) : (last.amount ?? 0);
  if (got !== input.amount || charge.amount !== input.amount) {
    return { kind: "mismatch", field: "amount", expected: String(input.amount), got: String(got), providerTxId, raw };
  }
  return {
    kind: "approved",
    at: call.clock.now().toISOString(),
    amount: input.amount,
    providerTxId,
    ...(last.acquirer_nsu ? { nsu: last.acquirer_nsu } : {}),
    ...(last.acquirer_auth_code ? { authCode: last.acquirer_auth_code } : {}),
    data: {
      captured: isCaptured,
      installments: last.installments ?? input.installments,
      brand: last.card?.brand ? brandOf(last.card.brand) : input.card.brand,
      ...(last.brand_id ? { networkTransactionId: last.brand_id } : {}),
      ...(isCaptured ? {} : { expiresAt: holdEnd(charge).toISOString() }),
      // It does not say what the issuer made of the code.
      cvvChecked: false,
    },
    raw,
  };
}
