import { beforeAll, describe, expect, test } from "vitest";
import type { Pressed } from "@/lib/checkout/pay";
import { newVisit } from "@/lib/checkout/visit";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import type { OpenedSession } from "@/lib/sessions/open";
import { openClient } from "@/lib/testing/api";
import { severalCards } from "@/lib/testing/buyer";
import { openLink, paymentOf, pressPay, seePayment, typedCard } from "@/lib/testing/checkout";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { work } from "@/lib/testing/purchases";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const ANA = "52998224725";
const OTHER = "12345678909";
const REUSABLE = { maxPayments: -1, items: [{ name: "Ingresso", unitPrice: 10_500, quantity: 1 }] };

const byCard = (opened: OpenedSession, visit: string, brand: "visa" | "elo", document: string) =>
  pressPay(opened, visit, "card", { ...typedCard(sandboxPan("approve", brand)), document });

const byCards = (opened: OpenedSession, visit: string, document: string) =>
  pressPay(opened, visit, "cards", {
    ...severalCards(["approve", "approve"]),
    document,
    count: "2",
    amount0: "52,50",
    amount1: "52,50",
    installments0: "1",
    installments1: "1",
  });

const told = (outcome: Pressed) =>
  outcome.kind === "notice" && outcome.notice.kind === "duplicate" ? outcome.notice : undefined;

async function paidByCards(opened: OpenedSession, visit: string, document: string): Promise<string> {
  const id = paymentOf(await byCards(opened, visit, document));
  await work(shop.client);
  expect((await seePayment(opened, id)).state).toBe("paid");
  return id;
}

describe("on a link that is paid often, who paid a moment ago is asked first", () => {
  test("with another card of the same CPF", async () => {
    const opened = await openLink(shop, REUSABLE);
    const visit = newVisit();
    const first = paymentOf(await byCard(opened, visit, "visa", ANA));
    const again = await pressPay(
      opened,
      visit,
      "card",
      { ...typedCard(sandboxPan("approve", "elo")), document: ANA },
      1,
    );
    expect(told(again)).toMatchObject({ amount: 10_500, receipt: first });
    const other = await byCard(opened, newVisit(), "elo", OTHER);
    expect(told(other)).toBeUndefined();
  });

  test("with several cards after one, and with one after several: by CPF and by card", async () => {
    const one = await openLink(shop, REUSABLE);
    await byCard(one, newVisit(), "elo", ANA);
    expect(told(await byCards(one, newVisit(), ANA))).toMatchObject({ amount: 10_500 });
    const several = await openLink(shop, REUSABLE);
    await paidByCards(several, newVisit(), ANA);
    expect(told(await byCard(several, newVisit(), "elo", ANA))).toMatchObject({ amount: 10_500 });
    expect(told(await byCard(several, newVisit(), "visa", OTHER))).toMatchObject({ amount: 10_500 });
    expect(told(await byCard(several, newVisit(), "elo", OTHER))).toBeUndefined();
  });

  test("after a Pix too, and may pay all the same", async () => {
    const opened = await openLink(shop, REUSABLE);
    const pix = paymentOf(await pressPay(opened, newVisit(), "pix", { document: ANA }));
    await shop.client.make("POST", `/v1/sandbox/pix/${pix}/pay`, { body: {} });
    const visit = newVisit();
    expect(told(await byCard(opened, visit, "visa", ANA))).toMatchObject({ amount: 10_500 });
    const fields = { ...typedCard(sandboxPan("approve")), document: ANA, again: "1" };
    expect((await seePayment(opened, await pressPay(opened, visit, "card", fields))).state).toBe("paid");
  });

  test("its receipt is named to the browser that paid, and to no other", async () => {
    const opened = await openLink(shop, REUSABLE);
    const visit = newVisit();
    const id = await paidByCards(opened, visit, ANA);
    expect(told(await byCard(opened, newVisit(), "visa", ANA))).toMatchObject({ receipt: null });
    const own = await pressPay(opened, visit, "card", { ...typedCard(sandboxPan("approve", "elo")), document: ANA }, 1);
    expect(told(own)).toMatchObject({ receipt: id });
  });
});
