import Client from "@adyen/api-library/lib/src/client";
import { EnvironmentEnum } from "@adyen/api-library/lib/src/config";
import { ModificationsApi } from "@adyen/api-library/lib/src/services/checkout/modificationsApi";
import { PaymentsApi } from "@adyen/api-library/lib/src/services/checkout/paymentsApi";
import HmacValidator from "@adyen/api-library/lib/src/utils/hmacValidator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { continueAuthentication } from "@/lib/providers/adyen/authorize";
import { liabilityShiftIn, mpiFieldsOf } from "@/lib/providers/adyen/three-ds";
import { parseWebhook, signatureOf } from "@/lib/providers/adyen/webhook";
import { notificationItem, paymentAnswer, type WireItem } from "@/lib/providers/adyen/wire";
import type { ConnectionCall } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import {
  aCall,
  again,
  aPayment,
  aPix,
  ask,
  cancel,
  capture,
  captured,
  expectKind,
  found,
  held,
  type Rig,
  refund,
} from "@/lib/testing/provider-conformance/rig";
import { type AdyenMock, startAdyen } from "@/lib/testing/providers/adyen/mock";
import { itemOf, notificationOf, signedText } from "@/lib/testing/providers/adyen/objects";
import { adyenFields, adyenRig, adyenSecret } from "@/lib/testing/providers/adyen/rig";
import { connectionsTo, rigClock, standIn } from "@/lib/testing/providers/kit/rig";
import type { MockRequest } from "@/lib/testing/providers/kit/server";
import { runLive } from "@/lib/testing/providers/live";
import { realNow } from "@/lib/time";

const clock = rigClock();
let mock: AdyenMock;
let rig: Rig;
let payments: PaymentsApi;
let changes: ModificationsApi;
beforeAll(async () => {
  mock = await startAdyen({ now: clock.now });
  rig = adyenRig(mock, clock);
  const { apiKey = "" } = rig.credentials.reveal();
  const client = new Client(
    { apiKey, environment: EnvironmentEnum.TEST },
    {
      // Its own client knows TLS alone.
      async request(endpoint, json, _config, _isKeyRequired, options) {
        const { pathname } = new URL(endpoint);
        const headers = {
          "content-type": "application/json",
          "x-api-key": apiKey,
          ...(options?.idempotencyKey ? { "idempotency-key": options.idempotencyKey } : {}),
        };
        return (await fetch(`${mock.url}${pathname}`, { method: "POST", headers, body: json.toString() })).text();
      },
    },
  );
  payments = new PaymentsApi(client);
  changes = new ModificationsApi(client);
});
afterAll(() => mock.close());

/** From Adyen's own documentation of its notifications. */
const PUBLISHED = {
  key: "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00",
  signed: "pspReference:originalReference:merchantAccount:reference:1000:EUR:REPORT_AVAILABLE:true",
  sig: "ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=",
};

type Members = Readonly<Record<string, string>>;
const HEARD = ["x-api-key", "idempotency-key"] as const;

/** What reaches Adyen of whatever is done: address, key and members. */
async function heard(run: () => Promise<unknown>) {
  const seen: (Pick<MockRequest, "method" | "path" | "body"> & { keys: (string | undefined)[] })[] = [];
  mock.watch = ({ method, path, body, headers }) =>
    seen.push({ method, path, body, keys: HEARD.map((name) => headers[name]) });
  await run();
  mock.watch = undefined;
  return seen;
}

