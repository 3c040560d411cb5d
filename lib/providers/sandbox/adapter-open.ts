import { daysBetween, isCivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { MAX_BOLETO_CENTS, slipMismatches } from "@/lib/brazil/boleto";
import { PixCodeError, parsePixCode } from "@/lib/brazil/pix-brcode";
import { isCents } from "@/lib/money";
import type {
  BoletoInput,
  BoletoSlip,
  CallContext,
  FoundOffer,
  Outcome,
  PaymentProvider,
  PixCharge,
  PixInput,
  PixInstruction,
  WalletCharge,
  WalletInput,
} from "@/lib/providers/provider";
import { headersOf, payerOf, pollAfterMs, splitProblem, wireSplit } from "@/lib/providers/sandbox/adapter-call";
import { type Read, readAnswer } from "@/lib/providers/sandbox/answers";
import { SANDBOX_CAPABILITIES, SANDBOX_MAX_INSTALLMENTS } from "@/lib/providers/sandbox/capabilities";
import type { SandboxTransport } from "@/lib/providers/sandbox/transport";
import { type OpenPaymentReply, openPaymentReply, type TransactionReply } from "@/lib/providers/sandbox/wire";
import { foldedText } from "@/lib/providers/text";

const MAX_RECEIVER_NAME = 25;
const MAX_RECEIVER_CITY = 15;
const WALLET_EXPIRY_SECONDS = 1_800;
/** Thirteen characters of the code, the decimal point included. */
const MAX_PIX_AMOUNT = 999_999_999_999;

type OpenCalls = Pick<PaymentProvider, "createPix" | "createBoleto" | "createWallet">;

/** Payments that wait for the buyer: Pix, boleto, wallets. */
export const openPaymentCalls = (transport: SandboxTransport): OpenCalls => ({
  createPix: (call, input) => createPix(transport, call, input),
  createBoleto: (call, input) => createBoleto(transport, call, input),
  createWallet: (call, input) => createWallet(transport, call, input),
});

async function createPix(transport: SandboxTransport, call: CallContext, input: PixInput): Promise<Outcome<PixCharge>> {
  const { minExpirySec, maxExpirySec } = SANDBOX_CAPABILITIES.pix;
  if (!Number.isInteger(input.expiresInSec) || input.expiresInSec < minExpirySec || input.expiresInSec > maxExpirySec) {
    return rejected(`a Pix lives ${minExpirySec} to ${maxExpirySec} seconds`);
  }
  if (input.amount > MAX_PIX_AMOUNT) return rejected("the amount does not fit in a Pix code");
  const problem = amountProblem(input.amount) ?? splitProblem(input.split, input.amount);
  if (problem) return problem;
  const txid = call.ref.providerReference;
  const read = await send(transport, call, "PUT", `/pix/${txid}`, {
    amount: input.amount,
    expiresIn: input.expiresInSec,
    receiver: {
      name: foldedText(input.receiver.name, MAX_RECEIVER_NAME) || "RECEIVER",
      city: foldedText(input.receiver.city, MAX_RECEIVER_CITY) || "SAO PAULO",
    },
    payer: payerOf(input.payer),
    ...(input.split ? { split: wireSplit(input.split) } : {}),
    ...(input.instruction ? { instruction: wireInstruction(input.instruction) } : {}),
  });
  if (!read.ok) return read.outcome;
  const wrong = mismatched(call, read, input.amount);
  if (wrong) return wrong;
  const { brCode, expiresAt } = read.value;
  if (input.instruction) {
    return read.value.settleOn === input.instruction.settleOn
      ? pending(call, read, { txid, expiresAt })
      : unreadable(read);
  }
  const code = brCode === undefined ? undefined : readCode(brCode);
  if (brCode === undefined || !code) return unreadable(read);
  if (code.amount !== input.amount) return mismatch(read, String(input.amount), String(code.amount));
  return pending(call, read, { txid, brCode, expiresAt });
}

const wireInstruction = ({ mandateId, settleOn, retryOf }: PixInstruction) => ({
  mandateId,
  settleOn,
  isRetry: retryOf !== undefined,
});

function readCode(text: string) {
  try {
    return parsePixCode(text);
  } catch (error) {
    if (error instanceof PixCodeError) return undefined;
    throw error;
  }
}

async function createBoleto(
  transport: SandboxTransport,
  call: CallContext,
  input: BoletoInput,
): Promise<Outcome<BoletoSlip>> {
  const { minDays, maxDays } = SANDBOX_CAPABILITIES.boleto;
  const days = isCivilDate(input.dueDate) ? daysBetween(saoPauloDay(call.clock.now()), input.dueDate) : Number.NaN;
  if (!(days >= minDays && days <= maxDays)) return rejected(`due ${minDays} to ${maxDays} days from today`);
  if (input.amount > MAX_BOLETO_CENTS) return rejected("the amount does not fit on a slip");
  const problem = amountProblem(input.amount) ?? splitProblem(input.split, input.amount);
  if (problem) return problem;
  const read = await send(transport, call, "POST", "/boletos", {
    reference: call.ref.providerReference,
    amount: input.amount,
    dueDate: input.dueDate,
    payer: payerOf(input.payer),
    ...(input.instructions === undefined ? {} : { instructions: input.instructions }),
    ...(input.split ? { split: wireSplit(input.split) } : {}),
  });
  if (!read.ok) return read.outcome;
  const wrong = mismatched(call, read, input.amount);
  if (wrong) return wrong;
  const { line, barcode, ourNumber, dueDate, expiresAt, brCode } = read.value;
  if (line === undefined || barcode === undefined || dueDate === undefined) return unreadable(read);
  const wrongs = slipMismatches({ line, barcode, amount: input.amount, dueOn: input.dueDate });
  if (wrongs.length === 1 && wrongs[0] === "amount")
    return mismatch(read, String(input.amount), "another amount on the slip");
  if (wrongs.length > 0 || dueDate !== input.dueDate) return unreadable(read);
  const code = brCode === undefined ? undefined : readCode(brCode);
  if (brCode !== undefined && !code) return unreadable(read);
  if (code && code.amount !== input.amount) return mismatch(read, String(input.amount), String(code.amount));
  return pending(call, read, {
    line,
    barcode,
    dueDate,
    expiresAt,
    ...(ourNumber === undefined ? {} : { ourNumber }),
    ...(brCode === undefined ? {} : { brCode }),
  });
}

async function createWallet(
  transport: SandboxTransport,
  call: CallContext,
  input: WalletInput,
): Promise<Outcome<WalletCharge>> {
  const installments = input.installments ?? 1;
  if (installments > SANDBOX_MAX_INSTALLMENTS) return rejected(`at most ${SANDBOX_MAX_INSTALLMENTS} installments`);
  const problem = amountProblem(input.amount) ?? splitProblem(input.split, input.amount);
  if (problem) return problem;
  const read = await send(transport, call, "POST", "/wallets", {
    reference: call.ref.providerReference,
    method: input.method,
    amount: input.amount,
    installments,
    expiresIn: input.expiresInSec ?? WALLET_EXPIRY_SECONDS,
    payer: payerOf(input.payer),
    ...(input.split ? { split: wireSplit(input.split) } : {}),
    ...(input.returnUrl ? { returnUrl: input.returnUrl } : {}),
    ...(input.cancelUrl ? { cancelUrl: input.cancelUrl } : {}),
  });
  if (!read.ok) return read.outcome;
  const wrong = mismatched(call, read, input.amount);
  if (wrong) return wrong;
  const { id, paymentUrl, expiresAt } = read.value;
  if (paymentUrl === undefined) return unreadable(read);
  return pending(call, read, { checkoutId: id, paymentUrl, qrCode: paymentUrl, expiresAt });
}

/** Only what agrees with itself and with the amount of its record is worth showing. */
export function offerOf(found: TransactionReply): { offer?: FoundOffer } {
  const { id, reference, amount, brCode, line, barcode, ourNumber, dueDate, paymentUrl, settleOn, expiresAt } = found;
  if (expiresAt === undefined) return {};
  if (brCode !== undefined && readCode(brCode)?.amount !== amount) return {};
  if (line !== undefined && barcode !== undefined && dueDate !== undefined) {
    if (slipMismatches({ line, barcode, amount, dueOn: dueDate }).length > 0) return {};
    const extras = { ...(ourNumber === undefined ? {} : { ourNumber }), ...(brCode === undefined ? {} : { brCode }) };
    return { offer: { amount, data: { line, barcode, dueDate, expiresAt, ...extras } } };
  }
  if (brCode !== undefined) return { offer: { amount, data: { txid: reference, brCode, expiresAt } } };
  if (settleOn !== undefined) return { offer: { amount, data: { txid: reference, expiresAt } } };
  if (paymentUrl === undefined) return {};
  return { offer: { amount, data: { checkoutId: id, paymentUrl, qrCode: paymentUrl, expiresAt } } };
}

async function send(
  transport: SandboxTransport,
  call: CallContext,
  method: "POST" | "PUT",
  path: string,
  body: object,
): Promise<Read<OpenPaymentReply>> {
  const exchange = await transport.send(
    { method, path, headers: headersOf(call), body },
    { deadline: call.deadline, signal: call.signal },
  );
  return readAnswer(exchange, openPaymentReply);
}

type Good = Extract<Read<OpenPaymentReply>, { ok: true }>;

const rawOf = ({ status, value }: Good) => ({ status, headers: {}, body: value });

const rejected = (detail: string): Outcome<never> => ({ kind: "rejected", problem: "invalid_request", detail });
const amountProblem = (amount: number): Outcome<never> | undefined =>
  isCents(amount) && amount > 0 ? undefined : rejected("amount is not a positive number of cents");
const unreadable = (read: Good): Outcome<never> => ({ kind: "undetermined", cause: "unparseable", raw: rawOf(read) });
const mismatch = (read: Good, expected: string, got: string): Outcome<never> => ({
  kind: "mismatch",
  field: "amount",
  expected,
  got,
  providerTxId: read.value.id,
  raw: rawOf(read),
});

function mismatched(call: CallContext, read: Good, amount: number): Outcome<never> | undefined {
  const { reference, currency, amount: got, id } = read.value;
  const expected = call.ref.providerReference;
  if (reference !== expected) {
    return { kind: "mismatch", field: "reference", expected, got: reference, providerTxId: id, raw: rawOf(read) };
  }
  if (currency !== "BRL") {
    return { kind: "mismatch", field: "currency", expected: "BRL", got: currency, providerTxId: id, raw: rawOf(read) };
  }
  return got === amount ? undefined : mismatch(read, String(amount), String(got));
}

const pending = <T>(call: CallContext, read: Good, data: T): Outcome<T> => ({
  kind: "pending",
  providerTxId: read.value.id,
  pollAfterMs: pollAfterMs(call, read.value.nextEventAt),
  ...(read.value.nextEventAt === undefined ? {} : { nextEventAt: read.value.nextEventAt }),
  data,
  raw: rawOf(read),
});
