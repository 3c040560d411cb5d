import { and, desc, eq, inArray, isNull, lt } from "drizzle-orm";
import { systemSql } from "@/db/client";
import { buyerMoments, paymentBuyers } from "@/db/schema/captcha";
import { transactionRequests } from "@/db/schema/charges";
import { events } from "@/db/schema/outbox";
import { loadAccount } from "@/lib/accounts/service";
import { type BuyerNews, type EventNews, givesBack, type Letter, lettersFor } from "@/lib/buyer-mails/compose";
import { reminderMoment } from "@/lib/buyer-mails/moments";
import { refundsTogether } from "@/lib/buyer-mails/purchase-refunds";
import { writeSubscriptionRefund } from "@/lib/buyer-mails/subscription-refunds";
import { boletoFile } from "@/lib/checkout/documents";
import { loadPayment } from "@/lib/checkout/load";
import type { BuyerRow } from "@/lib/checkout/remember-buyer";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { nameOf } from "@/lib/event-names";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { isQueued, queueMail } from "@/lib/mail/queue";
import { realNow } from "@/lib/time";

const BATCH = 50;
const MOST_BATCHES = 100;

/** Writes the e-mails of everything that has happened; answers how many moments it took. */
export async function writeBuyerMails(): Promise<number> {
  let taken = 0;
  const left: string[] = [];
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const rows = await systemSql()<{ event_id: string; client_id: string; payment_id: string }[]>`
      select event_id, client_id, payment_id from buyer_moments
       where done_at is null and event_id <> all(${left}::uuid[]) order by event_id limit ${BATCH}`;
    for (const { event_id: eventId, client_id: clientId, payment_id: paymentId } of rows) {
      const ctx = systemContext(await loadAccount(clientId), newId());
      try {
        if (!(await inTransaction(ctx, (inside) => writeMoment(inside, eventId, paymentId)))) left.push(eventId);
      } catch (error) {
        // One that cannot be written keeps nobody else waiting: it is tried again by the next sweep.
        left.push(eventId);
        log.error({ clientId, job: "buyer-mails", error }, "an e-mail to a buyer could not be written");
      }
    }
    taken += rows.length;
    if (rows.length < BATCH) break;
  }
  return taken - left.length;
}

/**
 * The e-mails and the end of their moment commit together, so each is written once. The buyer is held meanwhile: what
 * is told of one payment is written in the order it happened, however many write. False for a refund that waits for
 * the other cards of its purchase.
 */
async function writeMoment(ctx: Context, eventId: string, paymentId: string): Promise<boolean> {
  const [buyer] = await ctx.db.select().from(paymentBuyers).where(ofPayment(ctx, paymentId)).for("update");
  const [moment] = await ctx.db
    .select()
    .from(buyerMoments)
    .where(and(eq(buyerMoments.eventId, eventId), isNull(buyerMoments.doneAt)))
    .for("update", { skipLocked: true });
  if (!moment) return true;
  const told = await toldOf(ctx, eventId, buyer);
  if (!told) return false;
  const { news } = told;
  if (!buyer && news?.kind === "event" && givesBack(news)) await writeSubscriptionRefund(ctx, news);
  const loaded = buyer && news && (await loadPayment(ctx, buyer.sessionId, buyer.paymentId));
  if (buyer && news && loaded) {
    const letters = lettersFor(news, loaded.view, buyer, loaded.session);
    for (const letter of letters) await send(ctx, buyer, letter);
    if (letters.some(({ template }) => template === "boleto")) await remind(ctx, buyer, loaded.view.boleto?.dueOn);
  }
  await ctx.db.update(buyerMoments).set({ doneAt: realNow() }).where(inArray(buyerMoments.eventId, told.eventIds));
  return true;
}

