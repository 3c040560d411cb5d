import { leaveChallenge } from "@/lib/charges/engine/deadlines";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { getCharge } from "@/lib/charges/queries";
import {
  attemptKeyFor,
  type CheckoutAttemptRow,
  recordCheckoutAttempt,
  type VisitHistory,
  visitHistory,
} from "@/lib/checkout/checkout-attempts";
import { rememberAsBefore } from "@/lib/checkout/remember-buyer";
import type { PaymentState, PaymentView } from "@/lib/checkout/view";
import { type Context, inTransaction, now } from "@/lib/context";
import { scheduleNoLater } from "@/lib/due-jobs/schedule";
import { DomainError, notFound } from "@/lib/errors";
import type { Locale } from "@/lib/i18n/locales";
import { eagerQueryAt } from "@/lib/payments/query-schedule";
import { reconcileNow } from "@/lib/purchases/due";
import { closePayment } from "@/lib/session-payments/close";
import { payByPix } from "@/lib/session-payments/pay";
import type { OpenedSession } from "@/lib/sessions/open";
import { closeStart } from "@/lib/subscriptions/link-close";
import { mandateOf } from "@/lib/subscriptions/mandate-queries";
import { workOnMandate } from "@/lib/subscriptions/mandate-work";

/** The provider is asked now whether it was paid; a page that only reads would have to wait for its turn. */
export async function askProvider(ctx: Context, { id, state }: Pick<PaymentView, "id" | "state">): Promise<void> {
  if (state === "mandate") {
    const mandate = await inTransaction(ctx, (inside) => mandateOf(inside, id));
    if (mandate) await workOnMandate(ctx, mandate.id);
    return;
  }
  try {
    await reconcileNow(ctx, id);
  } catch (thrown) {
    // Somebody else asks at this moment.
    if (!(thrown instanceof ChargeBusy)) throw thrown;
  }
}

/** Of a visit that takes another way: the code that it was shown. */
export async function closeOpen(ctx: Context, { chargeId, startId }: CheckoutAttemptRow): Promise<void> {
  if (chargeId) await closePayment(ctx, chargeId);
  else if (startId) await closeStart(ctx, startId, "replaced");
}

/** The buyer does not go on to the bank: its challenge ends, unless it turns out that it has ended already. */
export async function leaveBank(ctx: Context, chargeId: string): Promise<void> {
  try {
    await leaveChallenge(ctx, chargeId);
  } catch (thrown) {
    // Somebody else asks at this moment: the page shows what becomes of it.
    if (!(thrown instanceof ChargeBusy)) throw thrown;
  }
}

const AWAITED: ReadonlySet<PaymentState> = new Set<PaymentState>(["pix", "wallet"]);

/** A page waits for the buyer to pay: the provider is asked sooner than it would be, by a worker. */
export async function askSooner(
  ctx: Context,
  { id, state, createdAt }: Pick<PaymentView, "id" | "state" | "createdAt">,
): Promise<void> {
  if (!AWAITED.has(state)) return;
  const at = eagerQueryAt({ createdAt }, now(ctx));
  await inTransaction(ctx, (inside) => scheduleNoLater(inside, "charge.watch", id, at));
}

/** So many new ones in an hour are nobody's who wants to pay. */
export class TooManyCodes extends Error {}

/** A new code for the same buyer; the one before is over, or is closed by the link itself. */
export async function renewPix(
  { ctx, session }: OpenedSession,
  { id: chargeId, canPayAgain }: Pick<PaymentView, "id" | "canPayAgain">,
  { visit, locale }: { visit: string; locale: Locale },
): Promise<string> {
  const { history, buyer } = await inTransaction(ctx, async (inside) => ({
    history: await visitHistory(inside, session.id, visit),
    buyer: (await getCharge(inside, chargeId)).row.sourceCustomerId,
  }));
  const open = history.open?.row;
  const known = renewed(history, chargeId);
  if (known) return known;
  if (history.hasManyCodes) throw new TooManyCodes();
  if (!canPayAgain) throw new DomainError("session_disabled", "the link takes no payment now");
  if (!buyer) throw notFound("page");
  const key = attemptKeyFor(session.id, visit, "pix", history.ended);
  try {
    const charge = await payByPix(
      ctx,
      session,
      { source: { sourceType: "customer", customerId: buyer, cardCvv: undefined, customer: undefined } as never },
      {
        alongside: async (inside, payment) => {
          await recordCheckoutAttempt(inside, { key, sessionId: session.id, method: "pix", replaces: open }, payment);
          await rememberAsBefore(inside, chargeId, payment, locale);
        },
      },
    );
    return charge.row.id;
  } catch (thrown) {
    // Of two presses at once the second one is sent to the first one's code.
    const now = await inTransaction(ctx, (inside) => visitHistory(inside, session.id, visit));
    const other = renewed(now, chargeId);
    if (other) return other;
    throw thrown;
  }
}

/** The code that has taken the place of this one. */
function renewed({ open }: VisitHistory, chargeId: string): string | undefined {
  const { method, chargeId: other } = open?.row ?? {};
  return method === "pix" && other && other !== chargeId ? other : undefined;
}
