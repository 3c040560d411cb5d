import { eq } from "drizzle-orm";
import { type StoredSessionRule, sessions } from "@/db/schema/sessions";
import { answerRepeat } from "@/lib/charges/answer";
import { acceptCharge, createCharge } from "@/lib/charges/create";
import { chargePlanOf } from "@/lib/charges/outcome";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import type { NewCharge } from "@/lib/charges/schema";
import { type Context, inTransaction, now } from "@/lib/context";
import type { NewBuyer } from "@/lib/customers/schema";
import { DomainError, RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { CARD_METHODS } from "@/lib/payments/methods";
import { holdToPlan } from "@/lib/plans/hash";
import { rolledBack } from "@/lib/plans/rolled-back";
import type { PlanBody } from "@/lib/plans/schema";
import { closePayment } from "@/lib/session-payments/close";
import { methodFor } from "@/lib/session-payments/method";
import { openOffersOf } from "@/lib/session-payments/queries";
import type { NewSessionCharge } from "@/lib/session-payments/schema";
import { asOffered, type OfferedSession, pastBoletoDayOf } from "@/lib/sessions/offered";
import { disabled, refuseUnpayable, reserve } from "@/lib/sessions/places";
import { getSession } from "@/lib/sessions/queries";
import { isOneToOne, type SessionRow } from "@/lib/sessions/state";
import { partiesOf } from "@/lib/splits/parties";
import type { NewSplitRule } from "@/lib/splits/schema";
import { guardOf } from "@/lib/velocity/guard";

export interface PayOptions {
  /** In the transaction that takes the place and writes the payment; a refusal in it undoes all of it. */
  alongside?: ((ctx: Context, payment: { chargeId: string } | { purchaseId: string }) => Promise<void>) | undefined;
  /** Of the subscription that the payment starts once it is approved. */
  subscriptionId?: string | undefined;
  /** Where a wallet's page sends the buyer back to. */
  returnUrl?: string | undefined;
}

/** Pays a session with its key, or with one of its account, and answers as the API does (spec/contract.md 9.5). */
export async function chargeSession(
  ctx: Context,
  id: string,
  input: NewSessionCharge,
  captchaToken: string | null,
): Promise<Charge> {
  // The first request may have used the session's last place.
  await answerRepeat(ctx);
  const session = await inTransaction(ctx, (inside) => getSession(inside, id));
  return pay(ctx, session, input, { source: "checkout" }, (seen) => gateFor(ctx, seen, input, captchaToken));
}

/** Pays a session and answers the charge as it is then known; whoever calls has checked its captcha. */
export async function paySession(
  ctx: Context,
  session: SessionRow,
  input: NewSessionCharge,
  options: PayOptions = {},
): Promise<Charge> {
  const { idempotency: _key, ...plain } = ctx;
  return pay(
    plain,
    session,
    input,
    { source: "link", subscriptionId: options.subscriptionId, returnUrl: options.returnUrl },
    async () => options.alongside,
  );
}

async function pay(
  ctx: Context,
  known: SessionRow,
  input: NewSessionCharge,
  {
    source,
    subscriptionId,
    returnUrl,
  }: Pick<PayOptions, "subscriptionId" | "returnUrl"> & { source: "link" | "checkout" },
  /** Asked once the session is known to be payable. */
  passing: (session: SessionRow) => Promise<PayOptions["alongside"]>,
): Promise<Charge> {
  const { session, offers } = await payable(ctx, known.id);
  if (session.subscription && subscriptionId === undefined) throw paidOnItsPage();
  const alongside = await passing(session);
  const charge = await chargeFor(ctx, session, input, returnUrl);
  // Held to another plan it closes no code either.
  if (offers.length > 0) await holdToPlan(ctx, (planning) => planSessionCharge(planning, session.id, input));
  for (const offer of offers) await replace(ctx, offer.id);
  return createCharge(ctx, charge, {
    source,
    sessionId: session.id,
    ...(subscriptionId === undefined ? {} : { subscriptionId }),
    claim: (inside) => reserve(inside, session.id),
    alongside,
  });
}

/**
 * What paying it with a key of its account would do; nothing of it stays. A code of its own that still waits is closed
 * by the real call first: here its place alone is free.
 */
export const planSessionCharge = (ctx: Context, id: string, input: NewSessionCharge): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => {
    const { session, offers } = await payable(inside, id);
    if (session.subscription) throw paidOnItsPage();
    const charge = await chargeFor(inside, session, input);
    if (offers.length > 0) await inside.db.update(sessions).set({ pendingCount: 0 }).where(eq(sessions.id, session.id));
    const accepted = await acceptCharge(inside, newId(), charge, {
      source: "checkout",
      sessionId: session.id,
      claim: (claiming) => reserve(claiming, session.id),
    });
    return chargePlanOf(inside, accepted);
  });

