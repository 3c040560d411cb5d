import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AMEX_ROWS, ELO_ROWS, MASTERCARD_ROWS, VISA_ROWS } from "@/lib/declines/network-rows";
import { CIELO_ROWS } from "@/lib/declines/provider-rows";
import { cieloProvider } from "@/lib/providers/cielo";
import { declineOf } from "@/lib/providers/cielo/answers";
import { orderNumberOf } from "@/lib/providers/cielo/reference";
import { parseWebhook } from "@/lib/providers/cielo/webhook";
import type { AuthorizeInput } from "@/lib/providers/provider";
import type { KnownRefund } from "@/lib/providers/refund-marks";
import {
  aCall,
  again,
  aPayment,
  aPix,
  captured,
  expectFound,
  expectKind,
  found,
  type Held,
  held,
  type Rig,
  refund,
} from "@/lib/testing/provider-conformance/rig";
import { type CieloMock, startCielo } from "@/lib/testing/providers/cielo/mock";
import { eventWith } from "@/lib/testing/providers/cielo/objects";
import { familyRig, familySecret, withSecret } from "@/lib/testing/providers/cielo/rig";
import { PROVABLE } from "@/lib/testing/providers/kinds";
import { connectionsTo, rigClock, standIn } from "@/lib/testing/providers/kit/rig";
import { runLive } from "@/lib/testing/providers/live";
import { realNow } from "@/lib/time";

const clock = rigClock();
let mock: CieloMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startCielo({ now: clock.now });
  rig = familyRig(mock, clock, cieloProvider);
});
afterAll(() => mock.close());

const sent = async (changes: Partial<AuthorizeInput>) => {
  const { call } = await held(rig, "approve", changes);
  const [first] = await rig.received(call.chargeId);
  return first?.request.Payment;
};

describe("a card's sale", () => {
  test("says who began it, and how its card is kept", async () => {
    const mastercard = rig.card("approve", "mastercard");
    const subsequent = {
      recurrence: "subsequent",
      buyerPresent: false,
      networkTransactionId: "580027442382078",
    } as const;
    expect(await sent({ card: mastercard, ...subsequent })).toMatchObject({
      Recurrent: true,
      IssuerTransactionId: "580027442382078",
      InitiatedTransactionIndicator: { Category: "M1", Subcategory: "Subscription" },
      CreditCard: { Brand: "Master", CardOnFile: { Usage: "Used", Reason: "Recurring" } },
    });
    expect(await sent({ card: mastercard, recurrence: "initial" })).toMatchObject({
      Recurrent: false,
      InitiatedTransactionIndicator: { Category: "C1", Subcategory: "Subscription" },
      CreditCard: { CardOnFile: { Usage: "First" } },
    });
    expect(await sent({ recurrence: "unscheduled" })).not.toHaveProperty("InitiatedTransactionIndicator");
  });

  test("takes what another party authenticated, and nothing else of 3-D Secure", async () => {
    const mpi = {
      eci: "05",
      cavv: "AAABB2gHA1B5EFNjWQcDAAAAAAB=",
      version: "2.2.0",
      directoryServerTransactionId: "d-1",
    };
    const threeDS = { returnUrl: "https://shop.example/back", data: { mpi } };
    expect(await sent({ threeDS })).toMatchObject({
      Authenticate: true,
      ExternalAuthentication: { Eci: "5", Cavv: mpi.cavv, Version: "2", ReferenceId: "d-1" },
    });
    const call = aCall(rig, "authorize");
    const without = aPayment(rig, { threeDS: { returnUrl: "https://shop.example/back" } });
    expect(expectKind(await rig.provider.authorize(call, without), "rejected").problem).toBe("unsupported");
    expect(await rig.received(call.chargeId)).toEqual([]);
  });

  test("without value is a check of the card", async () => {
    const check = (outcome: string, brand: "visa" | "amex" = "visa") =>
      rig.provider.authorize(aCall(rig, "authorize"), aPayment(rig, { amount: 0, card: rig.card(outcome, brand) }));
    expect(expectKind(await check("approve"), "approved")).toMatchObject({
      amount: 0,
      data: { captured: false, networkTransactionId: "580027442382078" },
    });
    expect(expectKind(await check("decline:generic"), "declined").networkResponseCode).toBe("57");
    expectKind(await check("approve", "amex"), "rejected");
  });
});

