import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuthorizeInput, CallContext, ContinueInput, NextAction, Outcome } from "@/lib/providers/provider";
import { aCall, again, aPayment, expectKind, found, type Rig } from "@/lib/testing/provider-conformance/rig";
import { type AdyenMock, startAdyen } from "@/lib/testing/providers/adyen/mock";
import { ACS, cresOf, FRICTIONLESS, NO_DEVICE_PAGE } from "@/lib/testing/providers/adyen/objects";
import { adyenRig } from "@/lib/testing/providers/adyen/rig";
import { rigClock } from "@/lib/testing/providers/kit/rig";

const clock = rigClock();
let mock: AdyenMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startAdyen({ now: clock.now });
  rig = adyenRig(mock, clock);
});
afterAll(() => mock.close());

const BROWSER = { acceptHeader: "*/*", language: "pt-BR", userAgent: "Mozilla/5.0", javaScriptEnabled: true };
const RETURN_URL = "https://trilho.example/v1/charges/c/3ds/return?ticket=t";
const DEVICE_URL = "https://pay.example/s/device";

const paymentBy = (name: string, more: object = {}): AuthorizeInput =>
  aPayment(rig, {
    card: { ...rig.card("approve"), holderName: name },
    threeDS: { returnUrl: RETURN_URL, deviceUrl: DEVICE_URL, data: { browser: BROWSER }, ...more },
  });

const asked = (outcome: Outcome<unknown>): NextAction => {
  const { nextAction } = expectKind(outcome, "pending");
  if (!nextAction) throw new Error("a step says where to go");
  return nextAction;
};

async function goOn(call: CallContext, payment: AuthorizeInput, { kept }: NextAction, details: string) {
  const input: ContinueInput = { providerTxId: "x", details, ...(kept ? { kept } : {}), payment };
  const outcome = await rig.provider.continueAuthentication?.(again(call), input);
  if (!outcome) throw new Error("this kind goes on after a challenge");
  return outcome;
}

const bodies = (call: CallContext) =>
  mock.requests.filter(({ charge }) => charge === call.chargeId).map(({ request }) => request);
const decoded = (text: string): unknown => JSON.parse(Buffer.from(text, "base64").toString("utf8"));

/** At the challenge, by way of the device. */
async function challenged(payment = paymentBy("approve")) {
  const call = aCall(rig, "authorize");
  const device = asked(await rig.provider.authorize(call, payment));
  const challenge = asked(await goOn(call, payment, device, "Y"));
  return { call, payment, device, challenge };
}

describe("a bank on our own pages", () => {
  test("looks at the browser, asks its buyer, and the payment is approved on its answer", async () => {
    const { call, payment, device, challenge } = await challenged();
    expect(device).toMatchObject({ type: "device", url: `${ACS}/device` });
    expect(decoded(device.fields?.threeDSMethodData ?? "")).toEqual({
      threeDSServerTransID: expect.stringMatching(/^server-/),
      threeDSMethodNotificationURL: DEVICE_URL,
    });
    expect(challenge).toMatchObject({ type: "redirect", url: `${ACS}/challenge`, method: "POST" });
    const creq = challenge.fields?.creq ?? "";
    expect(decoded(creq)).toMatchObject({ messageType: "CReq", messageVersion: "2.2.0", challengeWindowSize: "05" });
    for (const _ of ["first", "repeated"]) {
      const approved = expectKind(await goOn(call, payment, challenge, cresOf(creq, "Y")), "approved");
      expect(approved.data).toMatchObject({ liabilityShift: true });
    }
    expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    expect(await found(rig, call)).toMatchObject({ state: "pre_authorized", liabilityShift: true });
    expect(bodies(call)[0]).toMatchObject({
      authenticationData: {
        attemptAuthentication: "always",
        threeDSRequestData: { nativeThreeDS: "preferred", challengeWindowSize: "05" },
      },
      threeDS2RequestData: { notificationURL: RETURN_URL },
    });
  });

  test.each(["N", "R"])("whose challenge was given up or refused (%s) declines", async (transStatus) => {
    const { call, payment, challenge } = await challenged();
    const cres = cresOf(challenge.fields?.creq ?? "", transStatus);
    expect(expectKind(await goOn(call, payment, challenge, cres), "declined").declinedCode).toMatch(/authentication/);
    expect(await rig.authorizations(call.ref.providerReference)).toBe(0);
  });

  test("whose answer cannot be read has told nothing of its end, and Adyen decides", async () => {
    for (const unreadable of ["%%%", "e30", Buffer.from('{"messageType":"Erro"}').toString("base64url")]) {
      const { call, payment, challenge } = await challenged();
      expectKind(await goOn(call, payment, challenge, unreadable), "declined");
      const [last] = bodies(call).slice(-1);
      const { details } = last as { details: { threeDSResult: string } }; // Heard by the stand-in.
      expect(decoded(details.threeDSResult)).toMatchObject({ transStatus: "U" });
    }
  });

  test("whose answer is another challenge's has told nothing of its end either", async () => {
    const other = await challenged();
    const { call, payment, challenge } = await challenged();
    const foreign = cresOf(other.challenge.fields?.creq ?? "", "Y");
    expectKind(await goOn(call, payment, challenge, foreign), "declined");
    expect(await rig.authorizations(call.ref.providerReference)).toBe(0);
  });

  test("that has no hidden page, or knows the buyer, is not waited for", async () => {
    const call = aCall(rig, "authorize");
    const payment = paymentBy(NO_DEVICE_PAGE);
    const challenge = asked(await rig.provider.authorize(call, payment));
    expect(challenge).toMatchObject({ type: "redirect", fields: { creq: expect.any(String) } });
    expectKind(await goOn(call, payment, challenge, cresOf(challenge.fields?.creq ?? "", "Y")), "approved");
    const known = aCall(rig, "authorize");
    const device = asked(await rig.provider.authorize(known, paymentBy(FRICTIONLESS)));
    expectKind(await goOn(known, paymentBy(FRICTIONLESS), device, "N"), "approved");
  });

  test("is a page to be redirected to for a browser without scripts, and for a shop's own page", async () => {
    for (const payment of [
      paymentBy("approve", { data: { browser: { ...BROWSER, javaScriptEnabled: false } } }),
      paymentBy("approve", { deviceUrl: undefined }),
    ]) {
      const call = aCall(rig, "authorize");
      expect(asked(await rig.provider.authorize(call, payment))).toMatchObject({ type: "redirect", method: "GET" });
      expect(bodies(call)[0]).toMatchObject({
        authenticationData: { threeDSRequestData: { nativeThreeDS: "disabled" } },
      });
    }
  });

  test.each(["lost_before", "lost_after"] as const)("an answer that was %s is asked for again", async (fault) => {
    const { call, payment, challenge } = await challenged();
    const cres = cresOf(challenge.fields?.creq ?? "", "Y");
    mock.plan(fault, "continue");
    expectKind(await goOn(call, payment, challenge, cres), "undetermined");
    expectKind(await goOn(call, payment, challenge, cres), "approved");
    expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
  });
});

test("nothing of it was against Adyen's documents", () => {
  expect(mock.breaches).toEqual([]);
});
