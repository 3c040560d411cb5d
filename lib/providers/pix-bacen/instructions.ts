import { addDays, type CivilDate, saoPauloDay, saoPauloInstant } from "@/lib/brazil/bank-calendar";
import type { DeclinedCode } from "@/lib/declines/decline-codes";
import { centsToDecimal } from "@/lib/money";
import { foundNothing, type Read, rejected, unanswered, unreadable } from "@/lib/providers/answers";
import type { BankLine, PixRequest } from "@/lib/providers/pix-bacen/call";
import { LATE_WINDOW_SECONDS } from "@/lib/providers/pix-bacen/capabilities";
import { centsOf, inOrder, moneyOf } from "@/lib/providers/pix-bacen/look-up";
import { instructionAnswer, type WireAttempt, type WireInstruction } from "@/lib/providers/pix-bacen/mandate-wire";
import { NO_RECEIVER, receiverOf } from "@/lib/providers/pix-bacen/receiver";
import type { WirePix } from "@/lib/providers/pix-bacen/wire";
import type {
  CallContext,
  Decline,
  Outcome,
  PixCharge,
  PixInput,
  PixInstruction,
  ProviderState,
  QueryInput,
  QueryResult,
  Voided,
} from "@/lib/providers/provider";

/**
 * Charges under a mandate. The bank keeps one for a cycle and tries it on several days; here each day is a payment of its
 * own, named by the bank's txid and that day.
 */
interface Named {
  txid: string;
  settleOn: CivilDate;
}

const BETWEEN = "@";
export const instructionName = ({ txid, settleOn }: Named): string => `${txid}${BETWEEN}${settleOn}`;

/** Undefined for a charge that its payer scans. */
export function namedInstruction(providerTxId: string | undefined): Named | undefined {
  const [txid, settleOn] = providerTxId?.split(BETWEEN) ?? [];
  return txid === undefined || settleOn === undefined ? undefined : { txid, settleOn };
}

/** What an instruction is called, known also before anybody answered. */
export function nameAsked({ settleOn, retryOf }: PixInstruction, reference: string): Named {
  return { txid: namedInstruction(retryOf)?.txid ?? retryOf ?? reference, settleOn };
}

const POLL_MS = 60_000;
const pathOf = ({ txid }: Named): string => `/cobr/${encodeURIComponent(txid)}`;

export async function instruct(
  line: BankLine,
  call: CallContext,
  input: PixInput,
  instruction: PixInstruction,
): Promise<Outcome<PixCharge>> {
  const receiver = receiverOf(call.credentials);
  if (!receiver) return rejected("unsupported", NO_RECEIVER);
  const { mandateId, settleOn, retryOf } = instruction;
  const named = nameAsked(instruction, call.ref.providerReference);
  const first: PixRequest = {
    method: "PUT",
    path: pathOf(named),
    body: {
      idRec: mandateId,
      calendario: { dataDeVencimento: settleOn },
      valor: { original: centsToDecimal(input.amount) },
      // The day was told to the buyer.
      ajusteDiaUtil: false,
      recebedor: receiver,
    },
  };
  const again: PixRequest = { method: "POST", path: `${pathOf(named)}/retentativa/${settleOn}` };
  const asked = await line.ask(call, retryOf === undefined ? first : again, instructionAnswer);
  // A repeat is refused, as is what would come on top: what is there for that day decides.
  const isRefused = !asked.ok && asked.outcome.kind === "rejected" && asked.outcome.problem === "invalid_state";
  const known = isRefused ? await read(line, call, named) : asked;
  if (!asked.ok && !(known.ok && isAsked(known.value, named, instruction))) return asked.outcome;
  if (!known.ok) return known.outcome;
  const { value, status } = known;
  if (!isAsked(value, named, instruction)) return unreadable(status);
  const got = centsOf(value.valor.original);
  if (got !== input.amount) {
    const amounts = { expected: String(input.amount), got: value.valor.original };
    return {
      kind: "mismatch",
      field: "amount",
      ...amounts,
      providerTxId: instructionName(named),
      raw: rawOf(status, value),
    };
  }
  return {
    kind: "pending",
    providerTxId: instructionName(named),
    pollAfterMs: POLL_MS,
    data: offerOf(named),
    raw: rawOf(status, value),
  };
}

/** It stands under this mandate, for this day, and nothing has ended it. */
function isAsked(value: WireInstruction, named: Named, { mandateId, retryOf }: PixInstruction): boolean {
  if (value.txid !== named.txid || value.idRec !== mandateId) return false;
  const attempt = attemptOf(value, named.settleOn);
  if (retryOf !== undefined) return attempt?.status === "SOLICITADA" || attempt?.status === "AGENDADA";
  return (
    value.calendario.dataDeVencimento === named.settleOn && (value.status === "CRIADA" || value.status === "ATIVA")
  );
}

/** By then the payer's bank has tried for the last time, and said so. */
const SETTLED_BY = "12:00:00";
const endOf = ({ settleOn }: Named): string => saoPauloInstant(addDays(settleOn, 1), SETTLED_BY).toISOString();
const offerOf = (named: Named): PixCharge => ({ txid: named.txid, expiresAt: endOf(named) });

const read = (line: BankLine, call: CallContext, named: Named) =>
  line.ask(call, { method: "GET", path: pathOf(named) }, instructionAnswer);

/** The Pix that paid it; undefined where none did. */
export async function paymentOf(line: BankLine, call: CallContext, named: Named): Promise<Read<WirePix | undefined>> {
  const answer = await read(line, call, named);
  return answer.ok ? { ...answer, value: inOrder(paidOn(answer.value, named.settleOn))[0] } : answer;
}