describe("the official SDK", () => {
  test("asks for a payment as the adapter does, and reads what the adapter reads", async () => {
    const call = aCall(rig, "authorize");
    const card = rig.card("approve");
    const outcomes: unknown[] = [];
    const ours = await heard(async () => {
      const changed = { recurrence: "initial", statementDescriptor: "Loja", installments: 3 } as const;
      outcomes.push(await rig.provider.authorize(call, aPayment(rig, changed)));
    });
    const theirs = await heard(async () => {
      const answer = await payments.payments(
        {
          merchantAccount: rig.credentials.reveal().merchantAccount ?? "",
          reference: call.ref.providerReference,
          amount: { currency: "BRL", value: 100_00 },
          paymentMethod: {
            // Guarantee: the value of its enum, which its types do not take as a text.
            type: "scheme" as never,
            number: card.pan,
            expiryMonth: "12",
            expiryYear: "2031",
            cvc: "123",
            holderName: "approve",
          },
          installments: { value: 3 },
          additionalData: { manualCapture: "true" },
          shopperInteraction: "Ecommerce" as never,
          recurringProcessingModel: "Subscription" as never,
          shopperStatement: "Loja",
          shopperName: { firstName: "Ana", lastName: "Souza" },
          shopperEmail: "ana@example.com",
          socialSecurityNumber: "12345678909",
          countryCode: "BR",
          returnUrl: "https://pay.example",
          authenticationData: { attemptAuthentication: "never" as never },
          metadata: { charge: call.chargeId },
        },
        { idempotencyKey: call.ref.idempotencyKey },
      );
      outcomes.push(answer);
    });
    expect(theirs).toEqual(ours);
    // The same key, the same request: one payment, which both read.
    const [approved, answer] = outcomes as [{ providerTxId: string }, { pspReference: string; resultCode: string }];
    expect(answer).toMatchObject({ resultCode: "Authorised", pspReference: approved.providerTxId });
    expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
  });

  test("captures, cancels and refunds as the adapter does", async () => {
    const [first, second, third] = [await held(rig), await held(rig), await captured(rig)];
    const ours = await heard(async () => {
      await capture(rig, first, 60_00);
      await cancel(rig, second);
      await refund(rig, third, 40_00);
    });
    const { merchantAccount = "" } = rig.credentials.reveal();
    const referenceIn = (index: number) => (ours[index]?.body as Members | undefined)?.reference ?? ""; // As it was sent.
    const keyIn = (index: number) => ({ idempotencyKey: ours[index]?.keys[1] ?? "" });
    const of = (index: number) => ({ merchantAccount, reference: referenceIn(index) });
    const theirs = await heard(async () => {
      const taken = { ...of(0), amount: { currency: "BRL", value: 60_00 } };
      await changes.captureAuthorisedPayment(first.providerTxId, taken, keyIn(0));
      await changes.cancelAuthorisedPaymentByPspReference(second.providerTxId, of(1), keyIn(1));
      const given = { ...of(2), amount: { currency: "BRL", value: 40_00 } };
      await changes.refundCapturedPayment(third.providerTxId, given, keyIn(2));
    });
    expect(theirs).toEqual(ours);
  });

  test("signs what the adapter takes, and takes what the stand-in signs", () => {
    const { webhookHmacKey = "", merchantAccount = "" } = adyenFields("TheFirstShop");
    const about = { account: merchantAccount, paymentPsp: "P".repeat(16), reference: "r", amount: 1, at: clock.now() };
    const body = notificationOf(itemOf({ eventCode: "CAPTURE", psp: "C".repeat(16) }, about));
    const text = signedText(JSON.stringify(body), webhookHmacKey);
    const [wrapper] = (JSON.parse(text) as { notificationItems: unknown[] }).notificationItems; // Made above.
    const item = notificationItem.parse(wrapper);
    const validator = new HmacValidator();
    const theirs = { ...item, amount: { ...item.amount } } as never; // Of the form that it declares.
    expect(validator.calculateHmac(theirs, webhookHmacKey)).toBe(item.additionalData?.hmacSignature);
    expect(validator.validateHMAC(theirs, webhookHmacKey)).toBe(true);
  });

  test("signs as its published example", () => {
    const { key, signed, sig } = PUBLISHED;
    const [
      pspReference = "",
      originalReference = "",
      account = "",
      reference = "",
      value,
      currency = "",
      code = "",
      ok,
    ] = signed.split(":");
    const item = {
      pspReference,
      originalReference,
      merchantAccountCode: account,
      merchantReference: reference,
      amount: { value: Number(value), currency },
      eventCode: code,
      success: ok,
    } as WireItem; // Read from a vector of this form.
    expect(signatureOf(key, item)).toBe(sig);
  });
});

