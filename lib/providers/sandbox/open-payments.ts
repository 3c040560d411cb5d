import { systemSql } from "@/db/client";
import { endOfSaoPauloDay, nextBankDay, rollForward } from "@/lib/brazil/bank-calendar";
import { derivedBeside, derivedId } from "@/lib/ids";
import { pixCode, slipCodes, slipPixCode } from "@/lib/providers/sandbox/codes";
import { type Effects, effectsOnNew, losesNotifications } from "@/lib/providers/sandbox/effects";
import { costOf, notificationsOf } from "@/lib/providers/sandbox/events";
import { APPROVE_CODE } from "@/lib/providers/sandbox/outcomes";
import { repeated, settleRepeat } from "@/lib/providers/sandbox/repeat";
import { type Answer, answer, before, type CallDetails, callOf, closed, deliver } from "@/lib/providers/sandbox/reply";
import {
  type Connection,
  insertPayment,
  type Movement,
  movement,
  recordCall,
  type Transaction,
} from "@/lib/providers/sandbox/store";
import type {
  BoletoRequest,
  Caller,
  OpenPaymentReply,
  PixRequest,
  SimulatorReply,
  WalletRequest,
} from "@/lib/providers/sandbox/wire";
import { addSeconds } from "@/lib/time";

/** Above this a Pix is never paid by itself. */
const MAX_SELF_PAID_PIX = 500_00;
/** Buyers of this CEP never pay a boleto by themselves. */
export const NEVER_PAYS_ZIP = "70070300";

interface Opening {
  method: string;
  reference: string;
  amount: number;
  installments: number;
  expiresAt: Date;
  details: Record<string, unknown>;
  /** What the buyer needs in order to pay. */
  shown: Partial<OpenPaymentReply>;
  paysItself: boolean;
  /** Of an instruction: what the payer's bank does by itself. */
  settles?: Settles | undefined;
  request: Record<string, unknown>;
}

interface Settles {
  settleOn: string;
  at: Date;
  isPaid: boolean;
}

export const openPix = (caller: Caller, input: PixRequest, txid: string, settles?: Settles): Promise<SimulatorReply> =>
  open(caller, () => ({
    method: "pix",
    reference: txid,
    amount: input.amount,
    installments: 1,
    expiresAt: addSeconds(caller.now, input.expiresIn),
    details: input.instruction ? { mandateId: input.instruction.mandateId, settleOn: input.instruction.settleOn } : {},
    shown: settles ? { settleOn: settles.settleOn } : { brCode: pixCode(caller.publicUrl, txid, input) },
    paysItself: input.amount <= MAX_SELF_PAID_PIX,
    settles,
    request: { ...input },
  }));

/** Payable until the end of the day it is due, rolled to a bank day; expired one bank day later. */
export const boletoEnd = (dueDate: string): Date => endOfSaoPauloDay(nextBankDay(rollForward(dueDate)));

export const createBoleto = (caller: Caller, input: BoletoRequest): Promise<SimulatorReply> =>
  open(caller, (id) => {
    const { ourNumber, ...codes } = slipCodes(id, input);
    return {
      method: "boleto",
      reference: input.reference,
      amount: input.amount,
      installments: 1,
      expiresAt: boletoEnd(input.dueDate),
      details: { dueDate: input.dueDate, zipCode: input.payer.zipCode ?? null },
      shown: { ...codes, ourNumber, dueDate: input.dueDate, brCode: slipPixCode(caller.publicUrl, id, input) },
      paysItself: input.payer.zipCode !== NEVER_PAYS_ZIP,
      request: { ...input },
    };
  });

export const createWallet = (caller: Caller, input: WalletRequest): Promise<SimulatorReply> =>
  open(caller, (id) => ({
    method: input.method,
    reference: input.reference,
    amount: input.amount,
    installments: input.installments,
    expiresAt: addSeconds(caller.now, input.expiresIn),
    details: { returnUrl: input.returnUrl ?? null, cancelUrl: input.cancelUrl ?? null },
    shown: { paymentUrl: `${caller.publicUrl}/sandbox/wallets/${id}` },
    paysItself: true,
    request: { ...input },
  }));