test("an order's number keeps all bits of an attempt's id in 25 signs", () => {
  const ids = ["00000000-0000-4000-8000-000000000001", "ffffffff-ffff-4fff-bfff-ffffffffffff"];
  for (const id of ids) expect(orderNumberOf(id)).toMatch(/^[0-9a-z]{25}$/);
  expect(new Set(ids.map(orderNumberOf)).size).toBe(2);
});

test("questions go to their own host", async () => {
  const asked: string[] = [];
  const ways = connectionsTo(standIn(mock.url));
  const provider = cieloProvider({
    to(caller, role) {
      asked.push(role ?? "api");
      return ways.to(caller, role);
    },
  });
  const call = aCall(rig, "authorize");
  await provider.authorize(call, aPayment(rig));
  await provider.query(again(call), { reference: call.ref, sentUntil: clock.now() });
  expect(asked).toEqual(["api", "query", "query"]);
});

test("their own codes are no network's, and those of networks are read by brand", () => {
  const networks = new Set([ELO_ROWS, VISA_ROWS, MASTERCARD_ROWS, AMEX_ROWS].flat().map(([code]) => code));
  expect(CIELO_ROWS.filter(([code]) => networks.has(code))).toEqual([]);
  const read = (ReturnCode: string, brand: "visa" | "elo" = "visa") =>
    declineOf(
      { Provider: null, ReturnCode, ProviderReturnCode: null, MerchantAdviceCode: null },
      brand,
      false,
      clock.now(),
    );
  expect(read("BP 171")).toMatchObject({ declinedCode: "fraud_suspect", retry: "later", reason: "BP171" });
  expect(read("5")).toMatchObject({ declinedCode: "generic", networkResponseCode: "05" });
  expect(read("04", "elo")).toMatchObject({ declinedCode: "try_again" });
});