/** Its buyer has to agree to what follows, and that is what the page asks. */
const paidOnItsPage = (): DomainError =>
  new DomainError("payment_method_not_allowed", "a session that starts a subscription is paid on its page");

async function chargeFor(
  ctx: Context,
  session: OfferedSession,
  input: NewSessionCharge,
  returnUrl?: string,
): Promise<NewCharge> {
  if (session.amount === 0) throw new DomainError("session_amount_zero", "a session without an amount is not paid");
  if (input.paymentMethod.paymentType === "boleto") refusePastBoleto(session, now(ctx));
  const chosen = methodFor(session.paymentMethods, input.paymentMethod, returnUrl);
  const paymentMethod =
    session.subscription && chosen.paymentType === "credit" ? { ...chosen, recurrence: "initial" as const } : chosen;
  await refuseLostSellers(ctx, session);
  return chargeOf(session, input, paymentMethod);
}

/** The day is the session's: the buyer cannot help it, so it is a rule of the session and no invalid request. */
function refusePastBoleto(session: OfferedSession, at: Date): void {
  const day = session.pastBoletoDay ?? pastBoletoDayOf(session, at);
  if (day === undefined) return;
  throw new DomainError(
    "payment_method_not_allowed",
    `the boleto of the session was due on ${day} and can no longer be issued`,
  );
}

/** The captcha and the limits against card testing, for whoever pays with a browser's key. */
async function gateFor(
  ctx: Context,
  session: SessionRow,
  { paymentMethod }: NewSessionCharge,
  captcha: string | null,
): Promise<PayOptions["alongside"]> {
  const { id: sessionId, merchantId, amount, captchaEnabled } = session;
  return guardOf(ctx, {
    payment: { sessionId, merchantId, amount, captchaEnabled },
    isCard: CARD_METHODS.includes(paymentMethod.paymentType),
    captcha,
  });
}

const isReplaceable = (row: SessionRow): boolean => isOneToOne(row) && row.pendingCount > 0;

/** One-to-one: the buyer changes the method; the code shown before is closed, confirmed, and can no longer be paid. */
async function replace(ctx: Context, chargeId: string): Promise<void> {
  const { status } = await closePayment(ctx, chargeId);
  if (status !== "canceled" && status !== "failed") throw disabled();
}

/** The session's own codes are closed before a payment by several cards takes its place. */
export async function makeRoom(ctx: Context, sessionId: string): Promise<void> {
  const { offers } = await payable(ctx, sessionId);
  for (const offer of offers) await replace(ctx, offer.id);
}

/** The session, and what only waits for its buyer there: that gives its place to a new attempt. */
async function payable(ctx: Context, sessionId: string): Promise<{ session: OfferedSession; offers: ChargeRow[] }> {
  const found = await inTransaction(ctx, async (inside) => {
    const stored = await getSession(inside, sessionId);
    // The shop's own server knows the terms it made; a buyer's page is held to those of the shop's settings too.
    const session: OfferedSession = ctx.principal.kind === "session" ? await asOffered(inside, stored) : stored;
    return { session, offers: isReplaceable(session) ? await openOffersOf(inside, sessionId) : [] };
  });
  const { session, offers } = found;
  refuseUnpayable({ ...session, pendingCount: session.pendingCount - offers.length }, now(ctx));
  return found;
}

