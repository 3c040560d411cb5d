import { daysBetween, endOfSaoPauloDay, isCivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { BoletoError, lineOfBarcode } from "@/lib/brazil/boleto";
import { PixCodeError, parsePixCode } from "@/lib/brazil/pix-brcode";
import { rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { answerOf, rawPayment } from "@/lib/providers/mercado-pago/answers";
import { mismatchOf, paymentBody } from "@/lib/providers/mercado-pago/authorize";
import { send } from "@/lib/providers/mercado-pago/call";
import {
  LEAST_PIX_SECONDS,
  MOST_BOLETO_DAYS,
  MOST_CENTS,
  MOST_PIX_SECONDS,
} from "@/lib/providers/mercado-pago/capabilities";
import { payerOf } from "@/lib/providers/mercado-pago/payer";
import { payment, type WirePayment } from "@/lib/providers/mercado-pago/wire";
import type {
  BoletoInput,
  BoletoSlip,
  CallContext,
  FoundOffer,
  Outcome,
  PixCharge,
  PixInput,
} from "@/lib/providers/provider";
import { readSlip, slipDueOn } from "@/lib/providers/slip";
import { addSeconds } from "@/lib/time";

const PIX_POLL_MS = 5_000;
const BOLETO_POLL_MS = 60_000;
export const PIX = "pix";
export const BOLETO = "bolbradesco";

export async function createPix(
  connections: Connections,
  call: CallContext,
  { amount, expiresInSec, payer, split }: PixInput,
): Promise<Outcome<PixCharge>> {
  const isTime =
    Number.isSafeInteger(expiresInSec) && expiresInSec >= LEAST_PIX_SECONDS && expiresInSec <= MOST_PIX_SECONDS;
  if (!isTime) return rejected("unsupported", `open for ${LEAST_PIX_SECONDS} to ${MOST_PIX_SECONDS} seconds`);
  const refused = problemOf(amount, split);
  if (refused) return refused;
  const body = {
    ...paymentBody(call, amount),
    payment_method_id: PIX,
    // Made again under its key it is the same request.
    date_of_expiration: addSeconds(call.ref.begunAt, expiresInSec).toISOString(),
    payer: payerOf(payer),
  };
  const read = answerOf(await send(connections, call, { method: "POST", path: "/v1/payments", body }), payment);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const differing = mismatchOf(call, { amount }, value, status);
  if (differing) return differing;
  const code = pixOf(value);
  if (value.status !== "pending" || !code) return unreadable(status);
  const { id: providerTxId } = value;
  const raw = rawPayment(status, value);
  if (code.amount !== amount) {
    return { kind: "mismatch", field: "amount", expected: String(amount), got: String(code.amount), providerTxId, raw };
  }
  return { kind: "pending", providerTxId, pollAfterMs: PIX_POLL_MS, data: code.data, raw };
}

/** The code of a Pix, with the amount that it says; undefined for one that cannot be read. */
function pixOf(own: WirePayment): { amount: number | undefined; data: PixCharge } | undefined {
  const text = own.point_of_interaction?.transaction_data?.qr_code;
  if (!text || !own.date_of_expiration) return undefined;
  try {
    const { kind, amount } = parsePixCode(text);
    if (kind !== "dynamic") return undefined;
    const expiresAt = new Date(own.date_of_expiration).toISOString();
    return { amount, data: { txid: own.id, brCode: text, expiresAt } };
  } catch (error) {
    if (error instanceof PixCodeError) return undefined;
    throw error;
  }
}

export async function createBoleto(
  connections: Connections,
  call: CallContext,
  input: BoletoInput,
): Promise<Outcome<BoletoSlip>> {
  const refused = boletoProblem(call, input);
  if (refused) return refused;
  const { amount, dueDate, payer } = input;
  const body = {
    ...paymentBody(call, amount),
    payment_method_id: BOLETO,
    date_of_expiration: endOfSaoPauloDay(dueDate).toISOString(),
    payer: payerOf(payer),
  };
  const read = answerOf(await send(connections, call, { method: "POST", path: "/v1/payments", body }), payment);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const differing = mismatchOf(call, input, value, status);
  if (differing) return differing;
  const line = lineOf(value);
  if (value.status !== "pending" || line === undefined) return unreadable(status);
  const slip = readSlip(line, input);
  if (slip.kind === "unreadable") return unreadable(status);
  const { id: providerTxId } = value;
  const raw = rawPayment(status, value);
  if (slip.kind === "mismatch") {
    return { kind: "mismatch", field: "amount", expected: String(amount), got: slip.got, providerTxId, raw };
  }
  return { kind: "pending", providerTxId, pollAfterMs: BOLETO_POLL_MS, data: slipData(value, slip, dueDate), raw };
}

/** Typed where it is given, else made of the bars. */
function lineOf({ transaction_details: details, barcode }: WirePayment): string | undefined {
  if (details?.digitable_line) return details.digitable_line;
  const bars = details?.barcode?.content ?? barcode?.content;
  try {
    return bars ? lineOfBarcode(bars) : undefined;
  } catch (error) {
    if (error instanceof BoletoError) return undefined;
    throw error;
  }
}

const slipData = (
  { transaction_details: details }: WirePayment,
  { line, barcode }: { line: string; barcode: string },
  dueDate: string,
): BoletoSlip => ({
  line,
  barcode,
  dueDate,
  expiresAt: endOfSaoPauloDay(dueDate).toISOString(),
  ...(details?.external_resource_url ? { pdfUrl: details.external_resource_url } : {}),
});

const problemOf = (amount: number, split: unknown) => {
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > MOST_CENTS) {
    return rejected("unsupported", `at most ${MOST_CENTS} cents`);
  }
  return split ? rejected("unsupported", "payments are not split through this provider") : undefined;
};

function boletoProblem(call: CallContext, { amount, dueDate, payer, split, fine, interest }: BoletoInput) {
  const days = isCivilDate(dueDate) ? daysBetween(saoPauloDay(call.clock.now()), dueDate) : Number.NaN;
  if (!(days >= 0 && days <= MOST_BOLETO_DAYS)) return rejected("unsupported", `due within ${MOST_BOLETO_DAYS} days`);
  if (fine || interest) return rejected("unsupported", "its slips know neither fine nor interest");
  const missing = (["document", "email", "address"] as const).find((member) => payer[member] === undefined);
  return missing ? rejected("invalid_request", `a slip needs the payer's ${missing}`) : problemOf(amount, split);
}

/** What the buyer pays with, of a payment that was found. */
export function offerOf(own: WirePayment, now: Date): { offer?: FoundOffer } {
  const { transaction_amount: amount } = own;
  if (own.payment_method_id === PIX) {
    const code = pixOf(own);
    return code && code.amount === amount ? { offer: { amount, data: code.data } } : {};
  }
  const line = lineOf(own);
  const dueDate = line === undefined ? undefined : slipDueOn(line, saoPauloDay(now));
  if (line === undefined || dueDate === undefined) return {};
  const slip = readSlip(line, { amount, dueDate });
  return slip.kind === "slip" ? { offer: { amount, data: slipData(own, slip, dueDate) } } : {};
}
