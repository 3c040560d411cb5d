import type { EventNews } from "@/lib/buyer-mails/compose";
import { findCardOrGone } from "@/lib/cards/queries";
import { type ChargeRow, getCharge } from "@/lib/charges/queries";
import { paymentUrlOf } from "@/lib/checkout/payment-token";
import type { Context } from "@/lib/context";
import { queueMail } from "@/lib/mail/queue";
import { cardLinkOf } from "@/lib/subscriptions/card-link";
import { receiptAddress } from "@/lib/subscriptions/letters";
import { getSubscription } from "@/lib/subscriptions/queries";

/** Whoever got the receipt of a subscription's charge hears of what goes back of it, in the subscription's language. */
export async function writeSubscriptionRefund(ctx: Context, { id, entityId, at, refunded }: EventNews): Promise<void> {
  const { row: charge } = await getCharge(ctx, entityId);
  if (charge.subscriptionId === null) return;
  const subscription = await getSubscription(ctx, charge.subscriptionId);
  const to = await receiptAddress(ctx, subscription);
  if (to === undefined) return;
  const card = charge.cardId === null ? undefined : await findCardOrGone(ctx, charge.cardId);
  await queueMail(ctx, {
    template: "refund",
    to,
    locale: subscription.locale,
    merchantId: subscription.merchantId,
    dedupe: `refund:${id}`,
    data: {
      amount: refunded.now,
      paidAmount: refunded.paid,
      refundedAmount: refunded.soFar,
      at: at.toISOString(),
      method: card ? "card" : "pix",
      brand: card?.brand ?? null,
      last4: card?.last4digits ?? null,
      cards: [],
      subscription: subscription.name,
      paymentId: charge.id,
      documents: [],
      ...pageOf(ctx, charge),
    },
  });
}

/** The payment's own, where it was made on a link; else the subscription's, which only those of cards have. */
function pageOf(ctx: Context, { id, sessionId, subscriptionId, cardId }: ChargeRow) {
  if (sessionId !== null) return { url: paymentUrlOf(sessionId, id) };
  if (subscriptionId === null || cardId === null) return { url: null };
  return { url: cardLinkOf(ctx, subscriptionId), isToSubscription: true };
}
