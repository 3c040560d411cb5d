import { centsToDecimal } from "@/lib/money";
import { exceeded, type Read, rejected, unreadable, unsupported } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { credentialsOf } from "@/lib/providers/credentials";
import { type Bank, certificateEnd } from "@/lib/providers/pix-bacen/banks";
import { type BankLine, lineTo } from "@/lib/providers/pix-bacen/call";
import { MOST_CENTS, MOST_EXPIRY_SECONDS, PIX_BACEN_CAPABILITIES } from "@/lib/providers/pix-bacen/capabilities";
import { connect } from "@/lib/providers/pix-bacen/connect";
import { debtorOf } from "@/lib/providers/pix-bacen/debtor";
import {
  instruct,
  nameAsked,
  namedInstruction,
  paymentOf,
  queryInstruction,
  takeBack,
} from "@/lib/providers/pix-bacen/instructions";
import { centsOf, chargePath, expiresAt, query, readCharge, readCode, saleOf } from "@/lib/providers/pix-bacen/look-up";
import { mandateCalls } from "@/lib/providers/pix-bacen/mandates";
import { parseWebhook } from "@/lib/providers/pix-bacen/webhook";
import { chargeAnswer, refundAnswer, type WireCharge, type WirePix } from "@/lib/providers/pix-bacen/wire";
import type {
  CallContext,
  Outcome,
  Payer,
  PaymentProvider,
  PixCharge,
  PixInput,
  Refunded,
  RefundInput,
  Voided,
} from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";
import { realNow } from "@/lib/time";

const MAX_INFO_NAME = 50;
const MAX_INFO = 200;
const MOST_INFO = 50;
const POLL_MS = 30_000;
const CARDS = "this provider takes no cards";

/** A bank that speaks the Central Bank's Pix API: immediate charges, mandates, what is charged under them, refunds. */
export function pixBacenProvider(bank: Bank, connections: Connections): PaymentProvider {
  const line = lineTo(bank, connections);
  return {
    kind: "PIX_BACEN",
    capabilities: PIX_BACEN_CAPABILITIES,
    validateCredentials(raw) {
      const checked = credentialsOf(bank)(raw);
      const ended = checked.ok ? certificateEnd(bank, checked.value) : undefined;
      if (ended === undefined || ended > realNow()) return checked;
      return { ok: false, errors: [{ field: "credentials", message: `the certificate ended on ${dayOf(ended)}` }] };
    },
    // 32 signs: the txid of a charge, and the id of a refund.
    attemptReference: (attemptId) => attemptId.replaceAll("-", ""),
    idempotencyKey: ({ attemptId, operation, sequence }) => `${attemptId}-${operation}-${sequence}`,
    authorize: unsupported(CARDS),
    capture: unsupported(CARDS),
    void: unsupported(CARDS),
    refund: (call, input) => refund(line, call, input),
    query(call, input) {
      const asked = input.instruction && nameAsked(input.instruction, input.reference.providerReference);
      const named = namedInstruction(input.providerTxId) ?? asked;
      return named ? queryInstruction(line, call, input, named) : query(line, call, input);
    },
    createPix: (call, input) => createPix(line, call, input),
    createBoleto: unsupported("this provider issues no boletos"),
    createWallet: unsupported("wallets are not offered through this provider"),
    cancelOpen(call, { providerTxId }) {
      const named = namedInstruction(providerTxId);
      return named ? takeBack(line, call, named) : cancelOpen(line, call, providerTxId);
    },
    mandates: mandateCalls(line),
    connect: (call) => connect(line, call),
    parseWebhook,
  };
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

async function createPix(line: BankLine, call: CallContext, input: PixInput): Promise<Outcome<PixCharge>> {
  const { amount, expiresInSec } = input;
  if (!Number.isInteger(expiresInSec) || expiresInSec < 1 || expiresInSec > MOST_EXPIRY_SECONDS) {
    return rejected("unsupported", `a Pix lives 1 to ${MOST_EXPIRY_SECONDS} seconds`);
  }
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > MOST_CENTS) {
    return rejected("unsupported", `at most ${MOST_CENTS} cents`);
  }
  if (input.split) return rejected("unsupported", "payments are not split through this provider");
  if (input.instruction) return instruct(line, call, input, input.instruction);
  const txid = call.ref.providerReference;
  const read = await line.ask(
    call,
    { method: "PUT", path: chargePath(txid), body: chargeBody(call, input) },
    chargeAnswer,
  );
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  // Another charge, one that was settled meanwhile, or another key's: what became of ours is asked.
  if (value.txid !== txid || value.status !== "ATIVA" || value.calendario.expiracao !== expiresInSec) {
    return unreadable(status);
  }
  const raw = rawCharge(status, value);
  const got = centsOf(value.valor.original);
  if (got !== amount) {
    const amounts = { expected: String(amount), got: value.valor.original };
    return { kind: "mismatch", field: "amount", ...amounts, providerTxId: txid, raw };
  }
  const code = readCode(value);
  if (!code) return unreadable(status);
  if (code.amount !== undefined && code.amount !== amount) {
    const amounts = { expected: String(amount), got: String(code.amount) };
    return { kind: "mismatch", field: "amount", ...amounts, providerTxId: txid, raw };
  }
  const data = { txid, brCode: code.text, expiresAt: expiresAt(value).toISOString() };
  return { kind: "pending", providerTxId: txid, pollAfterMs: POLL_MS, data, raw };
}

