import { and, eq } from "drizzle-orm";
import { linkRequests } from "@/db/schema/checkout";
import { audit } from "@/lib/audit";
import { mailTitle } from "@/lib/checkout/order-title";
import { linkUrlOf } from "@/lib/checkout/payment-token";
import { orderView } from "@/lib/checkout/payment-view";
import { type Context, inTransaction, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import type { Locale } from "@/lib/i18n/locales";
import { localeFor } from "@/lib/i18n/locales";
import { queueMail } from "@/lib/mail/queue";
import { getSession } from "@/lib/sessions/queries";
import { duplicateSession } from "@/lib/sessions/service";

/** The shop's answer to whoever asked for a new link; once for each link and address. */
export async function sendNewLink(
  ctx: Context,
  { sessionId, to, locale, message }: { sessionId: string; to: string; locale: Locale; message?: string | undefined },
): Promise<void> {
  const session = await getSession(ctx, sessionId);
  await queueMail(ctx, {
    template: "new-link",
    to,
    locale,
    merchantId: session.merchantId,
    dedupe: `new-link:${sessionId}:${to.toLowerCase()}`,
    data: {
      amount: session.amount,
      orderId: session.orderId,
      title: mailTitle(orderView(session)),
      url: linkUrlOf(sessionId),
      message: message ?? null,
    },
  });
}

/**
 * Makes the same order payable once more and sends it to whoever asked. A second press finds the request answered and
 * the first link; nobody gets two. Undefined for a request that left no address.
 */
export const answerLinkRequest = (ctx: Context, id: string, message: string | undefined): Promise<string | undefined> =>
  inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const own = and(eq(linkRequests.clientId, account.id), eq(linkRequests.id, id));
    const [request] = await db.select().from(linkRequests).where(own).for("update");
    if (!request) throw notFound("link request");
    if (request.answeredWith) return request.answeredWith;
    if (!request.email) return undefined;
    const { id: sessionId } = await duplicateSession(inside, request.sessionId);
    await sendNewLink(inside, { sessionId, to: request.email, locale: localeFor(request.locale, null), message });
    await db
      .update(linkRequests)
      .set({ answeredAt: now(inside), answeredWith: sessionId })
      .where(own);
    await audit(inside, {
      action: "link_request.answered",
      object: "session",
      objectId: request.sessionId,
      before: { answeredWith: null },
      after: { answeredWith: sessionId },
    });
    return sessionId;
  });
