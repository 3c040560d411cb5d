import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { buyerMoments } from "@/db/schema/captcha";
import { charges } from "@/db/schema/charges";
import { events } from "@/db/schema/outbox";
import { purchaseOperations, purchasePayments } from "@/db/schema/purchases";
import { type EventNews, givesBack, type RefundNews } from "@/lib/buyer-mails/compose";
import { type Context, now } from "@/lib/context";
import { addSeconds } from "@/lib/time";

/** The buyer hears of the cards refunded so far when the others take longer than this. */
const TOGETHER_SECONDS = 600;

/**
 * The refunds of a purchase that nobody was told of yet, as one piece of news, with the moments it stands for. Undefined
 * while cards are still being refunded: their moments wait with this one. The buyer is locked, so nobody else takes them.
 */
export async function refundsTogether(
  ctx: Context,
  paymentId: string,
  first: EventNews,
  newsOf: (ctx: Context, eventId: string) => Promise<EventNews | undefined>,
): Promise<{ news: RefundNews | undefined; eventIds: string[] } | undefined> {
  // Asked before the moments are read: without a running operation every event of it can be seen.
  const isRunning = await isBeingRefunded(ctx, paymentId);
  if (isRunning && now(ctx) < addSeconds(first.at, TOGETHER_SECONDS)) return undefined;
  const waiting: EventNews[] = [];
  for (const eventId of await waitingEvents(ctx, paymentId)) {
    const news = await newsOf(ctx, eventId);
    if (news && givesBack(news)) waiting.push(news);
  }
  const cards = await cardsOf(ctx, paymentId);
  const refunded = cards.flatMap(({ id, card, soFar }) => {
    const announced = waiting.reduce(
      (sum, { entityId, refunded: { now: cents } }) => sum + (entityId === id ? cents : 0),
      0,
    );
    // A refund that failed after all is no refund.
    const amount = Math.min(announced, soFar);
    return amount > 0 ? [{ brand: card?.brand ?? null, last4: card?.last4digits ?? null, amount }] : [];
  });
  const eventIds = waiting.map(({ id }) => id);
  const last = waiting.at(-1);
  if (refunded.length === 0 || !last) return { news: undefined, eventIds };
  const news = {
    kind: "refunds" as const,
    id: first.id,
    at: last.at,
    cards: refunded,
    soFar: cards.reduce((sum, card) => sum + card.soFar, 0),
    paid: cards.reduce((sum, card) => sum + card.paid, 0),
  };
  return { news, eventIds };
}

async function isBeingRefunded({ db }: Context, purchaseId: string): Promise<boolean> {
  const [running] = await db
    .select({ id: purchaseOperations.id })
    .from(purchaseOperations)
    .where(
      and(
        eq(purchaseOperations.purchaseId, purchaseId),
        inArray(purchaseOperations.status, ["pending", "processing"]),
        inArray(purchaseOperations.type, ["refund", "rollback", "void"]),
      ),
    )
    .limit(1);
  return running !== undefined;
}

async function waitingEvents({ db }: Context, paymentId: string): Promise<string[]> {
  const rows = await db
    .select({ eventId: buyerMoments.eventId })
    .from(buyerMoments)
    .innerJoin(events, eq(events.id, buyerMoments.eventId))
    .where(and(eq(buyerMoments.paymentId, paymentId), isNull(buyerMoments.doneAt)))
    .orderBy(asc(buyerMoments.eventId));
  return rows.map(({ eventId }) => eventId);
}

const cardsOf = ({ db }: Context, purchaseId: string) =>
  db
    .select({
      id: charges.id,
      card: purchasePayments.card,
      paid: charges.capturedAmount,
      soFar: charges.refundedAmount,
    })
    .from(purchasePayments)
    .innerJoin(charges, eq(charges.id, purchasePayments.chargeId))
    .where(eq(purchasePayments.purchaseId, purchaseId))
    .orderBy(asc(purchasePayments.slotIndex));