describe("notifications", () => {
  const about = { account: "Shop", paymentPsp: "P".repeat(16), reference: "r", amount: 1, at: clock.now() };
  const text = JSON.stringify(notificationOf(itemOf({ eventCode: "CAPTURE", psp: "C".repeat(16) }, about)));
  const [old, next, other] = ["0", "A", "B"].map((digit) => digit.repeat(64));
  const kept = (fields: Record<string, string>) => secretOf({ apiKey: "k", merchantAccount: "Shop", ...fields });
  const parse = (key: string | undefined, fields: Record<string, string>, headers = new Headers()) =>
    parseWebhook(headers, Buffer.from(signedText(text, key ?? "")), [kept(fields)], realNow()).kind;

  test("of both keys of a rotation are taken, and without a key none is", () => {
    const both = { webhookHmacKey: `${old}\n${next}` };
    expect([old, next, other].map((key) => parse(key, both))).toEqual(["authentic", "authentic", "forged"]);
    expect(parse("", {})).toBe("forged");
  });

  test("come with the user and password that were agreed on, and of the account's own merchant alone", () => {
    const fields = { webhookHmacKey: old ?? "", webhookUsername: "adyen", webhookPassword: "secret" };
    const basic = (pair: string) => new Headers({ authorization: `Basic ${Buffer.from(pair).toString("base64")}` });
    expect(parse(old, fields, basic("adyen:secret"))).toBe("authentic");
    for (const pair of ["adyen:wrong", ""]) expect(parse(old, fields, basic(pair))).toBe("forged");
    expect(parse(old, fields)).toBe("forged");
    // Of the same company: thanked for, or Adyen would hold back all that follows. Nothing of it is kept.
    expect(parse(old, { ...fields, merchantAccount: "Other" }, basic("adyen:secret"))).toBe("unknown_event");
    expect(parse(other, { ...fields, merchantAccount: "Other" }, basic("adyen:secret"))).toBe("forged");
  });

  test("of a report, which has no reference, is thanked for", () => {
    const { merchantReference: _none, ...item } = itemOf({ eventCode: "REPORT_AVAILABLE", psp: "R".repeat(16) }, about);
    const sent = signedText(JSON.stringify(notificationOf(item)), old ?? "");
    const parsed = parseWebhook(new Headers(), Buffer.from(sent), [kept({ webhookHmacKey: old ?? "" })], realNow());
    expect(parsed).toEqual({ kind: "unknown_event", name: "REPORT_AVAILABLE" });
  });

  test("keep nothing of a card", async () => {
    const payment = await held(rig);
    const [event] = await payment.call.evidence();
    expect(JSON.stringify(event)).not.toMatch(/0002|2031/);
  });
});

describe("answers that cannot be", () => {
  test.each(["doubled", "contradicting", "truncated", "http_500_after"] as const)(
    "%s: undetermined, and found once",
    async (fault) => {
      const call = aCall(rig, "authorize");
      mock.plan(fault, "pay");
      expectKind(await rig.provider.authorize(call, aPayment(rig)), "undetermined");
      expect(await found(rig, call)).toMatchObject({ state: "pre_authorized", duplicates: [] });
      expectKind(await rig.provider.authorize(again(call), aPayment(rig)), "approved");
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
      const payment = { call, providerTxId: (await found(rig, call)).providerTxId } as Awaited<ReturnType<typeof held>>; // What is read of it.
      mock.plan("contradicting", "capture");
      expectKind(await capture(rig, payment, 100_00), "undetermined");
    },
  );
});

test("a Pix that is made again under its key shows the same code, until the same moment", async () => {
  const call = aCall(rig, "pix");
  const made = async () => expectKind(await rig.provider.createPix(again(call), aPix()), "pending").data;
  const first = await made();
  clock.advance(60);
  expect(await made()).toEqual(first);
});

test("a refund that was done and failed later is told as failed, whatever came first", async () => {
  const payment = await captured(rig);
  const sent = aCall(rig, "refund", { chargeId: payment.call.chargeId });
  const input = { providerTxId: payment.providerTxId, amount: 40_00, captured: 100_00, alreadyRefunded: 0 };
  const { data } = expectKind(await rig.provider.refund(sent, input), "approved");
  const told = await payment.call.evidence();
  const done = told.find(({ type }) => type === "REFUND");
  const body = { ...(done?.raw.body as object), eventCode: "REFUND_FAILED" }; // As it was kept.
  const failed = {
    ...done,
    type: "REFUND_FAILED",
    eventId: "later",
    raw: { headers: {}, body },
  } as (typeof told)[number];
  for (const evidence of [
    [...told, failed],
    [failed, ...told],
  ]) {
    const seen = await found(rig, { ...payment.call, evidence: async () => evidence });
    expect(seen).toMatchObject({
      state: "authorized",
      refunded: 0,
      refunds: [{ refundId: data.refundId, status: "failed" }],
    });
  }
});

