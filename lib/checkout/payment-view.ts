import { endOfSaoPauloDay, nextBankDay, rollForward, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { endToEndOf } from "@/lib/charges/end-to-end";
import { surplusOf } from "@/lib/charges/engine/surplus";
import { challengeOf, challengeStepOf, isAnalysed, ranOut, refusalByAnalysis } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import type { ChallengeView, DeviceView } from "@/lib/checkout/card-lines";
import { barsPath, qrPath } from "@/lib/checkout/code-paths";
import { type Action, type DeclineRefusal, declineRefusal, waysOut } from "@/lib/checkout/declines";
import { hasOtherMethod, offeredActions, takesPayments } from "@/lib/checkout/methods";
import { disputesOf, paidMomentOf, refundLinesOf, sentBackOf } from "@/lib/checkout/money-lines";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import type { MethodKind, OrderView, PaymentState, PaymentView, StartedView } from "@/lib/checkout/view";
import { withoutDirectionMarks } from "@/lib/direction-marks";
import { env } from "@/lib/env";
import { dueDayOf, lateFeesOf, lateFeesPaid, owedAt } from "@/lib/payment-documents/late-fees";
import { paidBy } from "@/lib/payment-documents/views";
import type { SessionRow } from "@/lib/sessions/state";
import type { StartRow } from "@/lib/subscriptions/link-start";
import type { MandateRow } from "@/lib/subscriptions/mandate-queries";

/** Longer than this an answer is not "being processed" any more (design/checkout.md 3.2). */
const CONFIRMING_AFTER_SECONDS = 25;
const WALLETS = new Set(["nupay", "drip", "picpay"]);
/** Of what a refused payment offers: the method that was refused is not among it. Other wallets are not paid here. */
const KIND_OF: Readonly<Record<string, MethodKind>> = { credit: "card", pix: "pix", nupay: "nupay", drip: "drip" };

export interface SeenPayment {
  readonly session: SessionRow;
  readonly order: OrderView;
  /** The account's clock: lives of codes are counted on it. */
  readonly at: Date;
  readonly isSandbox: boolean;
  readonly email: string | null;
  readonly asked: boolean;
  readonly plan: StartedView | null;
}

export function orderView(session: SessionRow): OrderView {
  const { amount, currency, name, description, items, dueAt, orderId, statementDescriptor } = session;
  const plain = (text: string | null) => text && withoutDirectionMarks(text);
  const inItems = items.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  return {
    amount,
    currency,
    title: plain(name ?? description),
    description: name === null || name === description ? null : plain(description),
    statement: plain(statementDescriptor),
    items: items.map(({ name: item, description: about, quantity, unitPrice }) => ({
      name: withoutDirectionMarks(item),
      description: about && about !== item ? withoutDirectionMarks(about) : null,
      quantity,
      unitPrice,
    })),
    adjustment: items.length > 0 ? amount - inItems : 0,
    dueAt,
    orderId: plain(orderId),
  };
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

export function chargeState(charge: Charge, at: Date): PaymentState {
  const { row, attempts } = charge;
  if (row.reviewReason) return "review";
  switch (row.status) {
    case "authorized":
      if (row.isDispute) return "disputed";
      return row.refundedAmount > 0 ? "partlyRefunded" : "paid";
    case "pre_authorized":
      return isAnalysed(charge) ? "confirming" : "authorised";
    case "capture_pending":
      return "confirming";
    case "refund_pending":
      return row.capturedAmount > 0 ? "refunding" : "confirming";
    case "charged_back":
      return "disputed";
    case "voided":
      if (row.capturedAmount > 0) return "refunded";
      return refusalByAnalysis(charge) ? "declined" : "canceled";
    case "failed":
      return "declined";
    case "canceled":
      if (row.paymentType === "pix") {
        if (attempts.some((attempt) => surplusOf(attempt) !== undefined)) return "pixLate";
        return row.expiresAt === null || row.expiresAt <= at || isPastLife(charge, at) ? "pixExpired" : "canceled";
      }
      if (row.paymentType === "boleto") return "boletoClosed";
      return WALLETS.has(row.paymentType) && ranOut(charge) ? "walletExpired" : "canceled";
    case "pending":
      return pendingState(charge, at);
  }
}

const isPastLife = ({ row }: Charge, at: Date): boolean =>
  row.createdAt.getTime() + Number(row.paymentMethod.expiresIn ?? 0) * 1000 <= at.getTime();

function pendingState(charge: Charge, at: Date): PaymentState {
  const { row } = charge;
  if (row.paymentType === "pix") return textOf(row.paymentMethod.qrCodeData) ? "pix" : "processing";
  if (row.paymentType === "boleto") {
    if (!textOf(row.paymentMethod.barcodeData)) return "processing";
    return saoPauloDay(at) > rollForward(dueDayOf(charge.row)) ? "boletoOverdue" : "boleto";
  }
  if (WALLETS.has(row.paymentType)) return continueUrlOf(charge) ? "wallet" : "processing";
  if (isChallenged(charge)) return "authenticate";
  return confirmingIn(charge, at) > 0 ? "processing" : "confirming";
}

const confirmingIn = ({ row }: Charge, at: Date): number =>
  CONFIRMING_AFTER_SECONDS - (at.getTime() - row.createdAt.getTime()) / 1000;

/** Who came back from the bank is not sent there again: its answer is asked for. */
const isChallenged = (charge: Charge): boolean =>
  challengeOf(charge)?.requestStatusReason === null && (challengeFormOf(charge) ?? deviceFormOf(charge)) !== null;

/** Where the buyer of a wallet goes on. */
export const continueUrlOf = ({ row }: Pick<Charge, "row">): string | null =>
  pageOf(textOf(row.paymentMethod.paymentUrl));

/** A page that a provider named: over https alone, but of our own simulator. */
function pageOf(url: string | null): string | null {
  if (!url || !URL.canParse(url)) return null;
  const { protocol, origin } = new URL(url);
  return protocol === "https:" || origin === new URL(env().BASE_URL).origin ? url : null;
}

/** Under which the simulator plays a bank (spec/sandbox.md section 3, 420 and 421). */
const SIMULATED_BANK = "/sandbox/3ds/";

/** The way to the bank's page, as the provider's answer gave it (spec/contract.md 8.7). */
export function challengeFormOf({ row }: Charge): ChallengeView | null {
  const response = memberOf(memberOf(row.threeDSecure2, "authData"), "response");
  const given = (name: string): string => textOf(memberOf(response, name)) ?? "";
  const action = pageOf(given("url") || given("stepUrl"));
  if (!action) return null;
  const common = { until: row.expiresAt, isSimulated: action.startsWith(`${env().BASE_URL}${SIMULATED_BANK}`) };
  if (given("method") === "GET") {
    const page = new URL(action);
    // A form that gets an address writes its query anew.
    const fields = Object.fromEntries(page.searchParams);
    return { method: "get", action: `${page.origin}${page.pathname}`, fields, ...common };
  }
  const named = fieldsIn(response);
  if (named) return { method: "post", action, fields: named, ...common };
  const fields: ChallengeView["fields"] = given("url")
    ? { PaReq: given("paReq"), MD: given("md"), TermUrl: given("termUrl") }
    : { JWT: given("token"), MD: row.id };
  return { method: "post", action, fields, ...common };
}

/** What a browser is shown to the bank by, while its payment is at that step. */
function deviceFormOf(charge: Charge): DeviceView | null {
  const response = memberOf(memberOf(charge.row.threeDSecure2, "authData"), "response");
  const action = pageOf(textOf(memberOf(response, "deviceUrl")));
  const fields = fieldsIn(response);
  return action && fields && challengeStepOf(challengeOf(charge)).type === "device" ? { action, fields } : null;
}

function fieldsIn(response: unknown): Readonly<Record<string, string>> | null {
  const fields = memberOf(response, "fields");
  if (typeof fields !== "object" || fields === null) return null;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string"));
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

export function declineOf({ row, attempts }: Pick<Charge, "row" | "attempts">): DeclineRefusal {
  const isAntifraud = attempts.some(
    ({ requestType, requestStatus }) => requestType === "anti_fraud" && requestStatus === "failed",
  );
  const code = attempts.find(({ providerError }) => providerError)?.providerError?.declinedCode;
  // The codes tell of cards.
  if (!isAntifraud && WALLETS.has(row.paymentType)) return "wallet";
  return declineRefusal(code, isAntifraud ? "antifraud" : "issuer");
}

export interface CardFacts {
  readonly brand: string;
  readonly last4digits: string;
}

export function chargeView(charge: Charge, card: CardFacts | undefined, seen: SeenPayment): PaymentView {
  const { row, attempts } = charge;
  const { session, at } = seen;
  const state = chargeState(charge, at);
  const code = textOf(row.paymentMethod.qrCodeData);
  const line = textOf(row.paymentMethod.barcodeData);
  const bars = textOf(row.paymentMethod.barcode);
  const isCard = card !== undefined;
  const isByCard = row.paymentType === "credit";
  const approved = attempts.find(({ authorizationCode }) => authorizationCode);
  const refusal = state === "declined" ? declineOf(charge) : null;
  const kind = KIND_OF[row.paymentType] ?? "pix";
  // What is tried again is a card: the form of a wallet is reached by the link.
  const actions: readonly Action[] = refusal
    ? waysOut(refusal, offeredActions(session, kind)).filter((action) => isCard || action !== "retry")
    : [];
  const payableUntil = endOfSaoPauloDay(nextBankDay(rollForward(dueDayOf(charge.row))));
  const { capturedAmount, originalAmount } = row;
  const isCaptured = capturedAmount > 0;
  const lateFees = lateFeesPaid(row);
  return {
    id: row.id,
    token: paymentTokenOf(row.id),
    state,
    order: seen.order,
    amount: isCaptured ? capturedAmount : row.amount,
    refunded: row.refundedAmount,
    difference: !isByCard && isCaptured ? capturedAmount - originalAmount - lateFees : 0,
    lateFees,
    notCharged: isByCard && isCaptured ? originalAmount - capturedAmount : 0,
    createdAt: row.createdAt,
    endedAt: paidMomentOf(charge) ?? (row.status === "pending" ? row.createdAt : row.updatedAt),
    method: isCard ? "credit" : paidBy(row.paymentType),
    cards: isCard
      ? [
          {
            index: 0,
            word: state === "canceled" && row.status === "voided" ? "released" : "paid",
            brand: card.brand,
            last4: card.last4digits,
            // Of a hold taken in part, the acquirer makes the installments of what it took.
            amount: isCaptured ? capturedAmount : originalAmount,
            installments: row.installments ?? 1,
            authorizationCode: approved?.authorizationCode ?? null,
            nsu: approved?.authorizationNsu ?? null,
            refusal,
          },
        ]
      : [],
    refunds: refundLinesOf(charge),
    disputes: disputesOf(charge),
    sentBack: sentBackOf(charge),
    // Of what is still to be captured, nobody writes before that.
    email: state === "authorised" && row.capture ? null : seen.email,
    isAnalysed: isAnalysed(charge),
    pix: code && state === "pix" ? pixOf(charge, code, at) : null,
    endToEndId: endToEndOf(charge),
    boleto:
      line && bars
        ? {
            line,
            bars: state === "boleto" || state === "boletoOverdue" ? barsPath(bars) : "",
            dueOn: dueDayOf(charge.row),
            payableUntil,
            instructions: textOf(row.paymentMethod.instructions),
            late: lateFeesOf(row.paymentMethod),
            owed: state === "boletoOverdue" ? (owedAt(row, at) ?? null) : null,
            pix: code && (state === "boleto" || state === "boletoOverdue") ? { code, qr: qrPath(code) } : null,
          }
        : null,
    continueUrl: state === "wallet" ? continueUrlOf(charge) : null,
    challenge: state === "authenticate" ? challengeFormOf(charge) : null,
    device: state === "authenticate" ? deviceFormOf(charge) : null,
    confirmingInSeconds: state === "processing" && isCard ? Math.max(0, confirmingIn(charge, at)) : null,
    holdUntil: state === "authorised" ? row.expiresAt : null,
    refusal,
    declinedCard: null,
    actions,
    canPayAgain: takesPayments(session, at),
    hasOther: hasOtherMethod(session, row.paymentType),
    canRenew: takesPayments(session, at) && session.paymentMethods.some((each) => each.paymentType === row.paymentType),
    instead: null,
    insteadToken: null,
    canSimulate: seen.isSandbox && row.status === "pending" && !isCard,
    asked: seen.asked,
    plan: seen.plan,
  };
}

/** A subscription that begins with a trial: agreed to, and nothing is charged yet. */
export function trialView(start: StartRow, card: CardFacts | undefined, seen: SeenPayment): PaymentView {
  const state = TRIAL_STATES[start.status];
  const refusal = state === "declined" ? "neutral" : null;
  return {
    id: start.id,
    token: paymentTokenOf(start.id),
    state,
    order: seen.order,
    amount: start.terms.amount,
    refunded: 0,
    difference: 0,
    lateFees: 0,
    notCharged: 0,
    createdAt: start.createdAt,
    endedAt: start.endedAt ?? start.createdAt,
    method: "credit",
    cards: card ? [{ ...NO_CHARGE, brand: card.brand, last4: card.last4digits }] : [],
    refunds: [],
    disputes: [],
    sentBack: [],
    email: seen.email,
    pix: null,
    endToEndId: null,
    boleto: null,
    continueUrl: null,
    challenge: null,
    device: null,
    confirmingInSeconds: null,
    holdUntil: null,
    refusal,
    declinedCard: null,
    actions: refusal ? waysOut(refusal, offeredActions(seen.session, "card")) : [],
    canPayAgain: takesPayments(seen.session, seen.at),
    hasOther: hasOtherMethod(seen.session, "credit"),
    canRenew: takesPayments(seen.session, seen.at),
    instead: null,
    insteadToken: null,
    canSimulate: false,
    asked: seen.asked,
    plan: seen.plan,
  };
}

/** The same where the buyer's bank is to pay: it is begun by who authorizes the code that is shown. */
export function mandateView(start: StartRow, mandate: MandateRow | undefined, seen: SeenPayment): PaymentView {
  const code = mandate?.qrCodeData ?? null;
  const state = code === null && start.status === "pending" ? "processing" : MANDATE_STATES[start.status];
  return {
    ...trialView(start, undefined, seen),
    state,
    method: "pix",
    pix: mandate && code !== null && state === "mandate" ? authorizationOf(mandate, code, seen.at) : null,
    refusal: null,
    actions: [],
    hasOther: hasOtherMethod(seen.session, "pix"),
  };
}

const MANDATE_STATES: Record<StartRow["status"], PaymentState> = {
  pending: "mandate",
  started: "started",
  failed: "mandateEnded",
};

const authorizationOf = ({ createdAt, expiresAt }: MandateRow, code: string, at: Date) =>
  codeView(code, { expiresAt, lifeSeconds: secondsBetween(createdAt, expiresAt), at });

const TRIAL_STATES: Record<StartRow["status"], PaymentState> = {
  pending: "processing",
  started: "started",
  failed: "declined",
};
const NO_CHARGE = {
  index: 0,
  word: "paid",
  amount: 0,
  installments: 1,
  authorizationCode: null,
  nsu: null,
  refusal: null,
} as const;

function pixOf({ row }: Charge, code: string, at: Date): NonNullable<PaymentView["pix"]> {
  const lifeSeconds = Number(row.paymentMethod.expiresIn ?? 0);
  const expiresAt = row.expiresAt ?? new Date(row.createdAt.getTime() + lifeSeconds * 1000);
  return codeView(code, { expiresAt, lifeSeconds, at });
}

const secondsBetween = (from: Date, to: Date): number => Math.round((to.getTime() - from.getTime()) / 1000);

const codeView = (
  code: string,
  { expiresAt, lifeSeconds, at }: { expiresAt: Date; lifeSeconds: number; at: Date },
): NonNullable<PaymentView["pix"]> => ({
  code,
  qr: qrPath(code),
  expiresAt,
  secondsLeft: Math.max(0, secondsBetween(at, expiresAt)),
  lifeSeconds,
  isToday: saoPauloDay(expiresAt) === saoPauloDay(at),
});
