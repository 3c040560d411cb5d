import { daysBetween, endOfSaoPauloDay, isCivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { MAX_BOLETO_CENTS } from "@/lib/brazil/boleto";
import { PixCodeError, parsePixCode } from "@/lib/brazil/pix-brcode";
import { answerOf, rawPayment } from "@/lib/providers/adyen/answers";
import { CHARGE, merchant, send } from "@/lib/providers/adyen/call";
import { BOLETO_DAYS, PIX_SECONDS } from "@/lib/providers/adyen/capabilities";
import { payerFields } from "@/lib/providers/adyen/payer";
import { type Action, type PaymentAnswer, paymentAnswer } from "@/lib/providers/adyen/wire";
import { rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import type { BoletoInput, BoletoSlip, CallContext, Outcome, PixCharge, PixInput } from "@/lib/providers/provider";
import { readSlip } from "@/lib/providers/slip";
import { foldedText } from "@/lib/providers/text";
import { addSeconds } from "@/lib/time";

const PIX_POLL_MS = 15_000;
const BOLETO_POLL_MS = 60_000;
const MAX_INSTRUCTIONS = 500;
/** The buyer has what to pay with, and has not paid. */
const WAITING: ReadonlySet<string> = new Set(["Pending", "PresentToShopper", "Received"]);

export async function createPix(
  connections: Connections,
  call: CallContext,
  input: PixInput,
): Promise<Outcome<PixCharge>> {
  const { expiresInSec, payer } = input;
  if (!Number.isInteger(expiresInSec) || expiresInSec < PIX_SECONDS.least || expiresInSec > PIX_SECONDS.most) {
    return rejected("unsupported", `a Pix lives between ${PIX_SECONDS.least} and ${PIX_SECONDS.most} seconds`);
  }
  const refused = refusedBeforeSending(input);
  if (refused) return refused;
  const until = addSeconds(call.ref.begunAt, expiresInSec).toISOString();
  const body = { paymentMethod: { type: "pix" }, sessionValidity: until, ...payerFields(payer) };
  const made = await create(connections, call, input.amount, body);
  if (!made.ok) return made.outcome;
  const { providerTxId, action, raw, status } = made;
  const code = action.qrCodeData ? codeIn(action.qrCodeData) : undefined;
  if (!code) return unreadable(status);
  if (code.amount !== undefined && code.amount !== input.amount) {
    const amounts = { expected: String(input.amount), got: String(code.amount) };
    return { kind: "mismatch", field: "amount", ...amounts, providerTxId, raw };
  }
  return {
    kind: "pending",
    providerTxId,
    pollAfterMs: PIX_POLL_MS,
    data: { txid: providerTxId, brCode: action.qrCodeData ?? "", expiresAt: endOf(action) ?? until },
    raw,
  };
}

export async function createBoleto(
  connections: Connections,
  call: CallContext,
  input: BoletoInput,
): Promise<Outcome<BoletoSlip>> {
  const { dueDate, payer, instructions } = input;
  const days = isCivilDate(dueDate) ? daysBetween(saoPauloDay(call.clock.now()), dueDate) : Number.NaN;
  if (!(days >= BOLETO_DAYS.least && days <= BOLETO_DAYS.most)) {
    return rejected("unsupported", `due in ${BOLETO_DAYS.least} to ${BOLETO_DAYS.most} days`);
  }
  const refused = refusedBeforeSending(input) ?? incomplete(input);
  if (refused) return refused;
  const until = endOfSaoPauloDay(dueDate).toISOString();
  const made = await create(connections, call, input.amount, {
    paymentMethod: { type: "boletobancario" },
    deliverAt: until,
    ...(instructions ? { shopperStatement: foldedText(instructions, MAX_INSTRUCTIONS) } : {}),
    ...payerFields(payer),
  });
  if (!made.ok) return made.outcome;
  const { providerTxId, action, raw, status } = made;
  const slip = readSlip(action.reference ?? "", input);
  if (slip.kind === "unreadable") return unreadable(status);
  if (slip.kind === "mismatch") {
    return { kind: "mismatch", field: "amount", expected: String(input.amount), got: slip.got, providerTxId, raw };
  }
  return {
    kind: "pending",
    providerTxId,
    pollAfterMs: BOLETO_POLL_MS,
    data: {
      line: slip.line,
      barcode: slip.barcode,
      dueDate,
      expiresAt: until,
      ...(action.downloadUrl ? { pdfUrl: action.downloadUrl } : {}),
    },
    raw,
  };
}

type Made =
  | { ok: true; providerTxId: string; action: Action; raw: ReturnType<typeof rawPayment>; status: number }
  | { ok: false; outcome: Outcome<never> };

async function create(
  connections: Connections,
  call: CallContext,
  amount: number,
  fields: Record<string, unknown>,
): Promise<Made> {
  const exchange = await send(connections, call, {
    path: "/payments",
    body: {
      ...merchant(call),
      reference: call.ref.providerReference,
      amount: { currency: "BRL", value: amount },
      countryCode: "BR",
      returnUrl: call.publicUrl,
      metadata: { [CHARGE]: call.chargeId },
      ...fields,
    },
  });
  const read = answerOf(exchange, paymentAnswer);
  if (!read.ok) return read;
  const { value, status } = read;
  const { pspReference: providerTxId, action } = value;
  if (value.resultCode === "Refused") return { ok: false, outcome: refusedBy(value, status) };
  const isOurs = !value.merchantReference || value.merchantReference === call.ref.providerReference;
  if (!isOurs || !providerTxId || !action || value.refusalReasonCode || !WAITING.has(value.resultCode)) {
    return { ok: false, outcome: unreadable(status) };
  }
  return { ok: true, providerTxId, action, raw: rawPayment(status, value), status };
}

const refusedBy = (value: PaymentAnswer, status: number): Outcome<never> => ({
  kind: "declined",
  declinedCode: "generic",
  retry: "never",
  ...(value.refusalReason ? { reason: value.refusalReason } : {}),
  raw: rawPayment(status, value),
});

function codeIn(text: string): { amount?: number | undefined } | undefined {
  try {
    return parsePixCode(text);
  } catch (error) {
    if (error instanceof PixCodeError) return undefined;
    throw error;
  }
}

function endOf({ expiresAt }: Action): string | undefined {
  const at = Date.parse(expiresAt ?? "");
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

function refusedBeforeSending({ amount, split }: Pick<PixInput, "amount" | "split">) {
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > MAX_BOLETO_CENTS) {
    return rejected("unsupported", `at most ${MAX_BOLETO_CENTS} cents`);
  }
  return split ? rejected("unsupported", "payments are not split through this provider") : undefined;
}

function incomplete({ payer, fine, interest }: BoletoInput) {
  if (fine || interest) return rejected("unsupported", "its slips know neither fine nor interest");
  const missing = (["document", "address"] as const).find((member) => payer[member] === undefined);
  return missing ? rejected("invalid_request", `a slip needs the payer's ${missing}`) : undefined;
}
