import { linkUrlOf } from "@/lib/checkout/payment-token";
import type { Context } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { queueMail } from "@/lib/mail/queue";
import { getSession } from "@/lib/sessions/queries";

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
    data: { amount: session.amount, orderId: session.orderId, url: linkUrlOf(sessionId), message: message ?? null },
  });
}
