import { and, eq, sql } from "drizzle-orm";
import { buyerMoments, paymentBuyers } from "@/db/schema/captcha";
import { events } from "@/db/schema/outbox";
import { type Context, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import type { Locale } from "@/lib/i18n/locales";
import { enqueue } from "@/lib/outbox";
import { addSeconds } from "@/lib/time";

export type BuyerRow = typeof paymentBuyers.$inferSelect;

/** The workflow that writes the e-mails hears it. */
export const BUYER_MAILS_DUE = "buyer-mails/due";
/** A buyer who still waits after this is told not to pay again. */
export const CONFIRMING_AFTER_SECONDS = 60;

export interface TypedBuyer {
  sessionId: string;
  merchantId: string;
  /** Empty when the buyer gave none: then nobody is told anything. */
  email: string;
  locale: Locale;
}

/** Whoever pays on the hosted page and leaves an address is told by e-mail; in the transaction that makes the payment. */
export async function rememberBuyer(
  ctx: Context,
  payment: { chargeId: string } | { purchaseId: string },
  { sessionId, merchantId, email, locale }: TypedBuyer,
): Promise<void> {
  const address = email.trim();
  if (address === "") return;
  const [kind, paymentId] =
    "chargeId" in payment ? (["charge", payment.chargeId] as const) : (["purchase", payment.purchaseId] as const);
  await ctx.db
    .insert(paymentBuyers)
    .values({
      paymentId,
      clientId: ctx.account.id,
      kind,
      merchantId,
      sessionId,
      email: address,
      locale,
      createdAt: now(ctx),
    })
    .onConflictDoNothing();
  await schedule(ctx, "buyer.confirming", paymentId, addSeconds(now(ctx), CONFIRMING_AFTER_SECONDS));
  await catchUp(ctx, paymentId);
}

/** A payment that takes the place of another one: its buyer is told as before, in the language they read now. */
export async function rememberAsBefore(
  ctx: Context,
  before: string,
  payment: { chargeId: string } | { purchaseId: string },
  locale: Locale,
): Promise<void> {
  const [buyer] = await ctx.db
    .select()
    .from(paymentBuyers)
    .where(and(eq(paymentBuyers.clientId, ctx.account.id), eq(paymentBuyers.paymentId, before)));
  if (buyer) await rememberBuyer(ctx, payment, { ...buyer, locale });
}

/** What was already announced of the payment. */
async function catchUp(ctx: Context, paymentId: string): Promise<void> {
  const known = ctx.db
    .select({
      paymentId: sql<string>`${events.entityId}`.as("payment_id"),
      eventId: sql<string>`${events.id}`.as("event_id"),
      clientId: sql<string>`${events.clientId}`.as("client_id"),
      doneAt: sql<Date | null>`null::timestamptz`.as("done_at"),
    })
    .from(events)
    .where(eq(events.entityId, paymentId));
  const missed = await ctx.db
    .insert(buyerMoments)
    .select(known)
    .onConflictDoNothing()
    .returning({ eventId: buyerMoments.eventId });
  if (missed.length > 0) await enqueue(ctx.db, ctx.account.id, BUYER_MAILS_DUE, {});
}
