import { beforeAll, describe, expect, test, vi } from "vitest";
import { attemptKeyFor } from "@/lib/checkout/checkout-attempts";
import { press } from "@/lib/checkout/pay";
import type { MethodKind } from "@/lib/checkout/view";
import { newVisit, signAttempt } from "@/lib/checkout/visit";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { type OpenedSession, openSession } from "@/lib/sessions/open";
import { NO_LOOK } from "@/lib/settings/look";
import { saveLook } from "@/lib/settings/save-look";
import { openClient } from "@/lib/testing/api";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { newSession, type SessionReply } from "@/lib/testing/sessions";

const MOST_OF_PROVIDER = 6;

/** The simulator takes as many parts as any session may offer: here it is an acquirer that takes fewer. */
vi.mock("@/lib/providers/registry", async (original) => {
  const registry = await original<typeof import("@/lib/providers/registry")>();
  return {
    ...registry,
    providerFor(kind: string) {
      const provider = registry.providerFor(kind);
      const { card } = provider.capabilities;
      const capabilities = { ...provider.capabilities, card: card && { ...card, maxInstallments: MOST_OF_PROVIDER } };
      return Object.assign(Object.create(provider), { capabilities });
    },
  };
});

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

async function link(amount: number): Promise<OpenedSession> {
  const { body } = await shop.client.call<SessionReply>("POST", "/v1/sessions", {
    body: newSession(shop, {
      items: [{ name: "A", unitPrice: amount, quantity: 1 }],
      paymentMethods: [{ paymentType: "credit", installments: 12 }],
    }),
  });
  const opened = await openSession(body.id, { requestId: newId(), ip: "203.0.113.7" });
  if (!opened) throw new Error("the link does not open");
  return opened;
}

function pay(opened: OpenedSession, method: MethodKind, fields: Record<string, string>) {
  const visit = newVisit();
  const attempt = signAttempt(opened.session.id, attemptKeyFor(opened.session.id, visit, method, 0));
  return press({
    opened,
    method,
    form: new Map(Object.entries({ document: "12345678909", email: "", attempt, ...fields })),
    ip: "203.0.113.7",
    headers: { accept: "text/html", language: "pt-BR", userAgent: "Mozilla/5.0" },
    locale: "pt-BR",
    shopPage: null,
  });
}

const cardOf = (parts: number, at = ""): Record<string, string> => ({
  [`cardNumber${at}`]: sandboxPan("approve", at === "1" ? "elo" : "visa"),
  [`cardHolderName${at}`]: "ANA SOUZA",
  [`cardExpiration${at}`]: "12/39",
  [`cardCvv${at}`]: "123",
  [`installments${at}`]: String(parts),
});

describe("the parts that a link offers", () => {
  test("are no more than the shop's providers take, and more are refused with the next step named", async () => {
    const opened = await link(12_000);
    const page = await (await newBuyer()).open(`/pay/${opened.session.id}?method=card`);
    const [, select = ""] = /<select[^>]*id="card-installments"[^>]*>(.*?)<\/select>/.exec(page.html) ?? [];
    expect([...select.matchAll(/<option value="(\d+)"/g)].map(([, count]) => Number(count))).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    expect(await pay(opened, "card", cardOf(7))).toMatchObject({
      kind: "notice",
      notice: { kind: "declined", refusal: "invalid_installment", actions: expect.arrayContaining(["parts"]) },
    });
    expect((await pay(opened, "card", cardOf(6))).kind).toBe("payment");
  });

  test("leave no part of any card below the shop's minimum, whatever the cards share", async () => {
    const opened = await link(12_000);
    await saveLook(opened.ctx, shop.merchant.id, { ...NO_LOOK, logo: "keep", leastPart: 2_000 });
    const again = await openSession(opened.session.id, { requestId: newId(), ip: "203.0.113.7" });
    if (!again) throw new Error("the link does not open");
    const amounts = { amount0: "90,00", amount1: "30,00", count: "2" };
    expect(await pay(again, "cards", { ...amounts, ...cardOf(4, "0"), ...cardOf(2, "1") })).toEqual({
      kind: "notice",
      notice: { kind: "fields", fields: [{ field: "installments", card: 1 }], sum: 12_000 },
    });
    expect((await pay(again, "cards", { ...amounts, ...cardOf(4, "0"), ...cardOf(1, "1") })).kind).toBe("payment");
  });
});
