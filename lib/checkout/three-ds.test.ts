import { beforeAll, describe, expect, test } from "vitest";
import { GET as comeBack } from "@/app/(checkout)/pay/[sessionId]/return/route";
import { dispatch } from "@/app/api/registry";
import { POST as continueAtBank } from "@/app/sandbox/3ds/[id]/route";
import { systemSql } from "@/db/client";
import type { Charge } from "@/lib/charges/queries";
import type { Pressed } from "@/lib/checkout/pay";
import { challengeFormOf } from "@/lib/checkout/payment-view";
import { newVisit } from "@/lib/checkout/visit";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import type { OpenedSession } from "@/lib/sessions/open";
import { openClient } from "@/lib/testing/api";
import { openLink, paymentOf, pressPay, reopen, seePayment, typedCard } from "@/lib/testing/checkout";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, PIX } from "@/lib/testing/sessions";
import { buildIslands } from "@/scripts/start/islands";

let shop: Shop;
beforeAll(async () => {
  await buildIslands();
  shop = await withMerchant(await openClient());
  // The simulated bank decides by itself after ten seconds of this clock.
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
});

const CHALLENGED = sandboxPan("3ds_challenge_ok");
const FAILED = sandboxPan("3ds_challenge_failed");

const COLOURS = {
  mainColor: "#1B4DFF",
  SecondaryColor: "#0B1F66",
  attentionColor: "#F5A623",
  errorColor: "#D0021B",
  successColor: "#1E9E5A",
  backgroundColor: "#FFFFFF",
};

const charge = (id: string) => shop.client.make<ChargeReply>("GET", `/v1/charges/${id}`);

async function challenge(
  opened: OpenedSession,
  number = CHALLENGED,
  fields: Record<string, string> = {},
  shopPage: string | null = null,
) {
  const visit = newVisit();
  const outcome = await pressPay(opened, visit, "card", { ...typedCard(number), ...fields }, 0, shopPage);
  const view = await seePayment(opened, outcome);
  expect(view.state).toBe("authenticate");
  return { visit, outcome, view };
}

/** Through the simulated bank and back to us; answers where the browser is sent in the end. */
async function throughBank(outcome: Pressed, step = continueAtBank): Promise<string> {
  const { threeDSecure2 } = await charge(paymentOf(outcome));
  const { url } = (threeDSecure2 as { authData: { response: { url: string } } }).authData.response;
  const id = url.split("/").at(-1) ?? "";
  const on = await step(new Request(url, { method: "POST", body: "" }), { params: Promise.resolve({ id }) });
  const back = await dispatch(new Request(on.headers.get("location") ?? ""));
  expect(back.status).toBe(303);
  const ours = back.headers.get("location") ?? "";
  const sessionId = /pay\/([^/]+)\/return/.exec(ours)?.[1] ?? "";
  const answer = await comeBack(new Request(ours), { params: Promise.resolve({ sessionId }) });
  // To the shop's page by a page of our own, which no policy of a bank's form holds back.
  const [, shopPage] = /http-equiv="refresh" content="0;url=([^"]*)"/i.exec(await answer.text()) ?? [];
  expect(answer.status).toBe(shopPage === undefined ? 303 : 200);
  return shopPage?.replaceAll("&amp;", "&") ?? answer.headers.get("location") ?? "";
}