export async function queryInstruction(
  line: BankLine,
  call: CallContext,
  input: QueryInput,
  named: Named,
): Promise<QueryResult> {
  const answer = await read(line, call, named);
  if (!answer.ok) {
    const { outcome } = answer;
    const isMissing = outcome.kind === "rejected" && outcome.problem === "not_found";
    return isMissing ? foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now()) : unanswered(outcome);
  }
  const { value } = answer;
  if (value.txid !== named.txid) return { kind: "unavailable" };
  const isFirst = value.calendario.dataDeVencimento === named.settleOn;
  // It is known of another day: this one was never asked for.
  if (!isFirst && !attemptOf(value, named.settleOn)) return foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now());
  return described(value, named, input.reference.providerReference);
}

/** Of several on one day, as a bank makes after a failure of its own, the one that paid, else the last. */
function attemptOf({ tentativas }: WireInstruction, day: CivilDate): WireAttempt | undefined {
  const ofDay = tentativas.filter(({ dataLiquidacao }) => dataLiquidacao === day);
  return ofDay.find(({ status }) => status === "PAGA") ?? ofDay.at(-1);
}

/** What arrived on that day: by the attempt that it settled, else by its own time. */
function paidOn(value: WireInstruction, day: CivilDate): WirePix[] {
  const dayOf = ({ endToEndId, horario }: WirePix): CivilDate =>
    value.tentativas.find((one) => one.endToEndId === endToEndId)?.dataLiquidacao ?? saoPauloDay(new Date(horario));
  return value.pix.filter((one) => dayOf(one) === day);
}

function described(value: WireInstruction, named: Named, reference: string): QueryResult {
  const authorized = centsOf(value.valor.original);
  const attempt = attemptOf(value, named.settleOn);
  const money = moneyOf(paidOn(value, named.settleOn), true);
  if (authorized === undefined || money === undefined) return { kind: "unavailable" };
  const state = stateOf(value, attempt, money);
  // Called paid, and by nothing: the bank has not made up its mind.
  if (state === undefined) return { kind: "unavailable" };
  return {
    kind: "found",
    providerTxId: instructionName(named),
    state,
    authorized,
    ...money.amounts,
    chargedBack: 0,
    currency: "BRL",
    reference,
    duplicates: [],
    refunds: money.refunds,
    payments: money.payments,
    ...(state === "declined" ? { decline: declineOf(value, attempt) } : {}),
    expiresAt: endOf(named),
    offer: { amount: authorized, data: offerOf(named) },
    raw: rawOf(200, value),
  };
}

const BY_ATTEMPT: Readonly<Record<WireAttempt["status"], ProviderState | undefined>> = {
  SOLICITADA: "pending",
  AGENDADA: "pending",
  PAGA: undefined,
  CANCELADA: "canceled",
  REJEITADA: "declined",
  EXPIRADA: "declined",
};
/** Where it was not tried yet, or the bank lists no attempts. */
const BY_STATUS: Readonly<Record<WireInstruction["status"], ProviderState | undefined>> = {
  CRIADA: "pending",
  ATIVA: "pending",
  CONCLUIDA: undefined,
  CANCELADA: "canceled",
  REJEITADA: "declined",
  EXPIRADA: "declined",
};

function stateOf(
  { status }: WireInstruction,
  attempt: WireAttempt | undefined,
  { amounts: { captured, refunded }, isRefunding }: NonNullable<ReturnType<typeof moneyOf>>,
): ProviderState | undefined {
  if (captured > 0) return refunded >= captured ? "refunded" : isRefunding ? "refund_pending" : "authorized";
  // What ended as a whole ended on each of its days that are still open.
  const isWhole = status === "CANCELADA" || status === "REJEITADA";
  if (attempt && !(isWhole && BY_ATTEMPT[attempt.status] === "pending")) return BY_ATTEMPT[attempt.status];
  return BY_STATUS[status];
}

/** Codes of the network that name a reason of ours; the others stand as the bank's own word. */
const CODES: Readonly<Partial<Record<string, DeclinedCode>>> = { AM02: "invalid_amount" };

/** After one of these the bank refuses the whole charge, on whatever day it is asked for again. */
const FINAL: ReadonlySet<string> = new Set(["AC05", "AM09", "DENC", "DS27", "DTED", "MIDI", "MSUC", "NITX", "RC09"]);

/** Not paid on its day is no verdict on the next; what the bank refused as such stays refused. */
function declineOf(value: WireInstruction, attempt: WireAttempt | undefined): Decline {
  const code = attempt?.rejeicao?.codigo ?? value.encerramento?.rejeicao?.codigo;
  const reason = code ?? attempt?.status ?? value.status;
  const retry = FINAL.has(code ?? "") ? "never" : "later";
  return { declinedCode: CODES[code ?? ""] ?? "generic", retry, reason };
}

/** Until the day before its first attempt; a further one is only ended with its mandate. */
export async function takeBack(line: BankLine, call: CallContext, named: Named): Promise<Outcome<Voided>> {
  const body = { status: "CANCELADA" };
  const answer = await line.ask(call, { method: "PATCH", path: pathOf(named), body }, instructionAnswer);
  if (!answer.ok) return answer.outcome;
  const { value, status } = answer;
  const voided = centsOf(value.valor.original);
  if (value.txid !== named.txid || value.status !== "CANCELADA" || voided === undefined) return unreadable(status);
  const at = call.clock.now().toISOString();
  const providerTxId = instructionName(named);
  return { kind: "approved", at, amount: voided, providerTxId, data: { voided }, raw: rawOf(status, value) };
}

/** Without the payer and the account. */
const rawOf = (status: number, { txid, idRec, status: state, valor, calendario, tentativas }: WireInstruction) => ({
  status,
  headers: {},
  body: { txid, idRec, status: state, valor, calendario, tentativas },
});
