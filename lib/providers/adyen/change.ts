import { answerOf } from "@/lib/providers/adyen/answers";
import { merchant, paymentPath, send } from "@/lib/providers/adyen/call";
import { changeAnswer } from "@/lib/providers/adyen/wire";
import { exceeded, rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import type {
  CallContext,
  CaptureInput,
  CardCapture,
  Outcome,
  Refunded,
  RefundInput,
  Voided,
  VoidInput,
} from "@/lib/providers/provider";

/** Every change is received first; what an approval says here is that alone, and a notification tells how it ended. */

export async function capture(
  connections: Connections,
  call: CallContext,
  { providerTxId, amount, authorized }: CaptureInput,
): Promise<Outcome<CardCapture>> {
  if (amount > authorized) return exceeded("capture", amount, authorized);
  const data = { captured: amount, released: authorized - amount };
  return change(connections, call, { providerTxId, action: "captures", amount, isPriced: true }, () => data);
}

export async function voidHold(
  connections: Connections,
  call: CallContext,
  { providerTxId, state, amount }: VoidInput,
): Promise<Outcome<Voided>> {
  if (state === "authorized") return rejected("invalid_state", "captured money is refunded");
  return change(connections, call, { providerTxId, action: "cancels", amount }, () => ({ voided: amount }));
}

/** A Pix or a slip that nobody has paid: of how much it was is not asked. */
export const cancelOpen = (
  connections: Connections,
  call: CallContext,
  { providerTxId }: { providerTxId: string },
): Promise<Outcome<Voided>> =>
  change(connections, call, { providerTxId, action: "cancels", amount: 0 }, () => ({ voided: 0 }));

export async function refund(
  connections: Connections,
  call: CallContext,
  { providerTxId, amount, captured, alreadyRefunded }: RefundInput,
): Promise<Outcome<Refunded>> {
  const left = captured - alreadyRefunded;
  if (amount > left) return exceeded("refund", amount, left);
  return change(connections, call, { providerTxId, action: "refunds", amount, isPriced: true }, (refundId) => ({
    refundId,
    refunded: amount,
    status: "pending",
  }));
}

interface Change {
  providerTxId: string;
  action: "captures" | "cancels" | "refunds";
  amount: number;
  /** Whether the request says how much. */
  isPriced?: boolean;
}

async function change<T>(
  connections: Connections,
  call: CallContext,
  { providerTxId, action, amount, isPriced = false }: Change,
  dataOf: (id: string) => T,
): Promise<Outcome<T>> {
  const body = {
    ...merchant(call),
    reference: call.ref.providerReference,
    ...(isPriced ? { amount: { currency: "BRL", value: amount } } : {}),
  };
  const read = answerOf(await send(connections, call, { path: paymentPath(providerTxId, action), body }), changeAnswer);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const isOurs = !value.reference || value.reference === call.ref.providerReference;
  if (value.paymentPspReference !== providerTxId || !isOurs) return unreadable(status);
  if (isPriced && value.amount && value.amount.value !== amount) return unreadable(status);
  const { pspReference, paymentPspReference, reference } = value;
  return {
    kind: "approved",
    at: call.clock.now().toISOString(),
    amount,
    providerTxId,
    data: dataOf(pspReference),
    raw: { status, headers: {}, body: { status: value.status, pspReference, paymentPspReference, reference } },
  };
}
