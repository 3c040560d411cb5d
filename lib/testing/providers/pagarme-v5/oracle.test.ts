import type { CreatePaymentRequest } from "@pagarme/pagarme-nodejs-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { query } from "@/lib/providers/pagarme-v5/look-up";
import { parseWebhook } from "@/lib/providers/pagarme-v5/webhook";
import { charge } from "@/lib/providers/pagarme-v5/wire";
import type { ConnectionCall, RefundInput } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import {
  aCall,
  again,
  aPayment,
  aPix,
  aRecipientCall,
  aSeller,
  capture,
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
import { type PagarmeMock, startPagarme } from "@/lib/testing/providers/pagarme-v5/mock";
import { chargeOf, eventWith } from "@/lib/testing/providers/pagarme-v5/objects";
import { pagarmeRig, pagarmeSecret, signedIn } from "@/lib/testing/providers/pagarme-v5/rig";
import { officialSdk } from "@/lib/testing/providers/pagarme-v5/sdk";

const clock = rigClock();
let mock: PagarmeMock;
let rig: Rig;
let sdk: ReturnType<typeof officialSdk>;
beforeAll(async () => {
  mock = await startPagarme({ now: clock.now });
  rig = pagarmeRig(mock, clock);
  sdk = officialSdk(mock.url, rig.credentials.reveal().secretKey ?? "");
});
afterAll(() => mock.close());

type Heard = Pick<MockRequest, "method" | "path" | "body">;

/** What reaches the provider of whatever is done. The SDK wants more members than the reference does. */
async function heard(run: () => Promise<unknown>): Promise<Heard[]> {
  const seen: Heard[] = [];
  mock.watch = ({ method, path, body }) => seen.push({ method, path: path.replace(/(ch|re)_\w+/, "$1"), body });
  await run().catch(() => undefined);
  mock.watch = undefined;
  return seen;
}

const ADDRESS = {
  street: "Rua das Flores",
  streetNumber: "10",
  district: "Centro",
  city: "Sao Paulo",
  state: "SP",
  zipCode: "01001000",
  country: "BR",
};
const DOCUMENT = { type: "CPF", number: "12345678909", country: "BR" };
const PAYER = {
  name: "Ana Souza",
  email: "ana@example.com",
  document: DOCUMENT,
  phone: "+5511999990000",
  address: ADDRESS,
};
const WIRE_ADDRESS = {
  street: "",
  number: "",
  neighborhood: "",
  complement: "",
  line1: "10, Rua das Flores, Centro",
  line2: "",
  zipCode: "01001000",
  city: "Sao Paulo",
  state: "SP",
  country: "BR",
};
const line = (recipientId: string, amount: number) => ({
  recipientId,
  amount,
  liable: true,
  processingFee: false,
  remainderFee: true,
});

/** The same order in the SDK's words. */
const anOrder = (code: string, charge: string, payment: CreatePaymentRequest) => ({
  code,
  closed: true,
  antifraudEnabled: false,
  items: [{ amount: 100_00, description: "Pagamento", quantity: 1, category: "", code: "1" }],
  customer: {
    name: "Ana Souza",
    email: "ana@example.com",
    document: DOCUMENT.number,
    documentType: "CPF",
    type: "individual",
    code: "",
    metadata: {},
    phones: { mobilePhone: { countryCode: "55", areaCode: "11", number: "999990000" } },
    address: WIRE_ADDRESS,
  },
  payments: [{ amount: 100_00, metadata: { reference: code, charge }, ...payment }],
  metadata: { reference: code, charge },
});

describe("the official SDK", () => {
  test("asks for a card payment as the adapter does", async () => {
    const call = aCall(rig, "authorize");
    const card = rig.card("approve");
    const payment = aPayment(rig, {
      holder: PAYER,
      installments: 3,
      recurrence: "subsequent",
      networkTransactionId: "bid1",
      statementDescriptor: "Loja",
      split: [line("re_a", 70_00), line("merchant", 30_00)],
    });
    const [, ours] = await heard(() => rig.provider.authorize(call, payment));
    const split = (amount: number, recipientId: string) => ({
      type: "flat",
      amount,
      recipientId,
      options: { liable: true, chargeProcessingFee: false, chargeRemainderFee: true },
    });
    const own = await sdk.recipients.getDefaultRecipient();
    const [theirs] = await heard(() =>
      sdk.orders.createOrder(
        anOrder(call.ref.providerReference, call.chargeId, {
          paymentMethod: "credit_card",
          creditCard: {
            operationType: "auth_only",
            installments: 3,
            statementDescriptor: "Loja",
            recurrencyCycle: "subsequent",
            paymentOrigin: { brandId: "bid1" },
            card: {
              number: card.pan,
              holderName: "approve",
              expMonth: 12,
              expYear: 2031,
              cvv: "123",
              holderDocument: DOCUMENT.number,
              billingAddress: WIRE_ADDRESS,
            },
          },
          split: [split(70_00, "re_a"), split(30_00, own.result.id ?? "")],
        }),
      ),
    );
    expect(theirs).toMatchObject(ours ?? {});
  });

  test("asks for a Pix and a boleto as the adapter does", async () => {
    const dueDate = addDays(saoPauloDay(clock.now()), 7);
    const [pixCall, boletoCall] = [aCall(rig, "pix"), aCall(rig, "boleto")];
    const ours = await heard(async () => {
      const additionalInfo = [{ name: "Pedido", value: "7" }];
      await rig.provider.createPix(pixCall, aPix({ amount: 100_00, payer: PAYER, additionalInfo }));
      const fine = { days: 1, percentage: 2 };
      await rig.provider.createBoleto(boletoCall, {
        amount: 100_00,
        dueDate,
        payer: PAYER,
        instructions: "Pague",
        fine,
      });
    });
    const [, slip] = ours;
    const asked = JSON.stringify(slip?.body ?? {});
    const dueAt = /"due_at":"([^"]+)"/.exec(asked)?.[1] ?? "";
    const number = /"document_number":"([^"]+)"/.exec(asked)?.[1] ?? "";
    const theirs = [
      ...(await heard(() =>
        sdk.orders.createOrder(
          anOrder(pixCall.ref.providerReference, pixCall.chargeId, {
            paymentMethod: "pix",
            pix: { expiresIn: 3600, additionalInformation: [{ name: "Pedido", value: "7" }] },
          }),
        ),
      )),
      ...(await heard(() =>
        sdk.orders.createOrder(
          anOrder(boletoCall.ref.providerReference, boletoCall.chargeId, {
            paymentMethod: "boleto",
            boleto: {
              retries: 0,
              dueAt,
              documentNumber: number,
              instructions: "Pague",
              statementDescriptor: "",
              billingAddress: WIRE_ADDRESS,
              fine: { days: 1, type: "percentage", amount: 2 },
            },
          }),
        ),
      )),
    ];
    // Its schema has no kind of slip; the reference has.
    const withoutKind = ours.map((one): unknown => JSON.parse(JSON.stringify(one).replace('"type":"DM",', "")));
    expect(theirs).toMatchObject(withoutKind);
  });

  test("captures, cancels and refunds as the adapter does", async () => {
    const [first, second, third] = [await held(rig), await held(rig), await captured(rig)];
    const references: string[] = [];
    const ours = await heard(async () => {
      for (const operation of ["capture", "void", "refund"] as const) {
        const call = aCall(rig, operation);
        references.push(call.ref.providerReference);
        if (operation === "capture") {
          await rig.provider.capture(call, { providerTxId: first.providerTxId, amount: 60_00, authorized: 100_00 });
        } else if (operation === "void") {
          const input = { providerTxId: second.providerTxId, state: "pre_authorized", amount: 100_00 } as const;
          await rig.provider.void(call, input);
        } else {
          const input: RefundInput = {
            providerTxId: third.providerTxId,
            amount: 40_00,
            captured: 100_00,
            alreadyRefunded: 0,
          };
          await rig.provider.refund(call, input);
        }
      }
    });
    const [fourth, fifth, sixth] = [await held(rig), await held(rig), await captured(rig)];
    const [forCapture = "", forVoid = "", forRefund = ""] = references;
    const theirs = await heard(async () => {
      const part = { amount: 60_00, code: "", operationReference: forCapture };
      await sdk.charges.captureCharge(fourth.providerTxId, part);
      await sdk.charges.cancelCharge(fifth.providerTxId, { operationReference: forVoid });
      await sdk.charges.cancelCharge(sixth.providerTxId, { amount: 40_00, operationReference: forRefund });
    });
    // The SDK wants a code for a capture, which the reference makes optional.
    const changes = ours.filter(({ method, path }) => method !== "GET" && !path.endsWith("/metadata"));
    expect(theirs).toMatchObject(changes);
    expect(ours.map(({ method, path }) => `${method} ${path}`).slice(2)).toEqual([
      "GET /core/v5/charges/ch",
      "PATCH /core/v5/charges/ch/metadata",
      "DELETE /core/v5/charges/ch",
      "GET /core/v5/charges/ch/transactions",
    ]);
  });

  test("reads in the stand-in's answers what the adapter reads", async () => {
    const payment = await captured(rig);
    await refund(rig, payment, 30_00);
    const seen = await found(rig, payment.call);
    const { result } = await sdk.charges.getCharge(payment.providerTxId);
    expect(result).toMatchObject({ status: "paid", paidAmount: seen.captured, canceledAmount: seen.refunded });
    const { result: listed } = await sdk.charges.getChargeTransactions(payment.providerTxId);
    expect(listed.data?.map(({ id }) => id)).toContain(seen.refunds[0]?.refundId);
    const { result: orders } = await sdk.orders.getOrders(1, 30, payment.call.ref.providerReference);
    expect(orders.data?.[0]?.charges?.[0]?.id).toBe(payment.providerTxId);
    await expect(sdk.charges.getCharge("ch_unknown")).rejects.toMatchObject({ statusCode: 404 });
  });

  test("finds a seller that the adapter registered", async () => {
    const call = aRecipientCall(rig, "register");
    const made = await rig.provider.recipients?.register(call, aSeller("12345610000"));
    if (made?.kind !== "approved") throw new Error("it was not registered");
    const { result } = await sdk.recipients.getRecipient(made.data.externalId);
    expect(result).toMatchObject({ id: made.data.externalId, code: call.ref.reference, status: "affiliation" });
  });

  test("is told of no bank account that lacks its check digit", async () => {
    const seller = aSeller("12345610001");
    const { accountCheckDigit: _, ...bankAccount } = seller.bankAccount;
    const asked = await rig.provider.recipients?.register(aRecipientCall(rig, "register"), { ...seller, bankAccount });
    expect(asked).toMatchObject({ kind: "rejected", detail: "the bank account needs its check digit" });
  });
});

