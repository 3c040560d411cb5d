import { createHash } from "node:crypto";
import { answerOf, brandOf, declineOf, mistyped, rawPayment } from "@/lib/providers/adyen/answers";
import { CHARGE, merchant, send } from "@/lib/providers/adyen/call";
import { holdEndsAt, KEY_HOURS, MAX_INSTALLMENTS } from "@/lib/providers/adyen/capabilities";
import { detailsOf, nativeStep, skippedDevice } from "@/lib/providers/adyen/native";
import { payerFields } from "@/lib/providers/adyen/payer";
import { authenticationFields, liabilityShiftIn } from "@/lib/providers/adyen/three-ds";
import { type PaymentAnswer, paymentAnswer } from "@/lib/providers/adyen/wire";
import { rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import type {
  AuthorizeInput,
  CallContext,
  CardAuth,
  ContinueInput,
  NextAction,
  Outcome,
} from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";
import { addSeconds } from "@/lib/time";

const MAX_NAME = 100;
const MAX_DESCRIPTOR = 22;
const FORBIDDEN_IN_DESCRIPTOR = /[^a-zA-Z0-9 .,'_\-?+*/]/g;
const POLL_MS = 5_000;
const HOUR_SECONDS = 3_600;
const DIGEST_LENGTH = 8;

export async function authorize(
  connections: Connections,
  call: CallContext,
  input: AuthorizeInput,
): Promise<Outcome<CardAuth>> {
  const refused = refusedBeforeSending(input);
  if (refused) return refused;
  if (isKeyOver(call)) return { kind: "undetermined", cause: "interrupted" };
  const exchange = await send(connections, call, { path: "/payments", body: paymentBody(call, input) });
  const read = answerOf(exchange, paymentAnswer, mistyped);
  if (!read.ok) return read.outcome;
  // An issuer without a hidden page has nothing to wait for: the payment goes on at once, under a key of its own.
  const skipped = skippedDevice(read.value.action, input.threeDS?.deviceUrl);
  return skipped
    ? continueAuthentication(connections, call, { ...skipped, payment: input })
    : outcomeOf(call, input, read.value, read.status);
}

/** What the buyer's browser brought back is sent on; the same details meet the same key. */
export async function continueAuthentication(
  connections: Connections,
  call: CallContext,
  { details, kept, payment }: Omit<ContinueInput, "providerTxId">,
): Promise<Outcome<CardAuth>> {
  const digest = createHash("sha256").update(details).digest("hex").slice(0, DIGEST_LENGTH);
  const exchange = await send(connections, call, {
    path: "/payments/details",
    body: detailsOf(details, kept),
    step: digest,
  });
  const read = answerOf(exchange, paymentAnswer);
  return read.ok ? outcomeOf(call, payment, read.value, read.status) : read.outcome;
}

/** Past the life of its key the same request would be a new one: what was told of it stands. */
const isKeyOver = ({ clock, ref }: CallContext): boolean =>
  clock.now() >= addSeconds(ref.begunAt, KEY_HOURS * HOUR_SECONDS);

function paymentBody(call: CallContext, input: AuthorizeInput): Record<string, unknown> {
  const { card, recurrence, buyerPresent, threeDS } = input;
  const isMerchants = recurrence === "subsequent" || recurrence === "unscheduled";
  return {
    ...merchant(call),
    reference: call.ref.providerReference,
    amount: { currency: input.currency, value: input.amount },
    paymentMethod: {
      type: "scheme",
      number: card.pan,
      expiryMonth: card.expMonth,
      expiryYear: card.expYear,
      holderName: foldedText(card.holderName, MAX_NAME),
      ...(card.cvv === undefined ? {} : { cvc: card.cvv }),
      ...(isMerchants && input.networkTransactionId ? { networkPaymentReference: input.networkTransactionId } : {}),
      ...(input.method === "debit" ? { fundingSource: "debit" } : {}),
    },
    ...(input.installments > 1 ? { installments: { value: input.installments } } : {}),
    ...(input.capture ? { captureDelayHours: 0 } : { additionalData: { manualCapture: "true" } }),
    shopperInteraction: isMerchants || !buyerPresent ? "ContAuth" : "Ecommerce",
    ...(recurrence
      ? { recurringProcessingModel: recurrence === "unscheduled" ? "UnscheduledCardOnFile" : "Subscription" }
      : {}),
    ...descriptorOf(input.statementDescriptor),
    // A buyer may be known by the card alone.
    ...payerFields({ ...input.holder, name: input.holder.name || card.holderName }),
    countryCode: "BR",
    returnUrl: threeDS?.returnUrl || call.publicUrl,
    ...(threeDS ? authenticationFields(threeDS) : { authenticationData: { attemptAuthentication: "never" } }),
    metadata: { [CHARGE]: call.chargeId },
  };
}

function descriptorOf(text: string | undefined): { shopperStatement?: string } {
  const folded = foldedText(
    (text ?? "").normalize("NFD").replace(/\p{M}/gu, "").replace(FORBIDDEN_IN_DESCRIPTOR, " "),
    MAX_DESCRIPTOR,
  );
  return folded ? { shopperStatement: folded } : {};
}

function refusedBeforeSending({ amount, currency, installments, method, split }: AuthorizeInput) {
  if (currency !== "BRL") return rejected("unsupported", `currency ${currency}`);
  if (installments > MAX_INSTALLMENTS) return rejected("unsupported", `at most ${MAX_INSTALLMENTS} installments`);
  if (!Number.isSafeInteger(amount) || amount < 0) {
    return rejected("invalid_request", "amount is not a safe number of cents");
  }
  if (method === "voucher") return rejected("unsupported", "vouchers are not offered through this provider");
  if (split) return rejected("unsupported", "payments are not split through this provider");
  return undefined;
}

/** The buyer or the issuer still has something to do. */
const OPEN: ReadonlySet<string> = new Set([
  "Pending",
  "Received",
  "RedirectShopper",
  "IdentifyShopper",
  "ChallengeShopper",
  "PresentToShopper",
]);
const NOT_AUTHENTICATED = "11";
const REFUSED: ReadonlySet<string> = new Set(["Refused", "Cancelled", "Error"]);

function outcomeOf(call: CallContext, input: AuthorizeInput, reply: PaymentAnswer, status: number): Outcome<CardAuth> {
  const raw = rawPayment(status, reply);
  const { resultCode, refusalReasonCode } = reply;
  const providerTxId = reply.pspReference ?? undefined;
  const known = providerTxId === undefined ? {} : { providerTxId };
  const got = differenceOf(call, input, reply);
  if (got) return { kind: "mismatch", ...got, ...known, raw };
  if (OPEN.has(resultCode)) {
    const nextAction = nextActionOf(reply, input.threeDS?.deviceUrl);
    return {
      kind: "pending",
      // Before its challenge a payment has no number of Adyen's: ours finds it as well.
      providerTxId: providerTxId ?? call.ref.providerReference,
      pollAfterMs: POLL_MS,
      ...(nextAction ? { nextAction } : {}),
      raw,
    };
  }
  if (REFUSED.has(resultCode)) {
    // An error without a reason does not say whether the issuer was asked.
    if (!refusalReasonCode) return unreadable(status);
    const refusal = { ...reply.additionalData, code: refusalReasonCode, words: reply.refusalReason };
    const decline = declineOf(
      { refusalReasonRaw: null, merchantAdviceCode: null, ...refusal },
      input.card.brand,
      input.crossBorder,
      call.clock.now(),
    );
    // Of a buyer who was asked it says that the confirmation failed or was given up; the card's data are not doubted.
    const isUnconfirmed = input.threeDS !== undefined && refusalReasonCode === NOT_AUTHENTICATED;
    const declinedCode = isUnconfirmed ? "failed_authentication" : decline.declinedCode;
    return { kind: "declined", ...decline, declinedCode, ...known, raw };
  }
  // Approved and refused at once, or approved without a number: asking again tells which.
  if (resultCode !== "Authorised" || providerTxId === undefined || refusalReasonCode) return unreadable(status);
  const { additionalData: more, paymentMethod } = reply;
  const brand = brandOf(paymentMethod?.brand);
  const now = call.clock.now();
  // A payment nobody was asked to authenticate has no such question.
  const liabilityShift = input.threeDS ? liabilityShiftIn(more) : undefined;
  return {
    kind: "approved",
    at: now.toISOString(),
    amount: input.amount,
    providerTxId,
    ...(more?.authCode ? { authCode: more.authCode } : {}),
    data: {
      captured: input.capture,
      installments: input.installments,
      brand: brand === "unknown" ? input.card.brand : brand,
      ...(more?.networkTxReference ? { networkTransactionId: more.networkTxReference } : {}),
      ...(input.capture ? {} : { expiresAt: holdEndsAt(input.card.brand, now) }),
      cvvChecked: (more?.cvcResult ?? "").startsWith("1"),
      ...(liabilityShift === undefined ? {} : { liabilityShift }),
    },
    raw,
  };
}

/** Of the amount, what was authorized of it is the last word on a partial approval. */
function differenceOf({ ref }: CallContext, { amount, currency }: AuthorizeInput, reply: PaymentAnswer) {
  if (reply.merchantReference && reply.merchantReference !== ref.providerReference) {
    return { field: "reference", expected: ref.providerReference, got: reply.merchantReference } as const;
  }
  if (reply.resultCode !== "Authorised" && reply.resultCode !== "PartiallyAuthorised") return undefined;
  if (reply.amount && reply.amount.currency !== currency) {
    return { field: "currency", expected: currency, got: reply.amount.currency } as const;
  }
  if (reply.resultCode === "PartiallyAuthorised" || (reply.amount && reply.amount.value !== amount)) {
    return { field: "amount", expected: String(amount), got: String(reply.amount?.value ?? "a part") } as const;
  }
  return undefined;
}

function nextActionOf({ action }: PaymentAnswer, deviceUrl: string | undefined): NextAction | undefined {
  if (!action) return undefined;
  if (action.type !== "redirect") return action.type === "threeDS2" ? nativeStep(action, deviceUrl) : undefined;
  const { url, method, data } = action;
  if (!url) return undefined;
  return method === "POST"
    ? { type: "redirect", url, method: "POST", ...(data ? { fields: data } : {}) }
    : { type: "redirect", url, method: "GET" };
}
