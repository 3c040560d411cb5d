import { PixCodeError, parsePixCode } from "@/lib/brazil/pix-brcode";
import { decimalToCents } from "@/lib/money";
import { foundNothing, type Read, unanswered } from "@/lib/providers/answers";
import type { Asking, BankLine } from "@/lib/providers/pix-bacen/call";
import { LATE_WINDOW_SECONDS } from "@/lib/providers/pix-bacen/capabilities";
import {
  type WholeCharge,
  type WireCharge,
  type WirePix,
  type WireRefund,
  wholeCharge,
} from "@/lib/providers/pix-bacen/wire";
import type {
  CallContext,
  FoundOffer,
  ProviderPayment,
  ProviderRefund,
  ProviderState,
  QueryInput,
  QueryResult,
} from "@/lib/providers/provider";
import { addSeconds } from "@/lib/time";

const DECIMAL = /^\d{1,10}\.\d{2}$/;

/** Money as the Central Bank writes it; undefined for any other text. */
export const centsOf = (decimal: string): number | undefined =>
  DECIMAL.test(decimal) ? decimalToCents(decimal) : undefined;

export const chargePath = (txid: string): string => `/cob/${encodeURIComponent(txid)}`;

export const expiresAt = ({ calendario }: WireCharge): Date =>
  addSeconds(new Date(calendario.criacao), calendario.expiracao);

export const readCharge = (line: BankLine, call: Asking, txid: string): Promise<Read<WholeCharge>> =>
  line.ask(call, { method: "GET", path: chargePath(txid) }, wholeCharge);

/** The Pix that paid the charge: the first one, once the bank calls the charge paid. Whatever else arrives is on top. */
export const saleOf = (charge: WholeCharge): WirePix | undefined =>
  charge.status === "CONCLUIDA" ? inOrder(charge.pix)[0] : undefined;

export const inOrder = (pix: readonly WirePix[]): WirePix[] =>
  pix.toSorted((a, b) => Date.parse(a.horario) - Date.parse(b.horario) || (a.endToEndId < b.endToEndId ? -1 : 1));

/** The txid is ours: the charge is found by it whether or not its making was answered. */
export async function query(line: BankLine, call: CallContext, input: QueryInput): Promise<QueryResult> {
  const txid = input.providerTxId ?? input.reference.providerReference;
  const read = await readCharge(line, call, txid);
  if (!read.ok) {
    const { outcome } = read;
    const isMissing = outcome.kind === "rejected" && outcome.problem === "not_found";
    return isMissing ? foundNothing(input, LATE_WINDOW_SECONDS, call.clock.now()) : unanswered(outcome);
  }
  return read.value.txid === txid ? described(read.value, call.clock.now()) : { kind: "unavailable" };
}

function described(charge: WholeCharge, now: Date): QueryResult {
  const isLapsed = now >= expiresAt(charge);
  const sale = saleOf(charge);
  const authorized = centsOf(charge.valor.original);
  const money = moneyOf(charge.pix, charge.status === "CONCLUIDA");
  // Paid and called open, or paid by nothing: the bank has not made up its mind.
  const isUndecided =
    charge.status === "CONCLUIDA" ? !sale : charge.status === "ATIVA" && !isLapsed && charge.pix.length > 0;
  if (authorized === undefined || money === undefined || isUndecided) return { kind: "unavailable" };
  return {
    kind: "found",
    providerTxId: charge.txid,
    state: stateOf(charge, money, isLapsed),
    authorized,
    ...money.amounts,
    chargedBack: 0,
    currency: "BRL",
    reference: charge.txid,
    duplicates: [],
    refunds: money.refunds,
    payments: money.payments,
    expiresAt: expiresAt(charge).toISOString(),
    ...offerOf(charge, authorized),
    raw: { status: 200, headers: {}, body: { txid: charge.txid, status: charge.status, pix: charge.pix.length } },
  };
}

interface Money {
  amounts: { captured: number; refunded: number };
  isRefunding: boolean;
  refunds: ProviderRefund[];
  payments: ProviderPayment[];
}

/** What arrived: the first is the sale where there is one, the others are on top. Undefined where an amount is none. */
export function moneyOf(arrived: readonly WirePix[], isSold: boolean): Money | undefined {
  const pix = inOrder(arrived);
  const sale = isSold ? pix[0] : undefined;
  const payments = pix.flatMap((one) => {
    const amount = centsOf(one.valor);
    const paidAt = new Date(one.horario).toISOString();
    return amount === undefined ? [] : [{ paymentId: one.endToEndId, amount, paidAt, surplus: one !== sale }];
  });
  if (payments.length < pix.length) return undefined;
  const ofSale = (sale?.devolucoes ?? []).map(refundOf);
  return {
    amounts: {
      captured: payments.filter(({ surplus }) => !surplus).reduce((sum, { amount }) => sum + amount, 0),
      refunded: ofSale.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0),
    },
    isRefunding: ofSale.some(isPending),
    refunds: pix.flatMap(({ endToEndId, devolucoes }) =>
      devolucoes.map((one) => ({ ...refundOf(one), paymentId: endToEndId })),
    ),
    payments,
  };
}

/** Only a code that says the charge's own amount, or none, is worth showing. */
function offerOf(charge: WireCharge, amount: number): { offer?: FoundOffer } {
  const code = readCode(charge);
  if (!code || (code.amount !== undefined && code.amount !== amount)) return {};
  const data = { txid: charge.txid, brCode: code.text, expiresAt: expiresAt(charge).toISOString() };
  return { offer: { amount, data } };
}

/** The text that the buyer copies: whole, of a charge at a bank, and of the address that the bank named. */
export function readCode({ pixCopiaECola: text, location }: WireCharge): { text: string; amount?: number } | undefined {
  if (text === undefined) return undefined;
  try {
    const { kind, url, amount } = parsePixCode(text);
    if (kind !== "dynamic" || (location !== undefined && url !== location)) return undefined;
    return { text, ...(amount === undefined ? {} : { amount }) };
  } catch (error) {
    if (error instanceof PixCodeError) return undefined;
    throw error;
  }
}

function stateOf({ status }: WholeCharge, { amounts, isRefunding }: Money, isLapsed: boolean): ProviderState {
  if (status === "CONCLUIDA") {
    if (amounts.refunded >= amounts.captured) return "refunded";
    return isRefunding ? "refund_pending" : "authorized";
  }
  if (status !== "ATIVA") return "canceled";
  return isLapsed ? "expired" : "pending";
}

const STATUS = { EM_PROCESSAMENTO: "pending", DEVOLVIDO: "done", NAO_REALIZADO: "failed" } as const;

const refundOf = ({ id, valor, status, horario }: WireRefund): ProviderRefund => ({
  refundId: id,
  reference: id,
  amount: centsOf(valor) ?? 0,
  status: STATUS[status],
  at: new Date(horario.liquidacao ?? horario.solicitacao).toISOString(),
});
const isPending = ({ status }: ProviderRefund): boolean => status === "pending";