describe("notifications", () => {
  const body = JSON.stringify(eventWith("hook_1", "charge.paid", { id: "ch_1" }, clock.now()));
  const kept = (webhookSecret?: string) =>
    secretOf({ secretKey: "sk_test_a", ...(webhookSecret ? { webhookSecret } : {}) });
  const parse = (by: string, of: ReturnType<typeof kept>) =>
    parseWebhook(signedIn(kept(by)), Buffer.from(body), [of]).kind;

  test("of both users of a rotation are taken; of another, or without one, none is", () => {
    const both = kept("trilho:old\ntrilho:new");
    expect(["trilho:old", "trilho:new"].map((by) => parse(by, both))).toEqual(["authentic", "authentic"]);
    expect(parse("trilho:other", both)).toBe("forged");
    expect(parse("trilho:old", kept())).toBe("forged");
    expect(parse("", kept())).toBe("forged");
    expect(parseWebhook(new Headers(), Buffer.from(body), [both]).kind).toBe("forged");
  });

  test("of a seller name the seller, and no payment", () => {
    const secret = pagarmeSecret("the_first");
    const event = JSON.stringify(eventWith("hook_2", "recipient.updated", { id: "re_1" }, clock.now()));
    expect(parseWebhook(signedIn(secret), Buffer.from(event), [secret])).toMatchObject({
      kind: "authentic",
      events: [{ eventId: "hook_2", recipientId: "re_1" }],
    });
  });
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

  test("a refund that was marked and never asked for is not taken for the next one", async () => {
    const payment = await captured(rig);
    mock.plan("lost_before", "cancel");
    expectKind(await refund(rig, payment, 25_00), "undetermined");
    expect(await found(rig, payment.call)).toMatchObject({ refunded: 0, refunds: [] });
    const call = aCall(rig, "refund", { chargeId: payment.call.chargeId });
    const input = { providerTxId: payment.providerTxId, amount: 25_00, captured: 100_00, alreadyRefunded: 0 };
    expectKind(await rig.provider.refund(call, input), "approved");
    expect((await found(rig, payment.call)).refunds.map(({ reference }) => reference)).toEqual([
      call.ref.providerReference,
    ]);
  });

  test("a refund whose answer was lost is found as its own, and one that nobody here asked for has no reference", async () => {
    const payment = await captured(rig);
    mock.plan("lost_after", "cancel");
    const call = aCall(rig, "refund", { chargeId: payment.call.chargeId });
    const input = { providerTxId: payment.providerTxId, amount: 25_00, captured: 100_00, alreadyRefunded: 0 };
    expectKind(await rig.provider.refund(call, input), "undetermined");
    const entry = mock.books.find(rig.credentials.reveal().secretKey ?? "", payment.providerTxId);
    if (entry) mock.books.refund(entry, 5_00, "", "console");
    const { refunds } = await found(rig, payment.call);
    expect(refunds).toMatchObject([{ amount: 25_00, reference: call.ref.providerReference }, { amount: 5_00 }]);
    expect(refunds[1]?.reference).toBeUndefined();
    expectKind(await rig.provider.refund(again(call), input), "approved");
    expect((await found(rig, payment.call)).refunded).toBe(30_00);
  });

  test("a Pix that was given back in part is still the same payment", async () => {
    const call = aCall(rig, "pix");
    const made = expectKind(await rig.provider.createPix(call, aPix()), "pending");
    const entry = mock.books.entries.find(({ id }) => id === made.providerTxId);
    if (!entry) throw new Error("it was not made");
    mock.books.pay(entry);
    const { payments, captured: amount } = await found(rig, call, made.providerTxId);
    expect(payments).toMatchObject([{ paymentId: expect.stringMatching(/^E/) }]);
    mock.books.refund(entry, 1_00, "", "console");
    const later = await found(rig, call, made.providerTxId);
    expect(later).toMatchObject({
      captured: amount,
      refunded: 1_00,
      payments: [{ paymentId: payments[0]?.paymentId }],
    });
  });

  test("an order without its payment is not nothing, and metadata of others hides none of ours", async () => {
    const call = aCall(rig, "authorize");
    const listed = (charges: unknown) => ({
      send: async () => ({
        kind: "answered" as const,
        status: 200,
        headers: {},
        body: { data: [{ id: "or_1", code: call.ref.providerReference, charges }] },
      }),
      close: async () => undefined,
    });
    const asked = { reference: call.ref, sentUntil: new Date(0) };
    for (const charges of [undefined, [], [{ id: 7 }]]) {
      expect(await query({ to: () => listed(charges) }, call, asked)).toEqual({ kind: "unavailable" });
    }
    const paid = await captured(rig);
    const entry = mock.books.find(rig.credentials.reveal().secretKey ?? "", paid.providerTxId);
    const shown = entry ? chargeOf(entry) : {};
    const ours = { reference: "r", others: 7 };
    expect(charge.parse({ ...shown, metadata: ours }).metadata).toEqual(ours);
  });

  test("a partial capture's release is no refund", async () => {
    const payment = await held(rig);
    await capture(rig, payment, 60_00);
    expect(await found(rig, payment.call)).toMatchObject({ state: "authorized", captured: 60_00, refunds: [] });
    expectKind(await refund(rig, payment, 10_00, { captured: 60_00 }), "approved");
    expect(await found(rig, payment.call)).toMatchObject({ captured: 60_00, refunded: 10_00 });
  });
});

