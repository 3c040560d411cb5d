import { WebhookSignatureValidator } from "mercadopago";
import type { PaymentCreateRequest } from "mercadopago/dist/clients/payment/create/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MERCADO_PAGO_ROWS } from "@/lib/declines/provider-rows";
import { declineOf } from "@/lib/providers/mercado-pago/answers";
import { centsOf, decimalOf } from "@/lib/providers/mercado-pago/money";
import { parseWebhook, REQUEST_ID_HEADER, SIGNATURE_HEADER } from "@/lib/providers/mercado-pago/webhook";
import { payment } from "@/lib/providers/mercado-pago/wire";
import type { ConnectionCall } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import {
  aCall,
  again,
  aPayment,
  aPix,
  captured,
  expectKind,
  found,
  held,
  type Rig,
  refund,
} from "@/lib/testing/provider-conformance/rig";
import { PROVABLE } from "@/lib/testing/providers/kinds";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import type { MockRequest } from "@/lib/testing/providers/kit/server";
import { runLive } from "@/lib/testing/providers/live";
import { type MercadoPagoMock, startMercadoPago } from "@/lib/testing/providers/mercado-pago/mock";
import { eventWith, paymentOf } from "@/lib/testing/providers/mercado-pago/objects";
import { mercadoPagoRig, mercadoPagoSecret, signed } from "@/lib/testing/providers/mercado-pago/rig";
import { realNow } from "@/lib/time";

const clock = rigClock();
let mock: MercadoPagoMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startMercadoPago({ now: clock.now });
  rig = mercadoPagoRig(mock, clock);
});
afterAll(() => mock.close());

test("a card is charged as the SDK's types have it, each request under a key of its own", async () => {
  const call = aCall(rig, "authorize");
  const seen: MockRequest[] = [];
  mock.watch = (request) => void seen.push(request);
  await rig.provider.authorize(call, aPayment(rig, { amount: 30, installments: 2, statementDescriptor: "Loja" }));
  mock.watch = undefined;
  const [token, payment] = seen;
  const asked = {
    transaction_amount: 0.3,
    external_reference: call.ref.providerReference,
    description: "Pagamento",
    metadata: { charge: call.chargeId },
    payment_method_id: "visa",
    installments: 2,
    capture: false,
    binary_mode: false,
    statement_descriptor: "Loja",
    payer: {
      email: "ana@example.com",
      first_name: "Ana",
      last_name: "Souza",
      identification: { type: "CPF", number: "12345678909" },
    },
  } satisfies PaymentCreateRequest;
  expect(payment?.body).toEqual({ ...asked, token: expect.any(String) });
  const keys = seen.map(({ headers }) => headers["x-idempotency-key"]);
  expect(keys).toEqual([`${call.ref.idempotencyKey}-token`, call.ref.idempotencyKey]);
  expect(token?.body).toMatchObject({ expiration_month: 12, cardholder: { name: "approve" } });
});

describe("notifications", () => {
  const body = JSON.stringify(eventWith(1, "payment.updated", "1000000001", realNow()));
  const secret = mercadoPagoSecret("the_first");

  test("that we sign are taken by the official validator, and the others refused by both", () => {
    const validate = (headers: Headers, dataId = "1000000001") =>
      WebhookSignatureValidator.validate({
        xSignature: headers.get(SIGNATURE_HEADER),
        xRequestId: headers.get(REQUEST_ID_HEADER),
        dataId,
        secret: secret.reveal().webhookSecret ?? "",
      });
    const ours = signed(body, secret, realNow());
    expect(() => validate(ours)).not.toThrow();
    expect(() => validate(ours, "1000000002")).toThrow();
    expect(() => validate(signed(body, mercadoPagoSecret("another"), realNow()))).toThrow();
    const parse = (headers: Headers, text = body) => parseWebhook(headers, Buffer.from(text), [secret], realNow()).kind;
    expect(parse(ours)).toBe("authentic");
    expect(parse(ours, body.replace("1000000001", "1000000002"))).toBe("forged");
    expect(parse(new Headers())).toBe("forged");
  });
});

test("amounts are the same in cents and in reais, and what is no amount is none", () => {
  for (const cents of [1, 10, 30, 70, 99, 1_10, 4_35, 8_20, 1_005, 19_99, 1_234_567_89]) {
    expect(centsOf(decimalOf(cents))).toBe(cents);
  }
  expect(centsOf(0.1 + 0.2)).toBe(30);
  expect(centsOf(1.005)).toBeUndefined();
  expect(centsOf(Number.NaN)).toBeUndefined();
});

