import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POST as seen } from "@/app/(checkout)/pay/[sessionId]/device/route";
import { POST as goOn } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/device/route";
import { GET as paymentPage } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/route";
import { GET as comeBack } from "@/app/(checkout)/pay/[sessionId]/return/route";
import { dispatch } from "@/app/api/registry";
import { systemSql } from "@/db/client";
import type { Pressed } from "@/lib/checkout/pay";
import type { PaymentView } from "@/lib/checkout/view";
import { newVisit } from "@/lib/checkout/visit";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { secretOf } from "@/lib/providers/secret";
import { openClient } from "@/lib/testing/api";
import { openLink, paymentOf, pressPay, seePayment, typedCard } from "@/lib/testing/checkout";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { type AdyenMock, startAdyen } from "@/lib/testing/providers/adyen/mock";
import { ACS, cresOf, FRICTIONLESS } from "@/lib/testing/providers/adyen/objects";
import { adyenFields, delivered } from "@/lib/testing/providers/adyen/rig";
import { CREDIT } from "@/lib/testing/sessions";
import { buildIslands } from "@/scripts/start/islands";

process.env.PROVIDER_TIMEOUT_MS = "10000";

let mock: AdyenMock;
beforeAll(async () => {
  await buildIslands();
  mock = await startAdyen();
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ ADYEN: mock.url });
});
afterAll(() => mock.close());

const VISA = "4111111111111111";
const SCREEN = "24,900,1440,180";

let shop: Shop;
let tell: () => Promise<void>;
/** A shop whose every card goes to Adyen. */
beforeEach(async () => {
  shop = await withMerchant(await openClient());
  const fields = adyenFields(newId().replaceAll("-", ""));
  const { id } = await shop.client.make<{ id: string }>("POST", `/v1/merchants/${shop.merchant.id}/providers`, {
    body: { name: "Adyen", priority: 1, credentials: { type: "ADYEN", environment: "test", ...fields } },
  });
  await systemSql()`update providers set priority = 10 where merchant_id = ${shop.merchant.id} and kind = 'SANDBOX'`;
  tell = async () => {
    for (const news of mock.news.filter(({ account }) => account === fields.merchantAccount)) {
      await receiveNotification(newId(), id, new Headers(), Buffer.from(delivered(news, secretOf(fields))));
    }
    await advance("PT1M");
  };
});
const advance = (duration: string) =>
  shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: duration } }).then(() => undefined);

const charge = (id: string) => shop.client.make<ChargeReply>("GET", `/v1/charges/${id}`);

async function pressed(name: string, fields: Record<string, string> = { screen: SCREEN }) {
  const opened = await openLink(shop, { paymentMethods: [{ ...CREDIT, threeDS: { enabled: true } }] });
  const card = { ...typedCard(VISA), cardHolderName: name, ...fields };
  const outcome = await pressPay(opened, newVisit(), "card", card);
  return { opened, outcome, view: await seePayment(opened, outcome) };
}
type Opened = Awaited<ReturnType<typeof pressed>>;

/** Our own page sends the form on; another site's is not listened to. */
async function sendOn({ opened, view }: Opened, result: string, site = "same-origin"): Promise<Response> {
  const sessionId = opened.session.id;
  return goOn(
    new Request(`http://trilho.test/pay/${sessionId}/p/${view.token}/device`, {
      method: "POST",
      headers: { "sec-fetch-site": site },
      body: new URLSearchParams({ seen: result, lang: "pt-BR" }),
    }),
    { params: Promise.resolve({ sessionId, paymentToken: view.token }) },
  );
}

const termUrlIn = async (outcome: Pressed) => {
  const { threeDSecure2 } = await charge(paymentOf(outcome));
  return (threeDSecure2 as { authData: { response: { termUrl: string } } }).authData.response.termUrl;
};

/** The bank's form, posted by the buyer's browser to where Adyen was told; answers where it is led in the end. */
async function fromBank({ opened, outcome }: Opened, view: PaymentView, transStatus: string): Promise<Response> {
  const cres = cresOf(view.challenge?.fields.creq ?? "", transStatus);
  const body = new URLSearchParams({ cres });
  const back = await dispatch(new Request(await termUrlIn(outcome), { method: "POST", body }));
  if (back.status !== 303) return back;
  const { id } = opened.session;
  return comeBack(new Request(back.headers.get("location") ?? ""), { params: Promise.resolve({ sessionId: id }) });
}

const details = (id: string) => mock.requests.filter((one) => one.charge === id && one.step === "continue");

