import { and, desc, eq, inArray, isNull, ne, or } from "drizzle-orm";
import { paymentBuyers } from "@/db/schema/captcha";
import { checkoutAttempts } from "@/db/schema/checkout";
import { findCardOrGone } from "@/lib/cards/queries";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { ofVisit, paymentOf } from "@/lib/checkout/checkout-attempts";
import { waysOut } from "@/lib/checkout/declines";
import { offeredActions } from "@/lib/checkout/methods";
import { toldRefusal } from "@/lib/checkout/neutral";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import { chargeView, mandateView, orderView, type SeenPayment, trialView } from "@/lib/checkout/payment-view";
import { authorizing, startedView, startOf } from "@/lib/checkout/plan";
import { purchaseView } from "@/lib/checkout/purchase-view";
import type { PaymentState, PaymentView } from "@/lib/checkout/view";
import { visitHash } from "@/lib/checkout/visit";
import { type Context, inSnapshot, now } from "@/lib/context";
import { DomainError, RequestError } from "@/lib/errors";
import { maskedEmail } from "@/lib/masked-email";
import { getPurchase } from "@/lib/purchases/queries";
import { openOffersOf } from "@/lib/session-payments/queries";
import { asOffered, type OfferedSession } from "@/lib/sessions/offered";
import { getSession } from "@/lib/sessions/queries";
import { isOneToOne, linkStateOf } from "@/lib/sessions/state";
import { mandateOf } from "@/lib/subscriptions/mandate-queries";

interface Reader {
  /** Just asked whether it was paid. */
  readonly asked?: boolean;
  readonly visit?: string;
}

/** Undefined for what is not a payment of this link. Of one instant: a payment that ended has given its place back. */
export async function loadPayment(
  ctx: Context,
  sessionId: string,
  id: string,
  { asked = false, visit }: Reader = {},
): Promise<{ view: PaymentView; session: OfferedSession } | undefined> {
  return inSnapshot(ctx, async (inside) => {
    const session = await asOffered(inside, await getSession(inside, sessionId));
    const start = session.subscription ? await startOf(inside, id) : undefined;
    const seen: SeenPayment = {
      plan: start ? await startedView(inside, start, visit) : null,
      session,
      order: orderView(session),
      at: now(inside),
      isSandbox: inside.account.mode === "sandbox",
      email: visit === undefined ? null : await emailOf(inside, id, visit),
      asked,
    };
    if (start && start.chargeId === null) {
      if (start.sessionId !== sessionId) return undefined;
      const { cardId } = start;
      const view =
        cardId === null
          ? mandateView(start, await mandateOf(inside, start.id), seen)
          : trialView(start, await findCardOrGone(inside, cardId), seen);
      return { view, session };
    }
    const charge = await known(getCharge(inside, id));
    if (charge) {
      if (charge.row.sessionId !== sessionId || charge.row.purchaseId) return undefined;
      const card = charge.row.cardId ? await findCardOrGone(inside, charge.row.cardId) : undefined;
      const first = session.subscription ? await authorizing(inside, charge, visit) : undefined;
      const view = first
        ? chargeView(first.charge, card, { ...seen, plan: first.plan })
        : chargeView(charge, card, seen);
      const seenInstead = await withInstead(inside, session, view, visit);
      return { view: await told(inside, session, { chargeId: id }, seenInstead), session };
    }
    const purchase = await known(getPurchase(inside, id));
    if (!purchase || purchase.row.sessionId !== sessionId) return undefined;
    const parts: Charge[] = [];
    for (const { chargeId } of purchase.payments) if (chargeId) parts.push(await getCharge(inside, chargeId));
    const view = purchaseView(purchase, parts, seen);
    return { view: await told(inside, session, { purchaseId: id }, view), session };
  });
}

/** Codes that can be paid no more, though nothing is said of the link by that. */
const CLOSED_CODES: ReadonlySet<PaymentState> = new Set<PaymentState>([
  "canceled",
  "pixExpired",
  "boletoClosed",
  "walletExpired",
]);

/** A code that gave its place to another payment of the link: that one is spoken of. */
async function withInstead(
  ctx: Context,
  session: OfferedSession,
  view: PaymentView,
  visit: string | undefined,
): Promise<PaymentView> {
  if (!isOneToOne(session) || !CLOSED_CODES.has(view.state)) return view;
  const link = linkStateOf(session, now(ctx));
  if (link !== "paid" && link !== "in_use") return view;
  // Another code that waits was only begun: nothing says yet that the link is paid by it.
  if (link === "in_use" && (await openOffersOf(ctx, session.id)).length > 0) return view;
  const own = visit === undefined ? undefined : await newestOf(ctx, session.id, visit, view.id);
  return {
    ...view,
    instead: link === "paid" ? "paid" : "running",
    insteadToken: own ? paymentTokenOf(paymentOf(own)) : null,
  };
}

/** The visit's newest payment of the link besides this one, which runs or was made. */
async function newestOf(ctx: Context, sessionId: string, visit: string, otherThan: string) {
  const [own] = await ctx.db
    .select()
    .from(checkoutAttempts)
    .where(
      and(
        ofVisit(ctx, sessionId, visit),
        inArray(checkoutAttempts.state, ["sent", "approved"]),
        or(isNull(checkoutAttempts.chargeId), ne(checkoutAttempts.chargeId, otherThan)),
      ),
    )
    .orderBy(desc(checkoutAttempts.createdAt))
    .limit(1);
  return own;
}

/** Where the e-mails about it go, for the browser that paid. */
async function emailOf(ctx: Context, paymentId: string, visit: string): Promise<string | null> {
  const { chargeId, purchaseId } = checkoutAttempts;
  const [buyer] = await ctx.db
    .select({ email: paymentBuyers.email })
    .from(paymentBuyers)
    .innerJoin(
      checkoutAttempts,
      and(
        eq(checkoutAttempts.clientId, ctx.account.id),
        eq(checkoutAttempts.visitHash, visitHash(visit)),
        or(eq(chargeId, paymentId), eq(purchaseId, paymentId)),
      ),
    )
    .where(and(eq(paymentBuyers.clientId, ctx.account.id), eq(paymentBuyers.paymentId, paymentId)))
    .limit(1);
  return buyer ? maskedEmail(buyer.email) : null;
}

/** A decline with as much of its reason as this buyer is told. */
async function told(
  ctx: Context,
  session: OfferedSession,
  payment: { chargeId: string } | { purchaseId: string },
  view: PaymentView,
): Promise<PaymentView> {
  if (view.refusal === null) return view;
  const refusal = await toldRefusal(ctx, session, payment, view.refusal);
  if (refusal === view.refusal) return view;
  return {
    ...view,
    refusal,
    actions: view.method === "cards" ? view.actions : waysOut(refusal, offeredActions(session, "card")),
    cards: view.cards.map((card) => (card.refusal ? { ...card, refusal } : card)),
  };
}

async function known<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof DomainError || thrown instanceof RequestError) return undefined;
    throw thrown;
  }
}