async function open(caller: Caller, describe: (id: string) => Opening): Promise<SimulatorReply> {
  const sql = systemSql();
  const effects: Effects = caller.scenario === undefined ? {} : await effectsOnNew(sql, caller);
  const reference = describe(caller.chargeId).reference;
  const id = derivedBeside(reference, "sandbox", caller.clientId, caller.providerId, reference, 0);
  const opening = describe(id);
  const details: CallDetails = { operation: opening.method, reference, request: opening.request, kept: true };
  const instead = before(effects);
  if (instead === "closed") return closed;
  if (instead) {
    await recordCall(sql, callOf(caller, { ...details, kept: false }, instead, effects));
    return deliver(instead, effects);
  }
  const tx = transactionOf(caller, id, opening);
  const selfPaid = opening.settles
    ? bankPayment(tx, opening.settles)
    : opening.paysItself
      ? await selfPayment(sql, caller, tx)
      : [];
  const resolved = tx.resolvesAt ? [{ type: "payment.resolved", at: tx.resolvesAt } as const] : [];
  const given = answer(replyTo(caller, tx, opening, selfPaid));
  const call = callOf(caller, details, given, effects);
  const made = await insertPayment(tx, call, selfPaid, await notificationsOf(sql, tx, selfPaid, resolved)).catch(
    settleRepeat,
  );
  if (made === true) return deliver(given, effects);
  const clash: Answer = made || (await repeated(sql, caller, call.fingerprint));
  return deliver(clash, effects);
}

/** The account may ask that what is created pays itself a while later. */
async function selfPayment(sql: Connection, caller: Caller, tx: Transaction): Promise<Movement[]> {
  const [account] = await sql<{ seconds: number | null }[]>`
    select auto_settle_seconds as seconds from clients where id = ${caller.clientId}`;
  if (account?.seconds === null || account?.seconds === undefined) return [];
  const at = addSeconds(caller.now, account.seconds);
  if (tx.expiresAt && at > tx.expiresAt) return [];
  return [paidAt(tx, at)];
}

const bankPayment = (tx: Transaction, { at, isPaid }: Settles): Movement[] => (isPaid ? [paidAt(tx, at)] : []);

const paidAt = (tx: Transaction, at: Date): Movement =>
  movement(tx, {
    kind: "payment",
    amount: tx.amount,
    cost: costOf(tx.method, tx.amount),
    at,
    requestedAt: at,
    reference: paymentId(tx, 0, at),
    paymentId: null,
  });

/** Bank of nobody. */
const ISPB = "00000000";

/** As the Central Bank numbers them: E, bank, minute, eleven characters of its own. */
export function paymentId(tx: Transaction, number: number, at: Date): string {
  const own = derivedId("sandbox-payment", tx.id, number, at.getTime()).replaceAll("-", "").slice(0, 11);
  return `E${ISPB}${at.toISOString().slice(0, 16).replace(/\D/g, "")}${own}`;
}

function transactionOf(caller: Caller, id: string, opening: Opening): Transaction {
  return {
    id,
    clientId: caller.clientId,
    providerId: caller.providerId,
    chargeId: caller.chargeId,
    reference: opening.reference,
    copy: 0,
    method: opening.method,
    outcome: APPROVE_CODE,
    declinedCode: opening.settles?.isPaid === false ? "insufficient_funds" : null,
    brand: null,
    cardFingerprint: null,
    state: "pending",
    plain: false,
    currency: "BRL",
    amount: opening.amount,
    authorized: 0,
    captured: 0,
    refunded: 0,
    installments: opening.installments,
    capturedAt: null,
    endedAt: null,
    resolvesAt: opening.settles?.isPaid === false ? opening.settles.at : null,
    resolvesTo: opening.settles?.isPaid === false ? "declined" : null,
    expiresAt: opening.expiresAt,
    delaySeconds: caller.delaySeconds,
    scenario: caller.scenario ?? null,
    details: { ...opening.details, shown: opening.shown },
    createdAt: caller.now,
  };
}

function replyTo(caller: Caller, tx: Transaction, opening: Opening, payments: readonly Movement[]): OpenPaymentReply {
  const next = (losesNotifications(tx) ? undefined : (payments[0]?.at ?? tx.resolvesAt)) ?? opening.expiresAt;
  return {
    id: tx.id,
    reference: tx.reference,
    status: "pending",
    amount: tx.amount,
    currency: tx.currency,
    expiresAt: opening.expiresAt.toISOString(),
    nextEventAt: next.toISOString(),
    ...opening.shown,
    at: caller.now.toISOString(),
  };
}