test("the test of credentials tells a key that works, one that does not, and a host that does not answer", async () => {
  const connecting = (secretKey: string, host: "live" | "test" = "test"): ConnectionCall => ({
    ...aCall(rig, "authorize", { credentials: secretOf({ secretKey }), host }),
    notificationsUrl: "https://pay.example/v1/providers/x/notifications",
  });
  expect(await rig.provider.connect?.(connecting("sk_test_fine"))).toEqual({ ok: true, words: "200" });
  const refused = { ok: false, words: "unauthenticated" };
  expect(await rig.provider.connect?.(connecting("sk_test_revoked"))).toEqual(refused);
  expect(await rig.provider.connect?.(connecting("sk_fine", "live"))).toEqual({ ok: false, words: "not_sent" });
});

test("the safe part of a live run passes here too", async () => {
  const { live } = PROVABLE.PAGARME_V5 ?? {};
  if (!live) throw new Error("it has a safe part");
  const steps = await runLive(rig.provider, rig.credentials, live);
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(steps).toHaveLength(7);
});

test("nothing that the adapter asked or the stand-in answered is against the reference", () => {
  // The SDK sends members empty that the reference makes optional: those requests are its own.
  const own = mock.breaches.filter((one) => one.startsWith("our own answer"));
  expect(own).toEqual([]);
});