describe("refunds, of which the record shows the sum", () => {
  const asking = async ({ call, providerTxId }: Held, refunds: KnownRefund[]) =>
    expectFound(
      await rig.provider.query(again(call), { providerTxId, reference: call.ref, sentUntil: clock.now(), refunds }),
    ).refunds;
  const known = (reference: string, amount: number, more: Partial<KnownRefund> = {}): KnownRefund => ({
    reference,
    amount,
    isDone: false,
    isAccepted: false,
    at: clock.now().toISOString(),
    ...more,
  });

  test("are told apart by what the books know, and what nobody asked for stands alone", async () => {
    const payment = await captured(rig);
    expectKind(await refund(rig, payment, 25_00), "approved");
    const first = known("a", 25_00);
    expect(await asking(payment, [first])).toMatchObject([{ reference: "a", amount: 25_00, status: "done" }]);
    expectKind(await refund(rig, payment, 10_00, { alreadyRefunded: 25_00 }), "approved");
    const seen = await asking(payment, [{ ...first, isDone: true }]);
    expect(seen).toMatchObject([{ reference: "a" }, { amount: 10_00, status: "done" }]);
    expect(seen[1]).not.toHaveProperty("reference");
    const { refundId = "" } = seen[1] ?? {};
    const noted: KnownRefund = { refundId, amount: 10_00, isDone: true, isAccepted: false, at: first.at };
    const later = await asking(payment, [{ ...first, isDone: true }, noted, known("b", 5_00)]);
    expect(later.map(({ refundId: id }) => id)).toEqual([seen[0]?.refundId, refundId]);
    // What was refused as it was asked for is no part of another's.
    const refused = await asking(payment, [{ ...first, isDone: true }, known("c", 5_00, { isRefused: true })]);
    expect(refused).toMatchObject([{ reference: "a" }, { refundId, amount: 10_00 }]);
  });

  test("found under a name keep it, when a list follows the sum and whatever the order of the list", async () => {
    const { call, providerTxId } = await captured(rig);
    const refund = (Amount: number, second: number) => ({
      Amount,
      Status: 3,
      ReceivedDate: `2026-11-24 12:00:0${second}`,
    });
    const noted = { amount: 10_00, isDone: true, isAccepted: false, at: clock.now().toISOString() };
    const shown = async (Payment: object, refunds: KnownRefund[]) =>
      expectFound(
        await answering({
          ...SALE,
          MerchantOrderId: call.ref.providerReference,
          Payment: { ...SALE.Payment, ...Payment },
        }).query(again(call), { providerTxId, reference: call.ref, sentUntil: clock.now(), refunds }),
      ).refunds.map(({ refundId, amount }) => [refundId, amount]);
    const paid = { PaymentId: providerTxId, Status: 2, CapturedAmount: 100_00 };
    const [[name = ""] = []] = await shown({ ...paid, VoidedAmount: 10_00 }, []);
    const found = { ...noted, refundId: String(name) };
    expect(await shown({ ...paid, VoidedAmount: 10_00, Refunds: [refund(10_00, 1)] }, [found])).toEqual([
      [name, 10_00],
    ]);
    const both = { ...paid, VoidedAmount: 15_00, Refunds: [refund(5_00, 2), refund(10_00, 1)] };
    expect(await shown(both, [found])).toEqual([
      [name, 10_00],
      [`${providerTxId}-2`, 5_00],
    ]);
  });

  test("one that was taken and is not done yet is open", async () => {
    const payment = await captured(rig, "refund_pending_done");
    expect(expectKind(await refund(rig, payment, 100_00), "approved").data.status).toBe("pending");
    const accepted = [known("a", 100_00, { isAccepted: true })];
    expect(await asking(payment, accepted)).toMatchObject([{ reference: "a", status: "pending" }]);
    clock.advance(86_400);
    expect(await asking(payment, accepted)).toMatchObject([{ reference: "a", status: "done" }]);
  });

  test("a lost answer is found in the sum, and nothing is sent where the sum is another", async () => {
    const payment = await captured(rig);
    mock.plan("lost_after", "refund");
    const call = aCall(rig, "refund", { chargeId: payment.call.chargeId });
    const input = { providerTxId: payment.providerTxId, amount: 25_00, captured: 100_00, alreadyRefunded: 0 };
    expectKind(await rig.provider.refund(call, input), "undetermined");
    expectKind(await rig.provider.refund(again(call), input), "approved");
    expect((await found(rig, payment.call)).refunded).toBe(25_00);
    const unknowing = await refund(rig, payment, 10_00);
    expect(expectKind(unknowing, "rejected").problem).toBe("invalid_state");
    expect((await found(rig, payment.call)).refunded).toBe(25_00);
  });
});

const SALE = {
  MerchantOrderId: "",
  Payment: { PaymentId: "", Type: "CreditCard", Status: 1, Amount: 100_00, ReceivedDate: "2026-11-24 12:00:00" },
};

/** Every request is answered with this. */
const answering = (body: unknown, status = 200) =>
  cieloProvider({
    to: () => ({
      send: () => Promise.resolve({ kind: "answered", status, headers: {}, body }),
      close: () => Promise.resolve(),
    }),
  });

