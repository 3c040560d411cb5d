import { beforeAll, describe, expect, test } from "vitest";
import { POST as leave } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/leave/route";
import { dispatch } from "@/app/api/registry";
import { POST as continueAtBank, GET as showBank } from "@/app/sandbox/3ds/[id]/route";
import { systemSql } from "@/db/client";
import { NO_LOOK } from "@/lib/settings/look";
import { saveLook } from "@/lib/settings/save-look";
import { openClient } from "@/lib/testing/api";
import { cardFields, formsOf, PERSON, pathOf, unescaped } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX, type SessionReply } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  // The simulated bank decides by itself after ten seconds of this clock.
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
});

const LATER = { body: { advance: "PT30M", freeze: true } };
const chargesOf = async ({ id }: SessionReply) =>
  (await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", { query: { sessionId: id } })).items;

async function challenged() {
  const link = await openSession(shop, { paymentMethods: [CREDIT, PIX] });
  const buyer = await newBuyer({ language: "en" });
  const page = await buyer.send(await buyer.open(pathOf(link, "?method=card")), "card", cardFields("3ds_challenge_ok"));
  expect(page.state).toBe("authenticate");
  const [charge] = await chargesOf(link);
  return { link, buyer, page, id: charge?.id ?? "" };
}

/** The buyer continues at the simulated bank, and does not come back to us. Answers where the bank leads. */
async function confirmAtBank(chargeId: string): Promise<string> {
  const { url, context } = await bankOf(chargeId);
  const answer = await continueAtBank(new Request(url, { method: "POST", body: "" }), context);
  expect(answer.status).toBe(303);
  return answer.headers.get("location") ?? "";
}

async function bankOf(chargeId: string) {
  const [{ id }] = await systemSql()<[{ id: string }]>`
    select id from sandbox_transactions where charge_id = ${chargeId} and method = 'card'`;
  return { url: `http://trilho.test/sandbox/3ds/${id}`, context: { params: Promise.resolve({ id }) } };
}

/** Where the bank's page leads once it has nothing more to ask. */
async function linkAtBank(chargeId: string): Promise<string> {
  const { url, context } = await bankOf(chargeId);
  const html = await (await showBank(new Request(url, { headers: { "accept-language": "en" } }), context)).text();
  expect(html).toContain("This authentication is over.");
  return unescaped(/<a[^>]* href="([^"]*)">Back to the payment</.exec(html)?.[1] ?? "");
}

/** At an address of our own that another page leads to. */
const openAt = (buyer: Awaited<ReturnType<typeof newBuyer>>, address: string) => {
  const { pathname, search } = new URL(address);
  return buyer.open(`${pathname}${search}`);
};

describe("the simulated bank's page after its end leads back to the payment", () => {
  test("that was confirmed there, also where Continue is pressed once more", async () => {
    const { buyer, id } = await challenged();
    expect((await dispatch(new Request(await confirmAtBank(id)))).status).toBe(303);
    expect((await openAt(buyer, await linkAtBank(id))).state).toBe("paid");
    expect((await openAt(buyer, await confirmAtBank(id))).state).toBe("paid");
  });

  test("that nobody confirmed in time", async () => {
    const { buyer, id } = await challenged();
    await systemSql()`update sandbox_transactions set resolves_at = null, resolves_to = null where charge_id = ${id}`;
    await shop.client.make("POST", "/v1/sandbox/clock", LATER);
    expect((await openAt(buyer, await linkAtBank(id))).state).toBe("declined");
    expect((await openAt(buyer, await confirmAtBank(id))).state).toBe("declined");
  });

  test("in the shop's own page, where it was begun in a frame of that page", async () => {
    const site = "https://loja.example";
    await saveLook(await shop.client.context(), null, { ...NO_LOOK, logo: "keep", siteUrl: site });
    const link = await openSession(shop, { paymentMethods: [CREDIT, PIX] });
    const buyer = await newBuyer({ language: "en" });
    const embedder = `${site}/carrinho?pedido=7`;
    const open = await buyer.open(pathOf(link, "?method=card&embed=1"));
    const page = await buyer.send(open, "card", { ...cardFields("3ds_challenge_ok"), from: embedder });
    expect(page.state).toBe("authenticate");
    const [charge] = await chargesOf(link);
    await dispatch(new Request(await confirmAtBank(charge?.id ?? "")));
    const back = await openAt(buyer, await linkAtBank(charge?.id ?? ""));
    expect(unescaped(back.html)).toContain(`href="${embedder}&trilho_payment=${link.id}.`);
  });
});