test("the end of what was not captured says nothing of a refund", async () => {
  const payment = await captured(rig);
  const sent = aCall(rig, "refund", { chargeId: payment.call.chargeId });
  const told = await payment.call.evidence();
  const paid = told.find(({ type }) => type === "AUTHORISATION");
  const body = { ...(paid?.raw.body as object), eventCode: "EXPIRE" }; // As it was kept.
  const ended = { ...paid, type: "EXPIRE", eventId: "end", raw: { headers: {}, body } } as (typeof told)[number];
  const call = { ...sent, evidence: async () => [...told, ended] };
  expect(await ask(rig, call, payment.providerTxId)).toEqual({ kind: "not_found_yet" });
});

test("an amount that cannot be read is not taken for the one asked for", () => {
  const approved = { resultCode: "Authorised", pspReference: "P" };
  const isRead = (amount: unknown) => paymentAnswer.safeParse({ ...approved, amount }).success;
  expect([undefined, null, { currency: "BRL", value: 1 }].map(isRead)).toEqual([true, true, true]);
  expect([{ currency: "BRL", value: "1" }, { value: 1 }, 1].map(isRead)).toEqual([false, false, false]);
});

describe("3-D Secure", () => {
  test("of another party is passed on as it was told", () => {
    const mpi = {
      version: "2.2.0",
      eci: "05",
      cavv: "AAABBEg0VhI0VniQEjRWAAAAAAA=",
      directoryServerTransactionId: "c4e59ceb-a382-4d6a-bc87-385d591fa09d",
      transStatus: "Y",
      challenged: true,
    };
    expect(mpiFieldsOf({ returnUrl: "", data: { mpi } })).toEqual({
      cavv: mpi.cavv,
      eci: "05",
      directoryResponse: "Y",
      authenticationResponse: "Y",
      dsTransID: mpi.directoryServerTransactionId,
      threeDSVersion: "2.2.0",
    });
  });

  test("is read with whose risk the payment is, from the answer and from what is told of it", async () => {
    for (const [name, liabilityShift] of [
      ["approve", true],
      ["no_shift", false],
    ] as const) {
      const call = aCall(rig, "authorize");
      const payment = aPayment(rig, { card: { ...rig.card("approve"), holderName: name }, threeDS: { returnUrl: "" } });
      const asked = expectKind(await rig.provider.authorize(call, payment), "pending");
      const details = (asked.nextAction && rig.broughtBack?.(asked.nextAction, "authenticated")) ?? "";
      const input = { providerTxId: asked.providerTxId, details, payment };
      const answer = await continueAuthentication(connectionsTo(standIn(mock.url)), call, input);
      expect(expectKind(answer, "approved").data).toMatchObject({ liabilityShift });
      expect(await found(rig, call)).toMatchObject({ liabilityShift });
    }
    const told = [{ eci: "06" }, { eci: "7" }, { eci: "00" }, { liabilityShift: "TRUE", eci: "07" }, {}];
    expect(told.map((more) => liabilityShiftIn({ liabilityShift: null, eci: null, ...more }))).toEqual([
      true,
      undefined,
      false,
      true,
      undefined,
    ]);
  });
});

describe("the test of credentials", () => {
  const connecting = (fields: Record<string, string>, host: "live" | "test" = "test"): ConnectionCall => ({
    ...aCall(rig, "authorize", { credentials: secretOf(fields), host }),
    notificationsUrl: "https://pay.example/v1/providers/x/notifications",
  });

  test("tells a key that works, one that does not, another's account, and a host that does not answer", async () => {
    const fields = adyenSecret("TheFirstShop").reveal();
    const connect = (of: ConnectionCall) => rig.provider.connect?.(of);
    expect(await connect(connecting(fields))).toEqual({ ok: true, words: "200" });
    expect(await connect(connecting({ ...fields, apiKey: "revoked_key_of_TheFirstShop" }))).toEqual({
      ok: false,
      words: "unauthenticated: 000",
    });
    expect(await connect(connecting({ ...fields, merchantAccount: "Wrong" }))).toEqual({
      ok: false,
      words: "forbidden: 901",
    });
    expect(await connect(connecting(fields, "live"))).toEqual({ ok: false, words: "not_sent" });
  });
});

test("the safe part of a live run passes here too", async () => {
  const approved = rig.card("approve");
  const declined = rig.card("decline:insufficient_funds");
  const steps = await runLive(rig.provider, rig.credentials, { approved, declined });
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(steps).toHaveLength(6);
});