describe("answers that cannot be", () => {
  test("what cannot be read of a record is neither its end nor nothing", async () => {
    const call = aCall(rig, "authorize");
    const sentUntil = clock.now();
    clock.advance(86_400);
    const shown = (Payment: object) => {
      const sale = {
        MerchantOrderId: call.ref.providerReference,
        Payment: { ...SALE.Payment, PaymentId: "p", ...Payment },
      };
      return answering(sale).query(again(call), { providerTxId: "p", reference: call.ref, sentUntil });
    };
    for (const [Type, state] of [
      ["CreditCard", "pre_authorized"],
      ["Pix", "pending"],
    ] as const) {
      const found = expectFound(await shown({ Type, Status: Type === "Pix" ? 12 : 1, ReceivedDate: "24/11/2026" }));
      expect(found.state).toBe(state);
      expect(found.expiresAt).toBeUndefined();
    }
    expect((await shown({ Status: 2, CapturedAmount: "50.00" })).kind).toBe("unavailable");
  });

  test("an error that is none of the checks before a sale says nothing of it", async () => {
    const outcome = (Code: number | string) =>
      answering([{ Code, Message: "" }], 400).authorize(aCall(rig, "authorize"), aPayment(rig));
    for (const code of ["BP903", "BP171", 0, 999]) expectKind(await outcome(code), "undetermined");
    expectKind(await outcome(126), "rejected");
  });

  test.each(["doubled", "contradicting", "truncated", "http_500_after"] as const)(
    "%s: undetermined, and found once",
    async (fault) => {
      const call = aCall(rig, "authorize");
      mock.plan(fault, "create");
      expectKind(await rig.provider.authorize(call, aPayment(rig)), "undetermined");
      expect(await found(rig, call)).toMatchObject({ state: "pre_authorized", duplicates: [] });
      expect(await rig.authorizations(call.ref.providerReference)).toBe(1);
    },
  );

  test("a question that is answered wrongly tells nothing", async () => {
    const { call } = await held(rig);
    for (const fault of ["contradicting", "truncated", "http_500", "rate_limited"] as const) {
      mock.plan(fault, "query");
      // The list of ids says nothing that could contradict: the payment does.
      if (fault === "contradicting") mock.plan(fault, "query");
      const asked = await rig.provider.query(again(call), { reference: call.ref, sentUntil: clock.now() });
      expect(asked.kind, fault).toBe("unavailable");
    }
  });
});

test("a Pix that was made and not heard of is found, without its code", async () => {
  const call = aCall(rig, "pix");
  mock.plan("lost_after", "create");
  expectKind(await rig.provider.createPix(call, aPix()), "undetermined");
  const seen = await found(rig, call);
  expect(seen).toMatchObject({ state: "pending", captured: 0 });
  expect(seen.offer).toBeUndefined();
});

test("notifications are known by the merchant's own header alone", () => {
  const body = Buffer.from(JSON.stringify(eventWith("24bc8366-fc31-4d6c-8555-17049a836a07", 1)));
  const [secret, other] = [familySecret("the_first"), familySecret("another")];
  const parse = (headers: Headers, known = [secret]) => parseWebhook(headers, body, known, realNow()).kind;
  expect(parse(withSecret(secret))).toBe("authentic");
  expect(parse(withSecret(other))).toBe("forged");
  expect(parse(withSecret(other), [secret, other])).toBe("authentic");
  expect(parse(new Headers())).toBe("forged");
  const idAt = (at: string) => {
    const parsed = parseWebhook(withSecret(secret), body, [secret], new Date(at));
    return parsed.kind === "authentic" ? parsed.events[0]?.eventId : undefined;
  };
  // Two changes of one kind within a minute are both news.
  expect(idAt("2026-11-24T12:00:05Z")).not.toBe(idAt("2026-11-24T12:00:35Z"));
});

test("the safe part of a live run passes here too", async () => {
  const { live } = PROVABLE.CIELO ?? {};
  if (!live) throw new Error("it has a safe part");
  mock.cards.set(live.approved.pan, "approve");
  mock.cards.set(live.declined.pan, "decline:generic");
  const steps = await runLive(rig.provider, rig.credentials, live);
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(mock.breaches).toEqual([]);
});
