import { exceeded, rejected, unreadable } from "@/lib/providers/answers";
import { answerOf, plain } from "@/lib/providers/cielo/answers";
import { NOT_DIVIDED } from "@/lib/providers/cielo/authorize";
import { salePath, send } from "@/lib/providers/cielo/call";
import { PIX_REFUND_DAYS } from "@/lib/providers/cielo/capabilities";
import { instantOf } from "@/lib/providers/cielo/dates";
import type { Family } from "@/lib/providers/cielo/family";
import { BOLETO, capturedOf, isCard, saleAt } from "@/lib/providers/cielo/look-up";
import { refundIdOf, returnedOf } from "@/lib/providers/cielo/refunds";
import { STATUS } from "@/lib/providers/cielo/status";
import { change, type WireChange, type WirePayment, type WireSale } from "@/lib/providers/cielo/wire";
import type { Connections } from "@/lib/providers/connections";
import type {
  CallContext,
  CaptureInput,
  CardCapture,
  Outcome,
  RedactedRaw,
  Refunded,
  RefundInput,
  Voided,
} from "@/lib/providers/provider";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export async function capture(
  family: Family,
  connections: Connections,
  call: CallContext,
  { providerTxId, amount, authorized, split }: CaptureInput,
): Promise<Outcome<CardCapture>> {
  if (amount > authorized) return exceeded("capture", amount, authorized);
  if (split) return rejected("unsupported", NOT_DIVIDED);
  const query = { amount: String(amount) };
  const asked = { method: "PUT", path: salePath(family, providerTxId, "capture"), query } as const;
  const data = { captured: amount, released: authorized - amount };
  const at = call.clock.now().toISOString();
  const done = (raw: RedactedRaw): Outcome<CardCapture> => ({ kind: "approved", at, amount, providerTxId, data, raw });
  const read = answerOf(await send(connections, call, asked), change);
  const refused = read.ok ? refusalOf(read.value, read.status) : read.outcome;
  if (refused?.kind === "rejected" && refused.problem === "invalid_state") {
    // What was captured before, with its answer lost, is a work done.
    const now = await saleAt(family, connections, call, providerTxId);
    if (now.ok && capturedOf(now.value.Payment) === amount) return done(rawChange(now.status, now.value.Payment));
  }
  if (!read.ok || refused) return refused ?? unreadable(0);
  return read.value.Status === STATUS.paid ? done(rawChange(read.status, read.value)) : unreadable(read.status);
}

const GONE: readonly number[] = [STATUS.voided, STATUS.refunded, STATUS.aborted];

/** A hold, or a Pix that is not paid. One that was undone before is a work done, and is not asked for again. */
export async function cancel(
  family: Family,
  connections: Connections,
  call: CallContext,
  providerTxId: string,
  amount?: number,
): Promise<Outcome<Voided>> {
  const before = await saleAt(family, connections, call, providerTxId);
  if (!before.ok) return before.outcome;
  const { Payment: own } = before.value;
  if (own.Type === BOLETO) return rejected("unsupported", "a slip is not closed through this provider");
  if (capturedOf(own) > 0) return rejected("invalid_state", "captured money is refunded");
  const at = call.clock.now().toISOString();
  const done = (raw: RedactedRaw): Outcome<Voided> => {
    const voided = amount ?? own.Amount;
    return { kind: "approved", at, amount: voided, providerTxId, data: { voided }, raw };
  };
  if (GONE.includes(own.Status)) return done(rawChange(before.status, own));
  const path = salePath(family, providerTxId, "void");
  const read = answerOf(await send(connections, call, { method: "PUT", path }), change);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const refused = refusalOf(value, status);
  if (refused) return refused;
  // Of a Pix it says only that it will be done.
  const isDone = GONE.includes(value.Status) || (!isCard(own) && isLater(value));
  return isDone ? done(rawChange(status, value)) : unreadable(status);
}

/**
 * What went back before is looked at first: the same sum as the books have, or nothing is sent. One that is more by just
 * this refund is this refund, whose answer was lost.
 */
