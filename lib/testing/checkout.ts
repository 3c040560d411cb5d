import { attemptKeyFor } from "@/lib/checkout/checkout-attempts";
import { loadPayment } from "@/lib/checkout/load";
import { type Pressed, press } from "@/lib/checkout/pay";
import type { MethodKind, PaymentView } from "@/lib/checkout/view";
import { signAttempt } from "@/lib/checkout/visit";
import { newId } from "@/lib/ids";
import { type OpenedSession, openSession } from "@/lib/sessions/open";
import type { Shop } from "@/lib/testing/payments";
import { newSession, type SessionReply } from "@/lib/testing/sessions";

/** A link of the shop, as the hosted page opens it. */
export async function openLink(shop: Shop, changes: Record<string, unknown> = {}): Promise<OpenedSession> {
  const { id } = await shop.client.make<SessionReply>("POST", "/v1/sessions", { body: newSession(shop, changes) });
  return reopen(id);
}

export async function reopen(id: string): Promise<OpenedSession> {
  const opened = await openSession(id, { requestId: newId(), ip: "203.0.113.7" });
  if (!opened) throw new Error("the link does not open");
  return opened;
}

export const person = { name: "Ana Souza", document: "12345678909", email: "" };

/** What a buyer types of a card; a CVV that ends in 0 validates. */
export const typedCard = (cardNumber: string) => ({
  cardNumber,
  cardHolderName: "ANA SOUZA",
  cardExpiration: "12/39",
  cardCvv: "120",
  installments: "1",
  captcha: "sandbox-ok",
});

/** The form of a method, filled in and sent; `ended` is how many attempts of the visit are over. */
export function pressPay(
  opened: OpenedSession,
  visit: string,
  method: MethodKind,
  fields: Record<string, string>,
  ended = 0,
  shopPage: string | null = null,
): Promise<Pressed> {
  const { id } = opened.session;
  const attempt = signAttempt(id, attemptKeyFor(id, visit, method, ended));
  return press({
    opened,
    method,
    form: new Map(Object.entries({ ...person, ...fields, attempt })),
    ip: "203.0.113.7",
    headers: { accept: "text/html", language: "pt-BR,pt;q=0.9", userAgent: "Mozilla/5.0" },
    locale: "pt-BR",
    shopPage,
  });
}

export const paymentOf = (outcome: Pressed): string => {
  if (outcome.kind !== "payment") throw new Error(`no payment: ${JSON.stringify(outcome.notice)}`);
  return outcome.id;
};

/** What the buyer's own page says of it. */
export async function seePayment({ ctx, session }: OpenedSession, outcome: Pressed | string): Promise<PaymentView> {
  const id = typeof outcome === "string" ? outcome : paymentOf(outcome);
  const found = await loadPayment(ctx, session.id, id);
  if (!found) throw new Error("no such payment of the link");
  return found.view;
}
