import { centsToDecimal } from "@/lib/money";
import { exceeded, rejected, unreadable, unsupported } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { credentialsOf } from "@/lib/providers/credentials";
import { type Bank, certificateEnd } from "@/lib/providers/pix-bacen/banks";
import { type BankLine, lineTo } from "@/lib/providers/pix-bacen/call";
import { MOST_CENTS, MOST_EXPIRY_SECONDS, PIX_BACEN_CAPABILITIES } from "@/lib/providers/pix-bacen/capabilities";
import { connect } from "@/lib/providers/pix-bacen/connect";
import { centsOf, chargePath, expiresAt, query, readCharge, readCode, saleOf } from "@/lib/providers/pix-bacen/look-up";
import { parseWebhook } from "@/lib/providers/pix-bacen/webhook";
import { chargeAnswer, refundAnswer, type WireCharge } from "@/lib/providers/pix-bacen/wire";
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

const MAX_NAME = 140;
const MAX_INFO_NAME = 50;
const MAX_INFO = 200;
const MOST_INFO = 50;
const POLL_MS = 30_000;
const CARDS = "this provider takes no cards";

/** A bank that speaks the Central Bank's Pix API: immediate charges and their refunds. */
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
    query: (call, input) => query(line, call, input),
    createPix: (call, input) => createPix(line, call, input),
    createBoleto: unsupported("this provider issues no boletos"),
    createWallet: unsupported("wallets are not offered through this provider"),
    cancelOpen: (call, { providerTxId }) => cancelOpen(line, call, providerTxId),
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
  ...debtorOf(payer),
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

const keyOf = ({ credentials }: Pick<CallContext, "credentials">): string => credentials.reveal().pixKey ?? "";

/** A name stands only beside a document. */
function debtorOf({ name, document }: Payer): Record<string, unknown> {
  const type = document?.type.toUpperCase();
  if (!document || (type !== "CPF" && type !== "CNPJ")) return {};
  return { devedor: { [type.toLowerCase()]: document.number, nome: foldedText(name, MAX_NAME) } };
}

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
    const charge = await readCharge(line, call, providerTxId);
    if (!charge.ok) return charge.outcome;
    payment = saleOf(charge.value)?.endToEndId;
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

/** Without the payer. */
export const rawCharge = (status: number, { txid, status: state, valor, calendario }: WireCharge) => ({
  status,
  headers: {},
  body: { txid, status: state, valor, calendario },
});
