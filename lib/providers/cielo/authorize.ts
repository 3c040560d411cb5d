import { rejected, unreadable } from "@/lib/providers/answers";
import { answerOf, brandOf, declineOf, rawSale } from "@/lib/providers/cielo/answers";
import { send } from "@/lib/providers/cielo/call";
import { DEBIT_BRANDS, holdEnd, MOST_CENTS, MOST_INSTALLMENTS } from "@/lib/providers/cielo/capabilities";
import type { Family } from "@/lib/providers/cielo/family";
import { BRAND_NAMES, cardOf, customerOf, initiatorOf, mismatchOf, storedCardOf } from "@/lib/providers/cielo/payment";
import { STATUS } from "@/lib/providers/cielo/status";
import { externalAuthentication } from "@/lib/providers/cielo/three-ds";
import { sale, type WireSale } from "@/lib/providers/cielo/wire";
import { verifyCard } from "@/lib/providers/cielo/zero-auth";
import type { Connections } from "@/lib/providers/connections";
import type { AuthorizeInput, CallContext, CardAuth, Outcome } from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";

const MAX_DESCRIPTOR = 13;
const POLL_MS = 5_000;
export const NOT_DIVIDED = "payments are not split through this provider";

/** Sent once: nothing here makes a second send harmless, so what became of it is only ever asked. */
export async function authorize(
  family: Family,
  connections: Connections,
  call: CallContext,
  input: AuthorizeInput,
): Promise<Outcome<CardAuth>> {
  const refused = refusedBeforeSending(input);
  if (refused) return refused;
  if (input.amount === 0) return verifyCard(family, connections, call, input);
  const body = {
    MerchantOrderId: call.ref.providerReference,
    // A buyer may be known by the card alone.
    Customer: customerOf({ ...input.holder, name: input.holder.name || input.card.holderName }),
    Payment: paymentOf(family, call, input),
  };
  const read = answerOf(await send(connections, call, { method: "POST", path: family.sales, body }), sale);
  return read.ok ? outcomeOf(call, input, read.value, read.status) : read.outcome;
}

function paymentOf(family: Family, call: CallContext, input: AuthorizeInput): Record<string, unknown> {
  const { card, recurrence, threeDS, networkTransactionId, installmentType } = input;
  const provider = family.providerOf(call, "card");
  const descriptor = foldedText(input.statementDescriptor ?? "", MAX_DESCRIPTOR);
  const isMerchants = recurrence === "subsequent" || recurrence === "unscheduled";
  const authentication = threeDS && externalAuthentication(threeDS);
  const isDebit = input.method === "debit";
  const used = { ...cardOf(card), ...storedCardOf(input) };
  return {
    Type: isDebit ? "DebitCard" : "CreditCard",
    Amount: input.amount,
    Currency: input.currency,
    Country: "BRA",
    ...(provider ? { Provider: provider } : {}),
    Installments: input.installments,
    Interest: installmentType === "issuer" ? "ByIssuer" : "ByMerchant",
    Capture: input.capture,
    Authenticate: authentication !== undefined,
    Recurrent: isMerchants,
    ...(descriptor ? { SoftDescriptor: descriptor } : {}),
    ...(isDebit ? { DebitCard: used, ReturnUrl: threeDS?.returnUrl || call.publicUrl } : { CreditCard: used }),
    ...(isMerchants && networkTransactionId ? { IssuerTransactionId: networkTransactionId } : {}),
    ...initiatorOf(input),
    ...(authentication ? { ExternalAuthentication: authentication } : {}),
  };
}

function refusedBeforeSending(input: AuthorizeInput) {
  const { amount, currency, installments, threeDS, method, recurrence, card, split } = input;
  if (currency !== "BRL") return rejected("unsupported", `currency ${currency}`);
  if (installments > MOST_INSTALLMENTS) return rejected("unsupported", `at most ${MOST_INSTALLMENTS} installments`);
  if (recurrence && installments > 1) return rejected("unsupported", "a recurring payment has one installment");
  if (method === "voucher") return rejected("unsupported", "vouchers are not offered through this provider");
  if (method === "debit") {
    if (!DEBIT_BRANDS.includes(card.brand)) return rejected("unsupported", `debit of brand ${card.brand}`);
    if (!input.capture || installments > 1) return rejected("unsupported", "debit is sold in one call and one part");
    if (!threeDS) return rejected("unsupported", "debit is taken of an authenticated buyer alone");
  }
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > MOST_CENTS) {
    return rejected("unsupported", `at most ${MOST_CENTS} cents`);
  }
  if (BRAND_NAMES[card.brand] === undefined) return rejected("unsupported", `brand ${card.brand}`);
  if (split) return rejected("unsupported", NOT_DIVIDED);
  if (threeDS && !externalAuthentication(threeDS)) {
    return rejected("unsupported", "3-D Secure is taken from another party alone, with its indicator");
  }
  return undefined;
}

function outcomeOf(call: CallContext, input: AuthorizeInput, reply: WireSale, status: number): Outcome<CardAuth> {
  const { Payment: paid } = reply;
  const raw = rawSale(status, reply);
  const { PaymentId: providerTxId, Status: state } = paid;
  const isTaken = (paid.CapturedAmount ?? 0) > 0;
  if (state === STATUS.denied || state === STATUS.aborted) {
    // A refusal that says it was captured is none.
    if (isTaken || reply.MerchantOrderId !== call.ref.providerReference) return unreadable(status);
    const decline = declineOf(paid, input.card.brand, input.crossBorder, call.clock.now());
    return { kind: "declined", ...decline, providerTxId, raw };
  }
  const differing = mismatchOf(call, input.amount, reply, status);
  if (differing) return differing;
  if (state === STATUS.pending || state === STATUS.notFinished) {
    return { kind: "pending", providerTxId, pollAfterMs: POLL_MS, raw };
  }
  const isCaptured = state === STATUS.paid;
  // Neither taken nor held, the one where the other was asked for, or one that contradicts itself: asking tells which.
  if (!isCaptured && state !== STATUS.authorized) return unreadable(status);
  if (isCaptured !== input.capture || isTaken !== isCaptured) return unreadable(status);
  const now = call.clock.now();
  const seen = brandOf((paid.CreditCard ?? paid.DebitCard)?.Brand);
  const brand = seen === "unknown" ? input.card.brand : seen;
  return {
    kind: "approved",
    at: now.toISOString(),
    amount: input.amount,
    providerTxId,
    ...(paid.ProofOfSale ? { nsu: paid.ProofOfSale } : {}),
    ...(paid.AuthorizationCode ? { authCode: paid.AuthorizationCode } : {}),
    data: {
      captured: isCaptured,
      installments: paid.Installments ?? input.installments,
      brand,
      ...(paid.IssuerTransactionId ? { networkTransactionId: paid.IssuerTransactionId } : {}),
      ...(isCaptured ? {} : { expiresAt: holdEnd(brand, now).toISOString() }),
      cvvChecked: false,
    },
    raw,
  };
}