export async function refund(
  family: Family,
  connections: Connections,
  call: CallContext,
  { providerTxId, amount, captured, alreadyRefunded, split }: RefundInput,
): Promise<Outcome<Refunded>> {
  if (amount > captured - alreadyRefunded) return exceeded("refund", amount, captured - alreadyRefunded);
  if (split) return rejected("unsupported", NOT_DIVIDED);
  const before = await saleAt(family, connections, call, providerTxId);
  if (!before.ok) return before.outcome;
  const { Payment: own } = before.value;
  const refused = refundProblem(call, own);
  if (refused) return refused;
  const returned = returnedOf(own);
  if (returned === undefined) return unreadable(before.status);
  if (returned === alreadyRefunded + amount) return refundOutcome(call, before.value, amount, "done", before.status);
  if (amount > capturedOf(own) - returned) return exceeded("refund", amount, capturedOf(own) - returned);
  if (returned !== alreadyRefunded) {
    return rejected("invalid_state", `${returned} went back, ${alreadyRefunded} are known`);
  }
  const asked = {
    method: "PUT",
    path: salePath(family, providerTxId, "void"),
    query: { amount: String(amount) },
  } as const;
  const read = answerOf(await send(connections, call, asked), change);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const wrong = refusalOf(value, status);
  if (wrong) return wrong;
  return refundOutcome(call, before.value, amount, isLater(value) ? "pending" : "done", status);
}

function refundProblem(call: CallContext, own: WirePayment): Outcome<never> | undefined {
  if (own.Type === BOLETO) return rejected("unsupported", "the money of a slip is not given back here");
  if (capturedOf(own) === 0) return rejected("invalid_state", "nothing was taken");
  if (isCard(own)) return undefined;
  const paidAt = instantOf(own.CapturedDate ?? own.ReceivedDate);
  return paidAt && call.clock.now() > addSeconds(paidAt, PIX_REFUND_DAYS * DAY_SECONDS)
    ? rejected("invalid_state", `a Pix is given back within ${PIX_REFUND_DAYS} days`)
    : undefined;
}

function refundOutcome(
  call: CallContext,
  { Payment }: WireSale,
  amount: number,
  state: "done" | "pending",
  status: number,
): Outcome<Refunded> {
  const { PaymentId: providerTxId } = Payment;
  const refundId = refundIdOf(Payment, call.ref.providerReference);
  const raw = { status, headers: {}, body: { PaymentId: providerTxId, amount, state } };
  const at = call.clock.now().toISOString();
  return { kind: "approved", at, amount, providerTxId, data: { refundId, refunded: amount, status: state }, raw };
}

const rawChange = (status: number, { Status, ReturnCode, ReasonCode }: WireChange): RedactedRaw => ({
  status,
  headers: {},
  body: { Status, ReturnCode, ReasonCode },
});

/** Scheduled, or waiting: taken, and done later. */
const LATER: readonly string[] = ["8", "9"];
const isLater = ({ ReasonCode, Status }: WireChange): boolean =>
  LATER.includes(ReasonCode ?? "") || Status === STATUS.pending;

const DONE: readonly string[] = ["", "0", "00", "000", "4", "6", "9", "FF"];
const WITHOUT_BALANCE: readonly string[] = ["43", "55", "56", "72", "76"];
const NOT_NOW: readonly string[] = ["17", "40", "41", "42", "53", "100", "101", "120", "121", "130", "841", "843"];
const TOO_MUCH: readonly string[] = ["51", "102", "842"];
const NOT_THERE: readonly string[] = ["3", "003", "52", "77"];

/** A change that was refused is answered like one that was done: its code tells. One that is not known tells nothing. */
function refusalOf(answer: WireChange, status: number): Outcome<never> | undefined {
  const code = plain(answer.ReturnCode || answer.ProviderReturnCode || "");
  const isFine = DONE.includes(code) && ["", "0", ...LATER].includes(answer.ReasonCode ?? "");
  if (isFine) return undefined;
  if (WITHOUT_BALANCE.includes(code)) {
    const raw = { status, headers: {}, body: { error: "insufficient_balance" } };
    return { kind: "declined", declinedCode: "generic", retry: "never", reason: "insufficient_balance", raw };
  }
  if (NOT_NOW.includes(code)) return rejected("invalid_state", code);
  if (TOO_MUCH.includes(code)) return rejected("amount_exceeded", code);
  return NOT_THERE.includes(code) ? rejected("not_found", code) : unreadable(status);
}
