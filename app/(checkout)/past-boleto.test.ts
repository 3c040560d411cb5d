import { beforeAll, describe, expect, test } from "vitest";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { openClient } from "@/lib/testing/api";
import { formsOf, PERSON, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { ADDRESS } from "@/lib/testing/checkout-scenes";
import { newCustomer, type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, openSession, PIX, type SessionReply } from "@/lib/testing/sessions";

const BUYER = { ...PERSON, ...ADDRESS };

/** A shop with a clock of its own, and a link whose boleto is due today. */
async function dueToday(methods: readonly object[] = []): Promise<{ shop: Shop; link: SessionReply; day: string }> {
  const shop = await withMerchant(await openClient());
  const { now } = await shop.client.make<{ now: string }>("POST", "/v1/sandbox/clock", { body: { freeze: true } });
  const day = saoPauloDay(new Date(now));
  const paymentMethods = [...methods, { ...BOLETO, expiresDate: day }];
  return { shop, link: await openSession(shop, { paymentMethods, maxPayments: -1 }), day };
}
const nextDay = ({ client }: Shop) => client.make("POST", "/v1/sandbox/clock", { body: { advance: "P1D" } });

describe("a boleto whose due date has passed", () => {
  let given: Awaited<ReturnType<typeof dueToday>>;
  beforeAll(async () => {
    given = await dueToday([PIX]);
  });

  test("is offered on the day itself, and on the next one no more: not by a form that stood open either", async () => {
    const { shop, link } = given;
    const buyer = await newBuyer({ language: "en" });
    const before = await buyer.open(pathOf(link, "?method=boleto"));
    expect(formsOf(before)).toContain("boleto");
    await nextDay(shop);
    const after = await buyer.open(pathOf(link));
    expect([after.state, formsOf(after).includes("pix"), formsOf(after).includes("boleto")]).toEqual([
      "open",
      true,
      false,
    ]);
    const told = "The boleto of this link was due before today and can no longer be issued.";
    const sent = await buyer.send(before, "boleto", BUYER);
    expect([sent.status, sent.state, sent.text.includes(told)]).toEqual([200, "open", true]);
    expect((await buyer.sendByScript<{ message: string }>(before, "boleto", BUYER)).message).toContain(told);
  });

  test("is refused by the API with the reason", async () => {
    const { shop, link, day } = given;
    const paymentSource = { sourceType: "customer", customer: newCustomer() };
    const body = { paymentMethod: { paymentType: "boleto" }, paymentSource };
    const refused = {
      status: 422,
      error: {
        type: "bad_request",
        businessCode: "payment_method_not_allowed",
        message: `the boleto of the session was due on ${day} and can no longer be issued`,
      },
    };
    expect(await shop.client.call("POST", `/v1/sessions/${link.id}/charge`, { body })).toMatchObject(refused);
    const asked = { ...body, paymentMethod: { paymentType: "boleto", expiresDate: day } };
    const charge = { merchantId: shop.merchant.id, amount: 1_000, currency: "BRL", capture: true, ...asked };
    expect(await shop.client.call("POST", "/v1/charges", { body: charge })).toMatchObject({
      status: 400,
      error: { type: "bad_request", details: ["paymentMethod.expiresDate: must not be in the past"] },
    });
  });
});

test("an overdue one that the sandbox pays is paid with the fine and the interest that its page shows", async () => {
  const shop = await withMerchant(await openClient());
  // A Wednesday: it is due on Thursday, and still to be paid on Friday.
  const clock = (to: string) => shop.client.make("POST", "/v1/sandbox/clock", { body: { to } });
  await clock("2027-01-13T12:00:00-03:00");
  const fees = { fine: { days: 1, percentage: 2 }, interest: { days: 1, percentage: 1 } };
  const link = await openSession(shop, { paymentMethods: [{ ...BOLETO, expiresDate: "2027-01-14", ...fees }] });
  const buyer = await newBuyer({ language: "en" });
  const slip = await buyer.send(await buyer.open(pathOf(link)), "boleto", BUYER);
  await clock("2027-01-15T12:00:00-03:00");
  const overdue = await buyer.open(slip.path);
  expect([overdue.state, overdue.text.includes("R$107.14")]).toEqual(["boletoOverdue", true]);
  const paid = await buyer.send(overdue, "simulate");
  expect([paid.state, paid.text.includes("R$107.14")]).toEqual(["paid", true]);
});

describe("a link that takes a boleto alone", () => {
  test("says after its day that none can be issued, and whom to ask; the last one promises no other", async () => {
    const { shop, link } = await dueToday();
    const buyer = await newBuyer({ language: "en" });
    const page = await buyer.open(pathOf(link));
    const issued = await buyer.send(page, "boleto", BUYER);
    expect(issued.state).toBe("boleto");
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P10D" } });
    const { items } = await shop.client.make<{ items: { id: string }[] }>("GET", "/v1/charges", {
      query: { sessionId: link.id },
    });
    await shop.client.call("POST", `/v1/charges/${items[0]?.id}/void`, { body: {} });
    const closed = await buyer.open(issued.path);
    expect([closed.state, closed.text.includes("You can get a new one.")]).toEqual(["boletoClosed", false]);
    const stranger = await newBuyer({ language: "en" });
    const shown = await stranger.open(pathOf(link));
    expect([shown.status, shown.state, shown.heading]).toEqual([
      200,
      "no_boleto",
      "This link’s boleto can no longer be issued",
    ]);
    expect(shown.text).toContain("Ask the shop for a new link.");
    expect(formsOf(shown)).toEqual(["new-link"]);
  });
});

test("a slip that is overdue gives no advice of one that is still to fall due", async () => {
  const shop = await withMerchant(await openClient());
  // A Wednesday: it is due on Thursday, and still to be paid on Friday.
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { to: "2027-01-13T12:00:00-03:00" } });
  const link = await openSession(shop, { paymentMethods: [{ ...BOLETO, expiresDate: "2027-01-14" }] });
  const buyer = await newBuyer();
  const advice = "Se vencer em dia sem expediente bancário";
  const before = await buyer.send(await buyer.open(pathOf(link)), "boleto", BUYER);
  expect([before.state, before.text.includes(advice)]).toEqual(["boleto", true]);
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { to: "2027-01-15T12:00:00-03:00" } });
  const after = await buyer.open(before.path);
  expect([after.state, after.text.includes(advice)]).toEqual(["boletoOverdue", false]);
});