const chargeOf = (
  session: SessionRow,
  input: NewSessionCharge,
  paymentMethod: NewCharge["paymentMethod"],
): NewCharge => ({
  merchantId: session.merchantId,
  amount: session.amount,
  // Guarantee: written from the request schema, which takes the same currencies.
  currency: session.currency as NewCharge["currency"],
  capture: session.capture,
  paymentMethod,
  paymentSource: input.paymentSource,
  description: session.description ?? undefined,
  statementDescriptor: session.statementDescriptor ?? undefined,
  orderId: session.orderId ?? undefined,
  providerReferenceKey: session.providerReferenceKey ?? undefined,
  customerId: input.customerId ?? session.customerId ?? undefined,
  fraudAnalysis: input.fraudAnalysis,
  paymentFlow: input.paymentFlow,
  threeDSecure2: input.threeDSecure2,
  appInfo: input.appInfo,
  splitRules: session.splitRules.length > 0 ? chargeRulesOf(session) : undefined,
  vendor: session.vendor ?? undefined,
});

/** As they are asked of each payment. */
export const chargeRulesOf = ({ splitRules }: SessionRow): NewSplitRule[] => splitRules.map(asked);

const asked = ({ id: _id, ...rule }: StoredSessionRule): NewSplitRule => ({
  ...rule,
  percentage: rule.percentage,
  amount: rule.amount,
  fares: rule.fares && { mdr: rule.fares.mdr, fee: rule.fares.fee },
});

/** Sellers may have gone since the session was made: the buyer cannot help it, so it is a rule of the session. */
async function refuseLostSellers(ctx: Context, { merchantId, splitRules }: SessionRow): Promise<void> {
  if (splitRules.length === 0) return;
  const known = await inTransaction(ctx, (inside) => partiesOf(inside, merchantId, splitRules));
  const lost = splitRules.map(({ sellerId }) => sellerId).filter((id) => !known.has(id));
  if (lost.length === 0) return;
  throw new RequestError(422, "bad_request", `sellers no longer exist: ${lost.join(", ")}`, { details: lost });
}

type Extra = Pick<NewSessionCharge, "customerId" | "fraudAnalysis" | "threeDSecure2" | "appInfo">;

export interface CardPayment extends Extra {
  source: { tokenId: string } | { cardId: string; cardCvv?: string | undefined; tokenCvv?: string | undefined };
  installments?: number | undefined;
}

export function payByCard(
  ctx: Context,
  session: SessionRow,
  { source, installments, ...extra }: CardPayment,
  options?: PayOptions,
): Promise<Charge> {
  const paymentSource =
    "tokenId" in source
      ? ({ sourceType: "token", tokenId: source.tokenId } as const)
      : ({ sourceType: "card", cardCvv: undefined, tokenCvv: undefined, card: undefined, ...source } as const);
  return paySession(
    ctx,
    session,
    { ...extra, paymentMethod: { paymentType: "credit", installments }, paymentSource },
    options,
  );
}

export interface BuyerPayment extends Extra {
  source: { customerId: string } | { customer: NewBuyer };
}

export const payByPix = (
  ctx: Context,
  session: SessionRow,
  { source, expiresIn, ...extra }: BuyerPayment & { expiresIn?: number | undefined },
  options?: PayOptions,
): Promise<Charge> =>
  paySession(
    ctx,
    session,
    { ...extra, paymentMethod: { paymentType: "pix", expiresIn }, paymentSource: buyerSource(source) },
    options,
  );

export const payByBoleto = (
  ctx: Context,
  session: SessionRow,
  { source, ...extra }: BuyerPayment,
  options?: PayOptions,
): Promise<Charge> =>
  paySession(
    ctx,
    session,
    { ...extra, paymentMethod: { paymentType: "boleto" }, paymentSource: buyerSource(source) },
    options,
  );

export const buyerSource = (source: BuyerPayment["source"]) =>
  ({ sourceType: "customer", customerId: undefined, customer: undefined, cardCvv: undefined, ...source }) as const;