const chargeBody = (call: CallContext, { amount, expiresInSec, payer, additionalInfo }: PixInput) => ({
  calendario: { expiracao: expiresInSec },
  ...withDebtor(payer),
  valor: { original: centsToDecimal(amount) },
  chave: keyOf(call),
  ...(additionalInfo && additionalInfo.length > 0
    ? {
        infoAdicionais: additionalInfo.slice(0, MOST_INFO).map(({ name, value }) => ({
          nome: foldedText(name, MAX_INFO_NAME),
          valor: foldedText(value, MAX_INFO),
        })),
      }
    : {}),
});

const withDebtor = (payer: Payer): Record<string, unknown> => {
  const debtor = debtorOf(payer);
  return debtor ? { devedor: debtor } : {};
};

const keyOf = ({ credentials }: Pick<CallContext, "credentials">): string => credentials.reveal().pixKey ?? "";

async function cancelOpen(line: BankLine, call: CallContext, txid: string): Promise<Outcome<Voided>> {
  const body = { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" };
  const read = await line.ask(call, { method: "PATCH", path: chargePath(txid), body }, chargeAnswer);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const voided = centsOf(value.valor.original);
  if (value.txid !== txid || value.status !== "REMOVIDA_PELO_USUARIO_RECEBEDOR" || voided === undefined) {
    return unreadable(status);
  }
  const at = call.clock.now().toISOString();
  return { kind: "approved", at, amount: voided, providerTxId: txid, data: { voided }, raw: rawCharge(status, value) };
}

/** A refund is of one Pix that arrived: of the sale's unless another is named. */
async function refund(
  line: BankLine,
  call: CallContext,
  { providerTxId, amount, captured, alreadyRefunded, paymentId }: RefundInput,
): Promise<Outcome<Refunded>> {
  const left = captured - alreadyRefunded;
  if (amount > left) return exceeded("refund", amount, left);
  let payment = paymentId;
  if (payment === undefined) {
    const named = namedInstruction(providerTxId);
    const sale = named ? await paymentOf(line, call, named) : await saleAt(line, call, providerTxId);
    if (!sale.ok) return sale.outcome;
    payment = sale.value?.endToEndId;
    if (payment === undefined) return rejected("invalid_state", "no Pix has arrived");
  }
  const id = call.ref.providerReference;
  const read = await line.ask(
    call,
    {
      method: "PUT",
      path: `/pix/${encodeURIComponent(payment)}/devolucao/${encodeURIComponent(id)}`,
      body: { valor: centsToDecimal(amount) },
    },
    refundAnswer,
  );
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  if (value.id !== id) return unreadable(status);
  const raw = { status, headers: {}, body: { id: value.id, status: value.status, valor: value.valor } };
  const refunded = centsOf(value.valor);
  if (refunded !== amount) {
    const amounts = { expected: String(amount), got: value.valor };
    return { kind: "mismatch", field: "amount", ...amounts, providerTxId, raw };
  }
  if (value.status === "NAO_REALIZADO") {
    const reason = value.motivo ?? value.status;
    return { kind: "declined", declinedCode: "generic", retry: "never", reason, providerTxId, raw };
  }
  return {
    kind: "approved",
    at: call.clock.now().toISOString(),
    amount,
    providerTxId,
    data: { refundId: value.id, refunded: amount, status: value.status === "DEVOLVIDO" ? "done" : "pending" },
    raw,
  };
}

async function saleAt(line: BankLine, call: CallContext, txid: string): Promise<Read<WirePix | undefined>> {
  const charge = await readCharge(line, call, txid);
  return charge.ok ? { ...charge, value: saleOf(charge.value) } : charge;
}

/** Without the payer. */
export const rawCharge = (status: number, { txid, status: state, valor, calendario }: WireCharge) => ({
  status,
  headers: {},
  body: { txid, status: state, valor, calendario },
});