test("each of its own words for a refusal is read by its table, and an unknown one is generic", async () => {
  for (const [detail, declinedCode, retry] of MERCADO_PAGO_ROWS) {
    expect(declineOf(detail)).toMatchObject({ declinedCode, retry, reason: detail });
  }
  expect(declineOf("cc_rejected_by_the_moon")).toMatchObject({ declinedCode: "generic", retry: "never" });
  const card = rig.card("decline:insufficient_funds");
  const declined = await rig.provider.authorize(aCall(rig, "authorize"), aPayment(rig, { card }));
  expect(expectKind(declined, "declined").reason).toBe("cc_rejected_insufficient_amount");
});

test("a Pix that is made again under its key is the same request, and shows the same code", async () => {
  const call = aCall(rig, "pix");
  const made = async () => expectKind(await rig.provider.createPix(again(call), aPix()), "pending").data;
  const first = await made();
  clock.advance(60);
  expect(await made()).toEqual(first);
});

test("a refund that cannot be read is not taken for none", async () => {
  const paid = await captured(rig);
  const entry = mock.books.entries.find(({ id }) => id === paid.providerTxId);
  const shown = entry ? paymentOf(entry) : {};
  expect(payment.safeParse(shown).success).toBe(true);
  expect(payment.safeParse({ ...shown, refunds: null }).success).toBe(true);
  expect(payment.safeParse({ ...shown, refunds: [{ id: 1, status: "in_process", amount: "?" }] }).success).toBe(false);
});

describe("answers that cannot be", () => {
  test.each(["doubled", "contradicting", "truncated", "http_500_after"] as const)(
    "%s: undetermined, and found once",
    async (fault) => {
      const call = aCall(rig, "authorize");
      mock.plan(fault, "create");
      expectKind(await rig.provider.authorize(call, aPayment(rig)), "undetermined");
      expect(await found(rig, call)).toMatchObject({ state: "pre_authorized", duplicates: [] });
      expectKind(await rig.provider.authorize(again(call), aPayment(rig)), "approved");
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    },
  );

  test("a lost token takes nothing", async () => {
    const call = aCall(rig, "authorize");
    mock.plan("lost_after", "token");
    expectKind(await rig.provider.authorize(call, aPayment(rig)), "undetermined");
    expect(await rig.authorizations(call.ref.providerReference)).toBe(0);
  });

  test("a refund whose answer was lost is found as its own", async () => {
    const payment = await captured(rig);
    mock.plan("lost_after", "refund");
    const call = aCall(rig, "refund", { chargeId: payment.call.chargeId });
    const input = { providerTxId: payment.providerTxId, amount: 25_00, captured: 100_00, alreadyRefunded: 0 };
    expectKind(await rig.provider.refund(call, input), "undetermined");
    expect((await found(rig, payment.call)).refunds).toMatchObject([{ reference: call.ref.providerReference }]);
    expectKind(await rig.provider.refund(again(call), input), "approved");
    expectKind(await refund(rig, payment, 25_00, { alreadyRefunded: 25_00 }), "approved");
    expect((await found(rig, payment.call)).refunded).toBe(50_00);
  });
});

test("the test of credentials tells a token that works, one that does not, and one of the other side", async () => {
  const connecting = (accessToken: string): ConnectionCall => ({
    ...aCall(rig, "authorize", { credentials: secretOf({ accessToken }) }),
    notificationsUrl: "https://pay.example/v1/providers/x/notifications",
  });
  expect(await rig.provider.connect?.(connecting("TEST-fine"))).toEqual({ ok: true, words: "200" });
  expect(await rig.provider.connect?.(connecting("TEST-revoked"))).toEqual({ ok: false, words: "unauthenticated" });
  await held({ ...rig, credentials: secretOf({ accessToken: "APP_USR-live" }) });
  expect(await rig.provider.connect?.(connecting("APP_USR-live"))).toEqual({ ok: false, words: "200 live_mode" });
});

test("the safe part of a live run passes here too", async () => {
  const { live } = PROVABLE.MERCADO_PAGO ?? {};
  if (!live) throw new Error("it has a safe part");
  const approved = { ...live.approved, holderName: "approve" };
  const declined = { ...live.declined, holderName: "decline:generic" };
  const steps = await runLive(rig.provider, rig.credentials, { approved, declined });
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(mock.breaches).toEqual([]);
});
