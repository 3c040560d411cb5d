import { crc16 } from "@/lib/brazil/pix-brcode";
import { centsToDecimal } from "@/lib/money";
import { foundNothing, type Read, rejected, unreadable } from "@/lib/providers/answers";
import type {
  MandateCall,
  MandateInput,
  MandateInterval,
  MandateProvider,
  MandateResult,
  MandateRetry,
  MandateState,
} from "@/lib/providers/mandates";
import type { BankLine } from "@/lib/providers/pix-bacen/call";
import { LATE_WINDOW_SECONDS } from "@/lib/providers/pix-bacen/capabilities";
import { debtorOf } from "@/lib/providers/pix-bacen/debtor";
import {
  locationAnswer,
  MANDATE_STATUS,
  mandateAnswer,
  mandatesAnswer,
  type WireMandate,
} from "@/lib/providers/pix-bacen/mandate-wire";
import { NO_RECEIVER, receiverOf } from "@/lib/providers/pix-bacen/receiver";
import type { Outcome } from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";
import { addSeconds } from "@/lib/time";

const INTERVALS: Readonly<Record<MandateInterval, string>> = {
  weekly: "SEMANAL",
  monthly: "MENSAL",
  quarterly: "TRIMESTRAL",
  yearly: "ANUAL",
};
const RETRIES: Readonly<Record<MandateRetry, string>> = { none: "NAO_PERMITE", three_in_seven_days: "PERMITE_3R_7D" };
const MAX_OBJECT = 35;
/** What a bank's clock may be ahead of, or behind, ours. */
const CLOCK_SECONDS = 60;
const PAGE_SIZE = 1_000;

/** Recurrences of the Central Bank's API: named by the bank, and by our reference as the number of their contract. */
export const mandateCalls = (line: BankLine): MandateProvider => ({
  lacks: (credentials) => (receiverOf(credentials) ? undefined : NO_RECEIVER),
  create: (call, input) => create(line, call, input),
  query: (call, input) => query(line, call, input),
  end: (call, { providerMandateId }) => end(line, call, providerMandateId),
});

/** 32 of at most 35 signs. */
const contractOf = ({ ref }: MandateCall): string => ref.reference.replaceAll("-", "");
const mandatePath = (id: string): string => `/rec/${encodeURIComponent(id)}`;

async function create(line: BankLine, call: MandateCall, input: MandateInput): Promise<Outcome<MandateState>> {
  const debtor = debtorOf(input.payer);
  if (!debtor) return rejected("unsupported", "a mandate needs the payer's CPF or CNPJ");
  const place = await line.ask(call, { method: "POST", path: "/locrec" }, locationAnswer);
  // Nothing was asked of the buyer's bank yet; an address that nothing lies at harms nobody.
  if (!place.ok) return place.outcome.kind === "undetermined" ? UNSENT : place.outcome;
  const made = await line.ask(
    call,
    { method: "POST", path: "/rec", body: bodyOf(call, input, debtor, place.value.id) },
    mandateAnswer,
  );
  if (!made.ok) return made.outcome;
  // What the buyer scans is shown by a read alone. Where that fails the mandate is found by its contract.
  const read = await readMandate(line, call, made.value.idRec, input.firstPayment);
  return read.ok ? told(call, read) : unreadable(made.status);
}

const UNSENT: Outcome<never> = { kind: "not_sent", cause: "connect_timeout" };

const bodyOf = (
  call: MandateCall,
  { name, amount, interval, retry, startOn, firstPayment }: MandateInput,
  debtor: Record<string, string>,
  location: number,
) => ({
  vinculo: { contrato: contractOf(call), objeto: foldedText(name, MAX_OBJECT), devedor: debtor },
  calendario: { dataInicial: startOn, periodicidade: INTERVALS[interval] },
  valor: { valorRec: centsToDecimal(amount) },
  politicaRetentativa: RETRIES[retry],
  loc: location,
  ...(firstPayment === undefined ? {} : { ativacao: { dadosJornada: { txid: firstPayment } } }),
});

/** With the charge that authorizes it by being paid, the code shown is of both. */
const readMandate = (
  line: BankLine,
  call: MandateCall,
  id: string,
  firstPayment: string | undefined,
): Promise<Read<WireMandate>> =>
  line.ask(
    call,
    { method: "GET", path: mandatePath(id), ...(firstPayment === undefined ? {} : { query: { txid: firstPayment } }) },
    mandateAnswer,
  );

