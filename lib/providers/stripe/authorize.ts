import { rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import type { AuthorizeInput, CallContext, CardAuth, Outcome, Payer } from "@/lib/providers/provider";
import { answerOf, brandOf, declineOf, rawError, rawIntent } from "@/lib/providers/stripe/answers";
import { CHARGE, type Fields, intentPath, REFERENCE, send } from "@/lib/providers/stripe/call";
import { MOST_CENTS, STRIPE_CAPABILITIES } from "@/lib/providers/stripe/capabilities";
import { type Intent, intent, plainIntent } from "@/lib/providers/stripe/wire";
import { foldedText } from "@/lib/providers/text";

const MAX_NAME = 100;
/** What is left of 22 signs beside the longest prefix of an account. */
const MAX_DESCRIPTOR = 10;
const FORBIDDEN_IN_DESCRIPTOR = /[<>\\'"*]/g;
const POLL_MS = 5_000;
const OFF_SESSION = { subsequent: "recurring", unscheduled: "one_off" } as const;

export async function authorize(
  connections: Connections,
  call: CallContext,
  input: AuthorizeInput,
): Promise<Outcome<CardAuth>> {
  const refused = refusedBeforeSending(input);
  if (refused) return refused;
  let id = input.providerTxId;
  if (id === undefined) {
    const fields = { ...intentFields(call, input.amount), ...cardIntent(input) };
    const made = await createIntent(connections, call, fields);
    if (!made.ok) return made.outcome;
    id = made.value.id;
  }
  const exchange = await send(connections, call, {
    method: "POST",
    path: intentPath(id, "confirm"),
    fields: confirmation(input),
    step: "confirm",
  });
  const read = answerOf(exchange, intent, (error, declined, status) => {
    if (declined.id !== id || declined.status !== "requires_payment_method") return undefined;
    const decline = declineOf(error, input.card.brand, input.crossBorder, call.clock.now());
    return { kind: "declined", ...decline, providerTxId: declined.id, raw: rawError(status, error) };
  });
  if (!read.ok) return read.outcome;
  return read.value.id === id ? outcomeOf(call, input, read.value, read.status) : unreadable(read.status);
}

/** What every intent of ours says of itself. */
export const intentFields = (call: CallContext, amount: number): Fields => ({
  amount,
  currency: "brl",
  metadata: { [REFERENCE]: call.ref.providerReference, [CHARGE]: call.chargeId },
});

/** Makes an intent that takes nothing yet, and notes its id before anything can. */
export async function createIntent(connections: Connections, call: CallContext, fields: Fields) {
  const exchange = await send(connections, call, {
    method: "POST",
    path: "/v1/payment_intents",
    fields,
    step: "create",
  });
  const made = answerOf(exchange, plainIntent);
  if (!made.ok) return made;
  const { id, metadata } = made.value;
  if (metadata[REFERENCE] !== call.ref.providerReference)
    return { ok: false as const, outcome: unreadable(made.status) };
  await call.note({ providerTxId: id, step: "created" });
  return made;
}

const cardIntent = ({ capture, holder, statementDescriptor, recurrence }: AuthorizeInput): Fields => ({
  capture_method: capture ? "automatic" : "manual",
  payment_method_types: ["card"],
  statement_descriptor_suffix: descriptorOf(statementDescriptor),
  setup_future_usage: recurrence === "initial" ? "off_session" : undefined,
  // Cards have no field for the document; operators find the payment by it.
  description: [foldedText(holder.name, MAX_NAME), holder.document?.number].filter(Boolean).join(", "),
});

/** It needs a letter and has no room for some signs. */
function descriptorOf(text: string | undefined): string | undefined {
  const folded = foldedText((text ?? "").replace(FORBIDDEN_IN_DESCRIPTOR, " "), MAX_DESCRIPTOR);
  return /[A-Za-z]/.test(folded) ? folded : undefined;
}

const confirmation = ({ card, holder, recurrence, buyerPresent }: AuthorizeInput): Fields => ({
  payment_method_data: {
    type: "card",
    card: { number: card.pan, exp_month: Number(card.expMonth), exp_year: Number(card.expYear), cvc: card.cvv },
    billing_details: { ...billingOf(holder), name: foldedText(card.holderName, MAX_NAME) },
  },
  off_session:
    recurrence === "subsequent" || recurrence === "unscheduled"
      ? OFF_SESSION[recurrence]
      : buyerPresent
        ? undefined
        : true,
  // Nobody could answer a challenge: it is told as a decline instead.
  error_on_requires_action: true,
  expand: ["latest_charge"],
});

export const billingOf = ({ name, email, phone, address }: Payer): Fields => ({
  name: foldedText(name, MAX_NAME),
  email,
  phone,
  ...(address
    ? {
        address: {
          line1: foldedText(`${address.street}, ${address.streetNumber}`, MAX_NAME),
          line2: foldedText([address.complement, address.district].filter(Boolean).join(", "), MAX_NAME) || undefined,
          city: foldedText(address.city, MAX_NAME),
          state: address.state,
          postal_code: address.zipCode,
          country: address.country,
        },
      }
    : {}),
});

function refusedBeforeSending({ amount, currency, installments, method, split, threeDS }: AuthorizeInput) {
  if (currency !== "BRL") return rejected("unsupported", `currency ${currency}`);
  const most = STRIPE_CAPABILITIES.card === false ? 0 : STRIPE_CAPABILITIES.card.maxInstallments;
  if (installments > most) return rejected("unsupported", `at most ${most} installments`);
  if (method === "voucher") return rejected("unsupported", "vouchers are not offered through this provider");
  if (amount === 0) return rejected("unsupported", "a card is not checked without an amount");
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > MOST_CENTS) {
    return rejected("unsupported", `at most ${MOST_CENTS} cents`);
  }
  if (split) return rejected("unsupported", "payments are not split through this provider");
  if (threeDS) return rejected("unsupported", "3-D Secure is not offered through this provider");
  return undefined;
}

function outcomeOf(call: CallContext, input: AuthorizeInput, reply: Intent, status: number): Outcome<CardAuth> {
  const raw = rawIntent(status, reply);
  const providerTxId = reply.id;
  const differing = [
    ["reference", call.ref.providerReference, reply.metadata[REFERENCE] ?? ""],
    ["currency", input.currency, reply.currency.toUpperCase()],
  ] as const;
  for (const [field, expected, got] of differing) {
    if (expected !== got) return { kind: "mismatch", field, expected, got, providerTxId, raw };
  }
  if (reply.status === "processing" || reply.status === "requires_action") {
    const url = reply.next_action?.redirect_to_url?.url;
    const nextAction = url ? ({ type: "redirect", url } as const) : undefined;
    return { kind: "pending", providerTxId, pollAfterMs: POLL_MS, ...(nextAction ? { nextAction } : {}), raw };
  }
  const isCaptured = reply.status === "succeeded";
  // Neither taken nor held, or the one where the other was asked for: asking tells which.
  if ((!isCaptured && reply.status !== "requires_capture") || isCaptured !== input.capture) return unreadable(status);
  const got = isCaptured ? reply.amount_received : reply.amount_capturable;
  if (got !== input.amount || reply.amount !== input.amount) {
    return { kind: "mismatch", field: "amount", expected: String(input.amount), got: String(got), providerTxId, raw };
  }
  const card = reply.latest_charge?.payment_method_details?.card;
  const expiresAt = card?.capture_before ? new Date(card.capture_before * 1000).toISOString() : undefined;
  return {
    kind: "approved",
    at: call.clock.now().toISOString(),
    amount: input.amount,
    providerTxId,
    ...(card?.authorization_code ? { authCode: card.authorization_code } : {}),
    data: {
      captured: isCaptured,
      installments: 1,
      brand: card?.brand ? brandOf(card.brand) : input.card.brand,
      ...(card?.network_transaction_id ? { networkTransactionId: card.network_transaction_id } : {}),
      ...(expiresAt ? { expiresAt } : {}),
      cvvChecked: card?.checks?.cvc_check === "pass",
    },
    raw,
  };
}