describe("a card whose bank asks the buyer", () => {
  test("leads to the bank's page with what it needs, and is paid on the way back", async () => {
    const opened = await openLink(shop);
    const { outcome, view } = await challenge(opened);
    expect(view.challenge).toMatchObject({
      action: expect.stringMatching(/\/sandbox\/3ds\/[0-9a-f-]{36}$/),
      fields: {
        PaReq: expect.stringMatching(/./),
        MD: view.id,
        TermUrl: expect.stringMatching(/3ds\/return\?ticket=/),
      },
    });
    expect(await throughBank(outcome)).toBe(`/pay/${opened.session.id}/p/${view.token}?lang=pt-BR#heading`);
    expect((await seePayment(opened, outcome)).state).toBe("paid");
  });

  test("the bank is told of the browser, with scripts and without", async () => {
    const seen = await challenge(await openLink(shop), CHALLENGED, { screen: "30,915,412,180" });
    expect((await charge(paymentOf(seen.outcome))).threeDSecure2).toMatchObject({
      requiresLiabilityShift: false,
      browser: {
        javaScriptEnabled: true,
        colorDepth: 30,
        screenHeight: 915,
        screenWidth: 412,
        timeZoneOffset: "180",
        language: "pt-BR",
        userAgent: "Mozilla/5.0",
        ip: "203.0.113.7",
      },
    });
    const blind = await challenge(await openLink(shop), CHALLENGED, { screen: "<script>" });
    expect((await charge(paymentOf(blind.outcome))).threeDSecure2).toMatchObject({
      browser: { javaScriptEnabled: false, screenHeight: 0 },
    });
  });

  test("a link that asks for it has the issuer carry the risk, unless it says otherwise", async () => {
    for (const [threeDS, expected] of [
      [{ enabled: true }, true],
      [{ enabled: true, liabilityShiftRequired: false }, false],
    ] as const) {
      const opened = await openLink(shop, { paymentMethods: [{ ...CREDIT, threeDS }, PIX] });
      const outcome = await pressPay(opened, newVisit(), "card", typedCard(sandboxPan("approve")));
      expect((await seePayment(opened, outcome)).state).toBe("paid");
      expect((await charge(paymentOf(outcome))).threeDSecure2).toMatchObject({ requiresLiabilityShift: expected });
    }
  });

  test("who left and opens the link again finds the same payment, and no second one", async () => {
    const opened = await openLink(shop);
    const { visit, outcome } = await challenge(opened);
    const again = await pressPay(await reopen(opened.session.id), visit, "card", typedCard(CHALLENGED));
    expect(again).toEqual(outcome);
    await throughBank(outcome);
    expect((await seePayment(opened, outcome)).state).toBe("paid");
  });

  test("who paid inside the shop's page comes back to it, and to no other site", async () => {
    const site = "https://loja.example";
    const look = { ...COLOURS, companyUrl: `${site}/inicio` };
    await shop.client.make("POST", "/v1/settings", { body: look, headers: { "x-merchant-id": shop.merchant.id } });
    const opened = await openLink(shop);
    const { outcome, view } = await challenge(opened, CHALLENGED, {}, `${site}/pagar?pedido=7`);
    expect(await throughBank(outcome)).toBe(`${site}/pagar?pedido=7&trilho_payment=${opened.session.id}.${view.token}`);
    const { threeDSecure2 } = await charge(paymentOf(outcome));
    const forged = new URL(String((threeDSecure2 as { redirectURL: string }).redirectURL));
    for (const back of ["https://outra.example/", "https://loja.example.evil.example/", "javascript:alert(1)", "//x"]) {
      forged.searchParams.set("back", back);
      const answer = await comeBack(new Request(forged), { params: Promise.resolve({ sessionId: opened.session.id }) });
      expect(answer.headers.get("location")).toBe(`/pay/${opened.session.id}/p/${view.token}?lang=pt-BR#heading`);
    }
  });

  test("a confirmation that fails is told as that, and the same card may try again", async () => {
    const opened = await openLink(shop);
    const { visit, outcome } = await challenge(opened, FAILED);
    await throughBank(outcome);
    expect(await seePayment(opened, outcome)).toMatchObject({
      state: "declined",
      refusal: "authentication",
      actions: ["retry", "pix", "card"],
    });
    const next = await pressPay(await reopen(opened.session.id), visit, "card", typedCard(FAILED), 1);
    expect((await seePayment(opened, next)).state).toBe("authenticate");
  });

  test("back from the bank without an answer is not a failure, and not the bank's page again", async () => {
    const opened = await openLink(shop);
    const { outcome } = await challenge(opened);
    await systemSql()`
      update sandbox_transactions set resolves_at = null, resolves_to = null where charge_id = ${paymentOf(outcome)}`;
    const nothing = async () => {
      const { threeDSecure2 } = await charge(paymentOf(outcome));
      const { termUrl } = (threeDSecure2 as { authData: { response: { termUrl: string } } }).authData.response;
      return new Response(null, { status: 303, headers: { location: termUrl } });
    };
    await throughBank(outcome, nothing);
    const view = await seePayment(opened, outcome);
    expect([view.state, view.challenge]).toEqual(["processing", null]);
  });

  test("a return that names another link's attempt shows the link and nothing of the payment", async () => {
    const [opened, other] = [await openLink(shop), await openLink(shop)];
    const { outcome } = await challenge(opened);
    const { threeDSecure2 } = await charge(paymentOf(outcome));
    const { search } = new URL(String((threeDSecure2 as { redirectURL: string }).redirectURL));
    for (const query of [search, "?attempt=x", ""]) {
      const answer = await comeBack(new Request(`http://trilho.test/pay/${other.session.id}/return${query}`), {
        params: Promise.resolve({ sessionId: other.session.id }),
      });
      expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining("/p/")]);
    }
  });
});

test("a buyer is sent to a bank's page over https alone", () => {
  const formAt = (url: string) => {
    const threeDSecure2 = { authData: { response: { url, method: "GET" } } };
    return challengeFormOf({ row: { threeDSecure2, expiresAt: null } } as unknown as Charge); // What is read of it.
  };
  expect(formAt("https://acs.example/go?id=1")).toMatchObject({
    action: "https://acs.example/go",
    fields: { id: "1" },
  });
  for (const url of ["javascript:alert(1)", "http://acs.example/go", "data:text/html,x", ""]) {
    expect(formAt(url), url).toBeNull();
  }
});