async function query(
  line: BankLine,
  call: MandateCall,
  { providerMandateId, firstPayment, sentUntil }: Parameters<MandateProvider["query"]>[1],
): Promise<MandateResult> {
  const named: Read<string | undefined> = providerMandateId
    ? { ok: true, value: providerMandateId, status: 200 }
    : await search(line, call, sentUntil);
  if (!named.ok) return { kind: "unavailable" };
  if (named.value === undefined) return absent(call, sentUntil);
  const read = await readMandate(line, call, named.value, firstPayment);
  if (!read.ok) {
    const { outcome } = read;
    const isMissing = outcome.kind === "rejected" && outcome.problem === "not_found";
    return isMissing ? absent(call, sentUntil) : { kind: "unavailable" };
  }
  if (!isOurs(call, read.value)) return { kind: "unavailable" };
  return { kind: "found", providerMandateId: read.value.idRec, ...stateOf(read.value) };
}

function absent(call: MandateCall, sentUntil: Date): MandateResult {
  const { kind } = foundNothing({ sentUntil }, LATE_WINDOW_SECONDS, call.clock.now());
  return { kind };
}

/** The bank lists recurrences by the time of their making; ours is the one of our contract, standing before over. */
async function search(line: BankLine, call: MandateCall, sentUntil: Date): Promise<Read<string | undefined>> {
  const span = {
    inicio: addSeconds(call.ref.begunAt, -CLOCK_SECONDS).toISOString(),
    fim: addSeconds(sentUntil, LATE_WINDOW_SECONDS + CLOCK_SECONDS).toISOString(),
    "paginacao.itensPorPagina": String(PAGE_SIZE),
  };
  const ours: WireMandate[] = [];
  for (let page = 0, pages = 1; page < pages; page++) {
    const path = { method: "GET", path: "/rec", query: { ...span, "paginacao.paginaAtual": String(page) } } as const;
    const read = await line.ask(call, path, mandatesAnswer);
    if (!read.ok) return read;
    pages = read.value.parametros.paginacao.quantidadeDePaginas;
    ours.push(...read.value.recs.filter((one) => isOurs(call, one)));
  }
  const standing = ours.find(({ status }) => status === "APROVADA") ?? ours.find(({ status }) => status === "CRIADA");
  return { ok: true, value: (standing ?? ours[0])?.idRec, status: 200 };
}

const isOurs = (call: MandateCall, { vinculo }: WireMandate): boolean => vinculo.contrato === contractOf(call);

/** Refused where it is over already: then it says so. */
async function end(line: BankLine, call: MandateCall, id: string): Promise<Outcome<MandateState>> {
  const body = { status: "CANCELADA" };
  const ended = await line.ask(call, { method: "PATCH", path: mandatePath(id), body }, mandateAnswer);
  if (ended.ok) return told(call, ended);
  if (ended.outcome.kind !== "rejected" || ended.outcome.problem !== "invalid_state") return ended.outcome;
  const read = await readMandate(line, call, id, undefined);
  return read.ok && isOver(read.value) ? told(call, read) : ended.outcome;
}

function told(call: MandateCall, { value, status }: Extract<Read<WireMandate>, { ok: true }>): Outcome<MandateState> {
  if (!isOurs(call, value)) return unreadable(status);
  const raw = { status, headers: {}, body: { idRec: value.idRec, status: value.status } };
  const at = call.clock.now().toISOString();
  return { kind: "approved", at, amount: 0, providerTxId: value.idRec, data: stateOf(value), raw };
}

const isOver = ({ status }: WireMandate): boolean => status !== "CRIADA" && status !== "APROVADA";

function stateOf(mandate: WireMandate): MandateState {
  const { status, atualizacao, encerramento, dadosQR } = mandate;
  const at = (word: string): string | undefined => instantOf(atualizacao.findLast((one) => one.status === word)?.data);
  const approvedAt = at("APROVADA");
  const endedAt = isOver(mandate) ? at(status) : undefined;
  const code = wholeCode(dadosQR?.pixCopiaECola);
  return {
    status: MANDATE_STATUS[status],
    ...(code === undefined ? {} : { qrCodeData: code }),
    ...(approvedAt === undefined ? {} : { approvedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(isOver(mandate) ? endedBy(status, encerramento) : {}),
  };
}

function endedBy(status: WireMandate["status"], end: WireMandate["encerramento"]): Pick<MandateState, "endedBy"> {
  if (status === "REJEITADA") return { endedBy: "payer" };
  const who = end?.cancelamento?.solicitante;
  return who === undefined ? {} : { endedBy: who.endsWith("_PAGADOR") ? "payer" : "receiver" };
}

function instantOf(text: string | undefined): string | undefined {
  const at = text === undefined ? undefined : new Date(text);
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}

/** A text that was cut on its way leads nobody's bank anywhere. */
const wholeCode = (text: string | undefined): string | undefined =>
  text?.startsWith("000201") && text.slice(-4) === crc16(text.slice(0, -4)) ? text : undefined;