describe("a bank that our own pages take the buyer to", () => {
  test("looks at the browser, asks the buyer, and the money is taken", async () => {
    const at = await pressed("approve");
    expect(at.view).toMatchObject({ state: "authenticate", challenge: null, device: { action: `${ACS}/device` } });
    expect(Object.keys(at.view.device?.fields ?? {})).toEqual(["threeDSMethodData"]);
    expect((await seen()).status).toBe(200);
    const on = await sendOn(at, "Y");
    expect([on.status, on.headers.get("location")]).toEqual([
      303,
      `/pay/${at.opened.session.id}/p/${at.view.token}?lang=pt-BR&looked=1#heading`,
    ]);
    const asked = await seePayment(at.opened, at.outcome);
    expect(asked).toMatchObject({
      state: "authenticate",
      device: null,
      challenge: { method: "post", action: `${ACS}/challenge`, fields: { creq: expect.any(String) } },
    });
    expect((await fromBank(at, asked, "Y")).headers.get("location")).toMatch(`/p/${at.view.token}`);
    await tell();
    expect((await seePayment(at.opened, at.outcome)).state).toBe("paid");
    const id = paymentOf(at.outcome);
    expect(details(id)).toHaveLength(2);
    const { transactionRequests, threeDSecure2 } = await charge(id);
    const steps = transactionRequests.filter(({ requestType }) => requestType === "3DS_auth");
    expect(steps).toMatchObject([{ requestStatus: "success", threeds: { authenticated: true } }]);
    // What Adyen is told again is nobody's to see.
    expect(JSON.stringify([transactionRequests, threeDSecure2])).not.toMatch(/auth_|data_/);
    expect(mock.books.authorizations(mock.books.entries.at(-1)?.reference ?? "")).toBe(1);
    expect(mock.breaches).toEqual([]);
  });

  test("is not asked twice by who presses twice, and not by another site at all", async () => {
    const at = await pressed("approve");
    await sendOn(at, "Y", "cross-site");
    expect((await seePayment(at.opened, at.outcome)).device).not.toBeNull();
    // While its hidden page is shown there is no way back from another one.
    expect((await dispatch(new Request(await termUrlIn(at.outcome), { method: "POST", body: "" }))).status).toBe(410);
    await Promise.all([sendOn(at, "N"), sendOn(at, "Y")]);
    await sendOn(at, "N");
    expect(details(paymentOf(at.outcome))).toHaveLength(1);
    const asked = await seePayment(at.opened, at.outcome);
    expect(asked.challenge).not.toBeNull();
    await fromBank(at, asked, "Y");
    expect((await fromBank(at, asked, "Y")).status).toBe(410);
  });

  test("that knows its buyer asks for nothing more", async () => {
    const at = await pressed(FRICTIONLESS);
    await sendOn(at, "N");
    await tell();
    expect((await seePayment(at.opened, at.outcome)).state).toBe("paid");
  });

  test("whose page the buyer gave up is told as that", async () => {
    const at = await pressed("approve");
    await sendOn(at, "Y");
    await fromBank(at, await seePayment(at.opened, at.outcome), "N");
    expect(await seePayment(at.opened, at.outcome)).toMatchObject({ state: "declined", refusal: "authentication" });
  });

  test.each(["device", "challenge"])("who leaves at the %s has not paid after a quarter of an hour", async (step) => {
    const at = await pressed("approve");
    if (step === "challenge") {
      await advance("PT10M");
      await sendOn(at, "Y");
    }
    await advance(step === "challenge" ? "PT4M" : "PT14M");
    expect((await seePayment(at.opened, at.outcome)).state).toBe("authenticate");
    await advance("PT2M");
    expect(await seePayment(at.opened, at.outcome)).toMatchObject({ state: "declined", refusal: "authentication" });
    expect(mock.books.authorizations(mock.books.entries.at(-1)?.reference ?? "")).toBe(0);
  });

  test.each(["lost_before", "lost_after"] as const)("an answer that was %s is no failure", async (fault) => {
    process.env.PROVIDER_TIMEOUT_MS = "1000";
    try {
      const at = await pressed("approve");
      mock.plan(fault, "continue");
      await sendOn(at, "Y");
      const waits = await seePayment(at.opened, at.outcome);
      expect(["processing", "confirming"]).toContain(waits.state);
      await advance("PT1M");
      const asked = await seePayment(at.opened, at.outcome);
      expect(asked.challenge).not.toBeNull();
      mock.plan(fault, "continue");
      await fromBank(at, asked, "Y");
      await advance("PT5M");
      await tell();
      expect((await seePayment(at.opened, at.outcome)).state).toBe("paid");
      expect(mock.books.authorizations(mock.books.entries.at(-1)?.reference ?? "")).toBe(1);
    } finally {
      process.env.PROVIDER_TIMEOUT_MS = "10000";
    }
  });

  test("is framed and posted to by its own page alone, and by no other origin", async () => {
    const at = await pressed("approve");
    const policyNow = async () => {
      const { id } = at.opened.session;
      const request = new Request(`http://trilho.test/pay/${id}/p/${at.view.token}`);
      const shown = await paymentPage(request, {
        params: Promise.resolve({ sessionId: id, paymentToken: at.view.token }),
      });
      const policy = shown.headers.get("content-security-policy") ?? "";
      const of = (name: string) => new RegExp(`${name} ([^;]*)`).exec(policy)?.[1];
      return [of("form-action"), of("frame-src")];
    };
    expect(await policyNow()).toEqual([`'self' ${ACS}`, `'self' ${ACS}`]);
    await sendOn(at, "Y");
    expect(await policyNow()).toEqual([`'self' ${ACS}`, "'none'"]);
  });
});

test("a browser without scripts, and a shop's own page, are sent to the bank by Adyen's page", async () => {
  const { view } = await pressed("approve", {});
  expect(view).toMatchObject({ state: "authenticate", device: null, challenge: { method: "get" } });
  expect(view.challenge?.action).toMatch(/^https:\/\/checkoutshopper\.example\//);
});
