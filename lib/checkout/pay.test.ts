import { beforeAll, describe, expect, test } from "vitest";
import { attemptKeyFor } from "@/lib/checkout/checkout-attempts";
import { loadPayment } from "@/lib/checkout/load";
import { type Pressed, press } from "@/lib/checkout/pay";
import type { MethodKind } from "@/lib/checkout/view";
import { newVisit, signAttempt } from "@/lib/checkout/visit";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { type OpenedSession, openSession as openLink } from "@/lib/sessions/open";
import { openClient } from "@/lib/testing/api";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { newSession, type SessionReply } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const VISA = "4111220000000002";
const DECLINED = "4111221060000007";
const SILENT = "4111222100000007";

async function link(changes: Record<string, unknown> = {}): Promise<OpenedSession> {
  const { body } = await shop.client.call<SessionReply>("POST", "/v1/sessions", { body: newSession(shop, changes) });
  return again(body.id);
}

async function again(id: string): Promise<OpenedSession> {
  const opened = await openLink(id, { requestId: newId(), ip: "203.0.113.7" });
  if (!opened) throw new Error("the link does not open");
  return opened;
}

const person = { name: "Ana Souza", document: "12345678909", email: "" };
const card = (cardNumber: string) => ({
  cardNumber,
  cardHolderName: "ANA SOUZA",
  cardExpiration: "12/39",
  cardCvv: "123",
  installments: "1",
  captcha: "sandbox-ok",
});

const pay = (
  opened: OpenedSession,
  visit: string,
  method: MethodKind,
  fields: Record<string, string>,
  ended = 0,
): Promise<Pressed> =>
  press({
    opened,
    method,
    form: new Map(
      Object.entries({
        ...person,
        ...fields,
        attempt: signAttempt(opened.session.id, attemptKeyFor(opened.session.id, visit, method, ended)),
      }),
    ),
    ip: "203.0.113.7",
    headers: { accept: "text/html", language: "pt-BR", userAgent: "Mozilla/5.0" },
    locale: "pt-BR",
    shopPage: null,
  });

const stateOf = async ({ ctx, session }: OpenedSession, outcome: Pressed): Promise<string | undefined> =>
  outcome.kind === "payment" ? (await loadPayment(ctx, session.id, outcome.id))?.view.state : undefined;

describe("pressing Pay", () => {
  test("ten times at once makes one payment", async () => {
    const opened = await link({ maxPayments: -1 });
    const visit = newVisit();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => pay(opened, visit, "card", card(VISA))));
    const ids = new Set(outcomes.map((outcome) => (outcome.kind === "payment" ? outcome.id : outcome.notice.kind)));
    expect(ids.size).toBe(1);
    const list = await shop.client.call<{ meta: { totalItems: number } }>(
      "GET",
      `/v1/charges?sessionId=${opened.session.id}`,
    );
    expect(list.body.meta.totalItems).toBe(1);
  });

  test("after a decline the next press is a payment of its own, and the card is not asked twice", async () => {
    const opened = await link();
    const visit = newVisit();
    expect(await pay(opened, visit, "card", card(DECLINED))).toMatchObject({
      kind: "notice",
      notice: { kind: "declined", refusal: "insufficient_funds" },
    });
    const paid = await pay(opened, visit, "card", card(VISA), 1);
    expect(await stateOf(opened, paid)).toBe("paid");
  });

  test("while nobody knows what became of a card, the visit cannot pay again", async () => {
    const opened = await link({ maxPayments: -1 });
    const visit = newVisit();
    const first = await pay(opened, visit, "card", card(SILENT));
    const second = await pay(opened, visit, "pix", {});
    expect(second).toEqual(first);
    expect(["confirming", "processing"]).toContain(await stateOf(opened, first));
  });

  test("a code that waits gives way to another method, and only then", async () => {
    const opened = await link();
    const visit = newVisit();
    const pix = await pay(opened, visit, "pix", {});
    expect(await stateOf(opened, pix)).toBe("pix");
    expect(await pay(opened, visit, "pix", {})).toEqual(pix);
    const paid = await pay(await again(opened.session.id), visit, "card", card(VISA));
    expect(await stateOf(opened, paid)).toBe("paid");
    expect(await stateOf(opened, pix)).toBe("canceled");
  });

  test("a link that may be paid again asks before the same card pays twice", async () => {
    const opened = await link({ maxPayments: -1 });
    await pay(opened, newVisit(), "card", card(VISA));
    const visit = newVisit();
    expect(await pay(opened, visit, "card", card(VISA))).toMatchObject({ notice: { kind: "duplicate" } });
    expect(await stateOf(opened, await pay(opened, visit, "card", { ...card(VISA), again: "1" }))).toBe("paid");
  });

  test("a session without an amount takes no payment, and says that nothing was charged", async () => {
    const opened = await link({ amount: 0, createLink: false });
    const outcome = await pay(opened, newVisit(), "card", card(VISA));
    expect(outcome).toMatchObject({ kind: "notice", notice: { kind: "declined", refusal: "unavailable" } });
  });

  test("a key of another link, or of nobody, pays nothing", async () => {
    const [one, other] = [await link(), await link()];
    const visit = newVisit();
    const outcome = await press({
      opened: one,
      method: "pix",
      form: new Map(
        Object.entries({
          ...person,
          attempt: signAttempt(other.session.id, attemptKeyFor(other.session.id, visit, "pix", 0)),
        }),
      ),
      ip: "203.0.113.7",
      headers: { accept: "text/html", language: "en", userAgent: "Mozilla/5.0" },
      locale: "en",
      shopPage: null,
    });
    expect(outcome).toEqual({ kind: "notice", notice: { kind: "problem", problem: "stale" } });
  });

  test("what was typed wrong is named field by field, on the card it belongs to", async () => {
    const opened = await link();
    const fields = { ...card("4111220000000003"), document: "123" };
    expect(await pay(opened, newVisit(), "card", fields)).toEqual({
      kind: "notice",
      notice: { kind: "fields", fields: [{ field: "cardNumber" }, { field: "document" }] },
    });
    const { amount } = opened.session;
    const several = Object.fromEntries(
      [VISA, sandboxPan("approve", "elo")].flatMap((number, index) =>
        Object.entries(card(number)).map(([name, value]) => [`${name}${index}`, value]),
      ),
    );
    const short = { ...several, count: "2", amount0: "1,00", amount1: "1,00" };
    expect(await pay(opened, newVisit(), "cards", short)).toEqual({
      kind: "notice",
      notice: { kind: "fields", fields: [], sum: 200 },
    });
    expect(amount).toBeGreaterThan(200);
  });
});
