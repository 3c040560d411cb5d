import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConnectionCall } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import { API_VERSION } from "@/lib/providers/stripe/call";
import { parseWebhook, SIGNATURE_HEADER } from "@/lib/providers/stripe/webhook";
import {
  aCall,
  again,
  aPayment,
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
import { type StripeMock, startStripe } from "@/lib/testing/providers/stripe/mock";
import { eventWith } from "@/lib/testing/providers/stripe/objects";
import { signed, stripeRig, stripeSecret } from "@/lib/testing/providers/stripe/rig";
import { realNow } from "@/lib/time";

const clock = rigClock();
let mock: StripeMock;
let rig: Rig;
let sdk: Stripe;
beforeAll(async () => {
  mock = await startStripe({ now: clock.now });
  rig = stripeRig(mock, clock);
  const secretKey = rig.credentials.reveal().secretKey ?? "";
  sdk = new Stripe(secretKey, {
    host: "127.0.0.1",
    port: mock.port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });
});
afterAll(() => mock.close());

/** What reaches the provider of whatever is done: address, key and members. */
async function heard(run: () => Promise<unknown>): Promise<Pick<MockRequest, "method" | "path" | "body">[]> {
  const seen: Pick<MockRequest, "method" | "path" | "body">[] = [];
  mock.watch = ({ method, path, body }) => seen.push({ method, path, body });
  await run();
  mock.watch = undefined;
  return seen;
}

describe("the official SDK", () => {
  test("asks for a payment as the adapter does", async () => {
    const call = aCall(rig, "authorize");
    const card = rig.card("approve");
    const ours = await heard(() =>
      rig.provider.authorize(call, aPayment(rig, { recurrence: "initial", statementDescriptor: "Loja" })),
    );
    const metadata = { reference: call.ref.providerReference, charge: call.chargeId };
    const theirs = await heard(async () => {
      // The types are of a later version, which chooses the payment methods by itself.
      const asked: Record<string, unknown> = {
        amount: 100_00,
        currency: "brl",
        capture_method: "manual",
        payment_method_types: ["card"],
        statement_descriptor_suffix: "Loja",
        setup_future_usage: "off_session",
        description: "Ana Souza, 12345678909",
        metadata,
      };
      const made = await sdk.paymentIntents.create(asked as unknown as Stripe.PaymentIntentCreateParams);
      await sdk.paymentIntents.confirm(made.id, {
        // Its types have no card here, as its document has none.
        payment_method_data: {
          type: "card",
          card: { number: card.pan, exp_month: 12, exp_year: 2031, cvc: "123" },
          billing_details: { name: "approve", email: "ana@example.com" },
        } as unknown as Stripe.PaymentIntentConfirmParams.PaymentMethodData,
        error_on_requires_action: true,
        expand: ["latest_charge"],
      });
    });
    const withoutIds = (requests: typeof ours) =>
      requests.map((one) => ({ ...one, path: one.path.replace(/pi_\w+/, "pi") }));
    expect(withoutIds(ours)).toEqual(withoutIds(theirs));
    expect(ours).toHaveLength(2);
  });

  test("captures, cancels and refunds as the adapter does", async () => {
    const [first, second] = [await held(rig), await held(rig)];
    const third = await captured(rig);
    const ours = await heard(async () => {
      await capture(rig, first, 60_00);
      await rig.provider.void(aCall(rig, "void"), {
        providerTxId: second.providerTxId,
        state: "pre_authorized",
        amount: 100_00,
      });
      await refund(rig, third, 40_00);
    });
    const [fourth, fifth] = [await held(rig), await held(rig)];
    const theirs = await heard(async () => {
      await sdk.paymentIntents.capture(fourth.providerTxId, { amount_to_capture: 60_00 });
      await sdk.paymentIntents.cancel(fifth.providerTxId);
      await sdk.refunds.create({ payment_intent: third.providerTxId, amount: 40_00 });
    });
    expect(theirs.map(({ method, path }) => `${method} ${path.replace(/pi_\w+/, "pi")}`)).toEqual(
      ours.map(({ method, path }) => `${method} ${path.replace(/pi_\w+/, "pi")}`),
    );
    expect(ours[0]?.body).toEqual(theirs[0]?.body);
    expect(ours[2]?.body).toMatchObject(theirs[2]?.body ?? {});
  });

  test("reads in the stand-in's answers what the adapter reads", async () => {
    const payment = await captured(rig);
    await refund(rig, payment, 30_00);
    const seen = await found(rig, payment.call);
    const read = await sdk.paymentIntents.retrieve(payment.providerTxId, { expand: ["latest_charge.refunds"] });
    expect(read).toMatchObject({ status: "succeeded", amount_received: seen.captured, currency: "brl" });
    const charge = read.latest_charge;
    if (typeof charge !== "object" || charge === null) throw new Error("it was not expanded");
    expect(charge.amount_refunded).toBe(seen.refunded);
    expect(charge.refunds?.data.map(({ id }) => id)).toEqual(seen.refunds.map(({ refundId }) => refundId));
    await expect(sdk.paymentIntents.retrieve("pi_unknown")).rejects.toMatchObject({ code: "resource_missing" });
  });

  test("signs what the adapter takes, and takes what the stand-in signs", async () => {
    const secret = stripeSecret("the_first");
    const webhookSecret = secret.reveal().webhookSecret ?? "";
    const body = JSON.stringify(eventWith("evt_1", "charge.captured", { id: "ch_1", object: "charge" }, clock.now()));
    const parse = (header: string, received = body) =>
      parseWebhook(new Headers({ [SIGNATURE_HEADER]: header }), Buffer.from(received), [secret], realNow()).kind;
    const header = (timestamp = Math.floor(realNow().getTime() / 1000)) =>
      sdk.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret, timestamp });
    expect(parse(header())).toBe("authentic");
    expect(parse(header(), body.replace("ch_1", "ch_2"))).toBe("forged");
    expect(parse(header(Math.floor(realNow().getTime() / 1000) - 301))).toBe("stale");
    const ours = signed(body, secret, realNow()).get(SIGNATURE_HEADER) ?? "";
    expect(sdk.webhooks.constructEvent(body, ours, webhookSecret).id).toBe("evt_1");
  });
});