/** What is told of a moment and the moments that are done by it; undefined while it waits. */
async function toldOf(
  ctx: Context,
  eventId: string,
  buyer: BuyerRow | undefined,
): Promise<{ news: BuyerNews | undefined; eventIds: string[] } | undefined> {
  const news = await eventNewsOf(ctx, eventId);
  if (!news) return { news: await surplusOf(ctx, eventId), eventIds: [eventId] };
  return buyer?.kind === "purchase" && givesBack(news)
    ? refundsTogether(ctx, buyer.paymentId, news, eventNewsOf)
    : { news, eventIds: [eventId] };
}

const ofPayment = (ctx: Context, paymentId: string) =>
  and(eq(paymentBuyers.clientId, ctx.account.id), eq(paymentBuyers.paymentId, paymentId));

export async function buyerOf(ctx: Context, paymentId: string): Promise<BuyerRow | undefined> {
  const [buyer] = await ctx.db.select().from(paymentBuyers).where(ofPayment(ctx, paymentId));
  return buyer;
}

/** Queues one letter, with the slip when it is about one. Written once, however often it is asked for. */
export async function send(
  ctx: Context,
  buyer: BuyerRow,
  { needsSlip = false, after, ...letter }: Letter,
): Promise<void> {
  if (after !== undefined && !(await isQueued(ctx, after))) return;
  const paid = needsSlip ? await loadPayment(ctx, buyer.sessionId, buyer.paymentId) : undefined;
  const slip = paid && (await boletoFile(ctx, paid.session, paid.view, buyer.locale));
  await queueMail(ctx, {
    ...(letter.template === "boleto" ? { ...letter, data: { ...letter.data, hasFile: slip !== undefined } } : letter),
    to: buyer.email,
    locale: buyer.locale,
    merchantId: buyer.merchantId,
    ...(slip
      ? { attachments: [{ fileName: "boleto.pdf", contentType: "application/pdf", content: Buffer.from(slip) }] }
      : {}),
  });
}

/** At nine in the morning of the day before, if that is still to come. */
async function remind(ctx: Context, { paymentId }: BuyerRow, dueOn: string | undefined): Promise<void> {
  const at = dueOn && reminderMoment(dueOn);
  if (at && at > now(ctx)) await schedule(ctx, "buyer.reminder", paymentId, at);
}

const numberOf = (data: object, name: string): number => {
  const value: unknown = Object.getOwnPropertyDescriptor(data, name)?.value;
  return typeof value === "number" ? value : 0;
};

async function eventNewsOf(ctx: Context, id: string): Promise<EventNews | undefined> {
  const [event] = await ctx.db.select().from(events).where(eq(events.id, id));
  if (!event) return undefined;
  const data = dataOf(event.body);
  const soFar = numberOf(data, "refundedAmount");
  const [before] = await ctx.db
    .select({ body: events.body })
    .from(events)
    .where(and(eq(events.entityId, event.entityId), lt(events.entityVersion, event.entityVersion)))
    .orderBy(desc(events.entityVersion))
    .limit(1);
  return {
    kind: "event",
    name: nameOf(event),
    id,
    entityId: event.entityId,
    at: event.createdAt,
    capture: Object.getOwnPropertyDescriptor(data, "capture")?.value === true,
    refunded: {
      now: soFar - (before ? numberOf(dataOf(before.body), "refundedAmount") : 0),
      soFar,
      paid: numberOf(data, "capturedAmount"),
    },
  };
}

function dataOf(body: Buffer): object {
  const parsed: unknown = JSON.parse(body.toString("utf8"));
  const data: unknown = typeof parsed === "object" && parsed !== null && "data" in parsed ? parsed.data : undefined;
  return typeof data === "object" && data !== null ? data : {};
}

async function surplusOf(ctx: Context, id: string): Promise<BuyerNews | undefined> {
  const [attempt] = await ctx.db.select().from(transactionRequests).where(eq(transactionRequests.id, id));
  const payment = attempt?.details?.surplus;
  if (!attempt || typeof payment !== "string") return undefined;
  return { kind: "surplus", id, at: attempt.updatedAt, amount: attempt.amount, endToEndId: payment };
}