describe("a buyer who is asked by the bank", () => {
  test("sees the amount, the card and another way", async () => {
    const { page } = await challenged();
    expect(page.text).toContain("R$105.00");
    expect(page.text).toMatch(/Visa ending in \d{4}/);
    expect(page.text).toContain("Test environment: the simulated bank answers by itself after 10 seconds.");
    expect(formsOf(page)).toContain("leave");
  });

  test("leaves, pays in another way, and no money of the card stays with anybody", async () => {
    const { link, buyer, page, id } = await challenged();
    const open = await buyer.send(page, "leave");
    expect([open.state, open.text.includes("Payment not approved")]).toEqual(["open", false]);
    // With the place that says so, which has the focus.
    expect(open.path).toMatch(/#left$/);
    expect(open.html).toMatch(/<div class="box warn" role="alert" tabindex="-1" id="left">/);
    expect(open.text).toContain("That payment was canceled and you have not been charged.");
    expect((await buyer.open(page.path)).state).toBe("declined");
    expect((await buyer.send(open, "pix", PERSON)).state).toBe("pix");
    // In another window the bank is told yes all the same.
    await confirmAtBank(id);
    await shop.client.make("POST", "/v1/sandbox/clock", LATER);
    const late = await shop.client.make<ChargeReply>("GET", `/v1/charges/${id}`);
    expect([late.status, late.capturedAmount]).toEqual(["failed", 0]);
    expect(late.transactionRequests[0]).toMatchObject({ requestType: "void", requestStatus: "success" });
    expect((await chargesOf(link)).map(({ status }) => status)).toContain("failed");
  });

  test("leaves, confirms in another window and comes back from there: what the bank holds is released at once", async () => {
    const { buyer, page, id } = await challenged();
    await buyer.send(page, "leave");
    const back = await dispatch(new Request(await confirmAtBank(id)));
    expect(back.status).toBe(303);
    const { pathname, search } = new URL(back.headers.get("location") ?? "");
    expect((await buyer.open(`${pathname}${search}`)).state).toBe("declined");
    const late = await shop.client.make<ChargeReply>("GET", `/v1/charges/${id}`);
    expect([late.status, late.capturedAmount]).toEqual(["failed", 0]);
    expect(late.transactionRequests[0]).toMatchObject({ requestType: "void", requestStatus: "success" });
    const [held] = await systemSql()`select state from sandbox_transactions where charge_id = ${id}`;
    expect(held?.state).toBe("voided");
  });

  test("leaves and comes back before the bank knows: it is still looked for in time", async () => {
    const { buyer, page, id } = await challenged();
    await buyer.send(page, "leave");
    const dueAt = async () =>
      (await systemSql()`select due_at from due_jobs where kind = 'orphan.watch' and ref_id = ${id}`)[0]?.due_at;
    const first = await dueAt();
    expect(first).toBeInstanceOf(Date);
    const { threeDSecure2 } = await shop.client.make<ChargeReply>("GET", `/v1/charges/${id}`);
    const { authData } = threeDSecure2 as unknown as { authData: { response: { termUrl: string } } };
    expect((await dispatch(new Request(authData.response.termUrl))).status).toBe(303);
    expect(await dueAt()).toEqual(first);
  });

  test("may take the same card again", async () => {
    const { link, buyer, page } = await challenged();
    await buyer.send(page, "leave");
    const again = await buyer.open(pathOf(link, "?method=card"));
    expect((await buyer.send(again, "card", cardFields("3ds_challenge_ok"))).state).toBe("authenticate");
  });

  test("and has confirmed there already: it is paid", async () => {
    const { link, buyer, page, id } = await challenged();
    await confirmAtBank(id);
    expect((await buyer.send(page, "leave")).state).toBe("paid");
    expect((await chargesOf(link)).map(({ status }) => status)).toEqual(["authorized"]);
  });

  test("presses while the bank answers: whichever is first, what is shown is what is charged", async () => {
    const { buyer, page, id } = await challenged();
    const [shown] = await Promise.all([buyer.send(page, "leave"), confirmAtBank(id)]);
    const { status } = await shop.client.make<ChargeReply>("GET", `/v1/charges/${id}`);
    expect(["open", "paid", "authenticate"]).toContain(shown.state);
    if (shown.state === "open") expect(status).toBe("failed");
    if (shown.state === "paid") expect(status).toBe("authorized");
  });

  test("is asked of our own pages alone", async () => {
    const { page, id } = await challenged();
    const url = new URL(`${page.path.split(/[?#]/)[0]}/leave`, "http://trilho.test");
    const [, sessionId = "", paymentToken = ""] = /pay\/([^/]+)\/p\/([^/]+)/.exec(url.pathname) ?? [];
    const headers = { "sec-fetch-site": "cross-site" };
    await leave(new Request(url, { method: "POST", headers, body: "" }), {
      params: Promise.resolve({ sessionId, paymentToken }),
    });
    expect((await shop.client.make<ChargeReply>("GET", `/v1/charges/${id}`)).status).toBe("pending");
  });
});