describe("notifications", () => {
  const body = JSON.stringify(eventWith("evt_1", "charge.captured", { id: "ch_1", object: "charge" }, realNow()));
  const kept = (webhookSecret?: string) =>
    secretOf({ secretKey: "sk_test_a", ...(webhookSecret ? { webhookSecret } : {}) });
  const parse = (by: string, of: ReturnType<typeof kept>) =>
    parseWebhook(signed(body, kept(by), realNow()), Buffer.from(body), [of], realNow()).kind;

  test("of both secrets of a rotation are taken, and without a secret none is", () => {
    expect(["whsec_old", "whsec_new"].map((by) => parse(by, kept("whsec_old\nwhsec_new")))).toEqual([
      "authentic",
      "authentic",
    ]);
    expect(parse("whsec_other", kept("whsec_old\nwhsec_new"))).toBe("forged");
    expect(parse("whsec_old", kept())).toBe("forged");
    expect(parse("", kept())).toBe("forged");
  });
});

describe("answers that cannot be", () => {
  test.each(["doubled", "contradicting", "truncated", "http_500_after"] as const)(
    "%s: undetermined, and found once",
    async (fault) => {
      const call = aCall(rig, "authorize");
      mock.plan(fault, "confirm");
      expectKind(await rig.provider.authorize(call, aPayment(rig)), "undetermined");
      expect(await found(rig, call)).toMatchObject({ state: "pre_authorized", duplicates: [] });
      expectKind(await rig.provider.authorize(again(call), aPayment(rig)), "approved");
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    },
  );

  test("of an intent of somebody else: it is neither noted nor confirmed", async () => {
    const noted: string[] = [];
    const call = aCall(rig, "authorize", { note: async ({ providerTxId }) => void noted.push(providerTxId) });
    mock.plan("truncated", "create");
    expectKind(await rig.provider.authorize(call, aPayment(rig)), "undetermined");
    expect(noted).toEqual([]);
    expect((await rig.received(call.chargeId)).map(({ operation }) => operation)).toEqual(["create"]);
  });

  test("a partial capture's release is no refund", async () => {
    const payment = await held(rig);
    await capture(rig, payment, 60_00);
    expect(await found(rig, payment.call)).toMatchObject({
      state: "authorized",
      captured: 60_00,
      refunded: 0,
      refunds: [],
    });
  });
});

describe("the test of credentials", () => {
  const connecting = (secretKey: string, host: "live" | "test" = "test"): ConnectionCall => ({
    ...aCall(rig, "authorize", { credentials: secretOf({ secretKey }), host }),
    notificationsUrl: "https://pay.example/v1/providers/x/notifications",
  });

  test("tells a key that works, one that does not, and a host that does not answer", async () => {
    expect(await rig.provider.connect?.(connecting("sk_test_fine"))).toEqual({ ok: true, words: "200" });
    const refused = await rig.provider.connect?.(connecting("sk_test_revoked_1"));
    expect(refused).toEqual({ ok: false, words: "unauthenticated: api_key_expired" });
    expect(await rig.provider.connect?.(connecting("sk_live_fine", "live"))).toEqual({
      ok: false,
      words: "not_sent",
    });
  });

  test("tells a key of the other side by what comes back", async () => {
    const credentials = secretOf({ secretKey: "sk_live_mixed" });
    await rig.provider.authorize(aCall(rig, "authorize", { credentials }), aPayment(rig));
    expect(await rig.provider.connect?.(connecting("sk_live_mixed"))).toEqual({ ok: false, words: "200 livemode" });
  });
});

test("the version that is sent is that of the document", async () => {
  const seen: string[] = [];
  mock.watch = ({ headers }) => seen.push(headers["stripe-version"] ?? "");
  await held(rig);
  mock.watch = undefined;
  expect(seen).toEqual([API_VERSION, API_VERSION]);
});

test("the safe part of a live run passes here too", async () => {
  const { live } = PROVABLE.STRIPE ?? {};
  if (!live) throw new Error("it has a safe part");
  const steps = await runLive(rig.provider, rig.credentials, live);
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(steps).toHaveLength(7);
});
