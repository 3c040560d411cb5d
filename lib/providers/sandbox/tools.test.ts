import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { CallContext, WalletMethod } from "@/lib/providers/provider";
import { listCalls } from "@/lib/providers/sandbox/calls";
import { reverseChargeback, simulateChargeback, simulateMed } from "@/lib/providers/sandbox/disputes";
import { challengeOf, continueChallenge, type ForcedState, forceState } from "@/lib/providers/sandbox/force";
import { signedNotification, takeNotifications } from "@/lib/providers/sandbox/notifications";
import { simulateBoletoPayment, simulatePixPayment } from "@/lib/providers/sandbox/pay";
import { dayTotals, statementOf } from "@/lib/providers/sandbox/settlement";
import { deleteScenario, listScenarios, storeScenario, takeScenario } from "@/lib/providers/sandbox/stored-scenarios";
import { inProcessTransport } from "@/lib/providers/sandbox/transport";
import { openClient } from "@/lib/testing/api";
import {
  aCall,
  again,
  aPayment,
  aPix,
  expectKind,
  found,
  impatient,
  PROVIDER_ID,
} from "@/lib/testing/provider-conformance/rig";
import { brokenInProcess, sandboxRig } from "@/lib/testing/provider-conformance/sandbox-rig";
import { addSeconds, realNow } from "@/lib/time";

const DAY = 86_400;
const statementOn = (clientId: string, day: string, at: Date) => statementOf({ clientId, from: day, to: day }, at);

/** An account of its own for each test. */
function account(clientId: string = randomUUID()) {
  const rig = sandboxRig(inProcessTransport(), brokenInProcess);
  const mine = { clientId };
  const call = (operation: CallContext["ref"]["operation"], changes: Partial<CallContext> = {}) =>
    aCall(rig, operation, { ...mine, ...changes });
  const authorize = async (outcome: string, changes: Partial<CallContext> = {}, payment = {}) => {
    const made = call("authorize", changes);
    const result = await rig.provider.authorize(made, aPayment(rig, { card: rig.card(outcome), ...payment }));
    return { call: made, result };
  };
  const sale = async (outcome = "approve", payment = {}) => {
    const { call: made, result } = await authorize(outcome, {}, { capture: true, ...payment });
    return { call: made, chargeId: made.chargeId, providerTxId: expectKind(result, "approved").providerTxId };
  };
  const pix = async (amount = 50_00, expiresInSec = 3600) => {
    const made = call("pix");
    expectKind(await rig.provider.createPix(made, aPix({ amount, expiresInSec })), "pending");
    return { call: made, chargeId: made.chargeId, txid: made.ref.providerReference };
  };
  const boleto = async (zipCode: string, dueDate = "2026-11-27") => {
    const made = call("boleto");
    const address = { street: "R", streetNumber: "1", district: "C", city: "X", state: "SP", zipCode, country: "BR" };
    const input = { amount: 100_00, dueDate, payer: { name: "Ana", address } };
    expectKind(await rig.provider.createBoleto(made, input), "pending");
    return { call: made, chargeId: made.chargeId };
  };
  const force = (chargeId: string, state: ForcedState) =>
    forceState(clientId, { chargeId }, state, () => rig.clock.now());
  return { rig, clientId, call, authorize, sale, pix, boleto, force, now: () => rig.clock.now() };
}

describe("a buyer pays", () => {
  test("a Pix later: nothing until its instant, then everything", async () => {
    const { rig, clientId, pix, now } = account();
    const { call, txid } = await pix();
    const at = addSeconds(now(), 600);
    const scheduled = await simulatePixPayment(clientId, { txid }, { at }, now);
    expect(scheduled).toMatchObject({ ok: true, state: "pending", nextEventAt: at });
    expect((await found(rig, call)).state).toBe("pending");
    rig.clock.advance(600);
    expect((await found(rig, call)).state).toBe("authorized");
  });

  test("a Pix by its charge, with another amount, and again only when it is to be paid twice", async () => {
    const { rig, clientId, pix, now } = account();
    const { call, chargeId } = await pix();
    await simulatePixPayment(clientId, { txid: chargeId }, { amount: 49_00 }, now);
    expect(await found(rig, call)).toMatchObject({ state: "authorized", captured: 49_00 });
    const again = await simulatePixPayment(clientId, { txid: chargeId }, {}, now);
    expect(again).toMatchObject({ ok: true, state: "authorized" });
    expect((await found(rig, call)).payments).toHaveLength(1);
    await simulatePixPayment(clientId, { txid: chargeId }, { times: 2 }, now);
    await simulatePixPayment(clientId, { txid: chargeId }, { times: 2 }, now);
    expect((await found(rig, call)).payments.map(({ surplus }) => surplus)).toEqual([false, true]);
  });

  test("a boleto less, more or exactly, by the CEP", async () => {
    const { rig, clientId, boleto, now } = account();
    for (const [zip, amount] of [
      ["01046010", 90_00],
      ["57400000", 110_00],
      ["01310100", 100_00],
    ] as const) {
      const { call, chargeId } = await boleto(zip);
      await simulateBoletoPayment(clientId, chargeId, {}, now);
      expect((await found(rig, call)).captured).toBe(amount);
    }
  });

  test("a boleto on its day, confirmed on the next bank day", async () => {
    const { rig, clientId, boleto, now } = account();
    const { call, chargeId } = await boleto("01310100");
    // Friday: the next bank day is Monday the 30th.
    await simulateBoletoPayment(clientId, chargeId, { paidOn: "2026-11-27" }, now);
    rig.clock.advance(5 * DAY);
    expect((await found(rig, call)).state).toBe("pending");
    rig.clock.advance(DAY);
    expect(await found(rig, call)).toMatchObject({ state: "authorized", captured: 100_00 });
  });

  test("by themselves only where the account says so, and never a Pix above 500 reais", async () => {
    const client = await openClient();
    await systemSql()`update clients set auto_settle_seconds = 30 where id = ${client.clientId}`;
    const { rig, pix, call } = account(client.clientId);
    const small = await pix(500_00);
    const large = await pix(500_01);
    const wallets = await Promise.all(
      (["drip", "nupay", "picpay", "apple_pay", "click_to_pay"] as WalletMethod[]).map(async (method) => {
        const made = call("wallet");
        expectKind(
          await rig.provider.createWallet(made, { method, amount: 900_00, payer: { name: "Ana" } }),
          "pending",
        );
        return made;
      }),
    );
    rig.clock.advance(30);
    expect((await found(rig, small.call)).state).toBe("authorized");
    expect((await found(rig, large.call)).state).toBe("pending");
    for (const wallet of wallets) expect((await found(rig, wallet)).state).toBe("authorized");
  });
});

describe("the bank takes back", () => {
  test("a Pix by the special return, in part and then the rest", async () => {
    const { rig, clientId, pix, now } = account();
    const { call, chargeId, txid } = await pix();
    await simulatePixPayment(clientId, { txid }, {}, now);
    await simulateMed(clientId, { chargeId }, { amount: 20_00 }, now);
    expect(await found(rig, call)).toMatchObject({
      state: "authorized",
      refunded: 20_00,
      refunds: [{ amount: 20_00 }],
    });
    expect(await simulateMed(clientId, { chargeId }, { amount: 30_01 }, now)).toEqual({
      ok: false,
      reason: "amount_exceeded",
    });
    await simulateMed(clientId, { chargeId }, {}, now);
    expect((await found(rig, call)).state).toBe("refunded");
  });

  test("a sale by outcome 400 a day later, and 401 gives it back ten days after that", async () => {
    const { rig, sale } = account();
    const lost = await sale("chargeback_full");
    const won = await sale("chargeback_then_reversed");
    const half = await sale("chargeback_partial", { amount: 99_99 });
    expect((await found(rig, lost.call)).nextEventAt).toBe(addSeconds(rig.clock.now(), DAY).toISOString());
    rig.clock.advance(DAY);
    for (const { call } of [lost, won])
      expect(await found(rig, call)).toMatchObject({ state: "charged_back", chargedBack: 100_00 });
    expect(await found(rig, half.call)).toMatchObject({ state: "charged_back", chargedBack: 49_99 });
    rig.clock.advance(10 * DAY);
    expect(await found(rig, won.call)).toMatchObject({ state: "authorized", chargedBack: 0 });
    expect((await found(rig, lost.call)).state).toBe("charged_back");
  });

  test("nothing that was refunded before, and no more than is left", async () => {
    const { rig, clientId, sale, now } = account();
    const refunded = await sale("chargeback_full");
    const input = { providerTxId: refunded.providerTxId, amount: 100_00, captured: 100_00, alreadyRefunded: 0 };
    expectKind(await rig.provider.refund(aCall(rig, "refund", { clientId }), input), "approved");
    rig.clock.advance(2 * DAY);
    expect(await found(rig, refunded.call)).toMatchObject({ state: "refunded", chargedBack: 0 });
    const other = await sale();
    expect(await simulateChargeback(clientId, other.chargeId, { amount: 100_01 }, now)).toEqual({
      ok: false,
      reason: "amount_exceeded",
    });
  });

  test("a dispute can be lost again after it was won, on a clock that stands still", async () => {
    const { rig, clientId, sale, now } = account();
    const { call, chargeId } = await sale();
    for (const state of ["charged_back", "authorized", "charged_back"] as const) {
      const step =
        state === "charged_back"
          ? simulateChargeback(clientId, chargeId, {}, now)
          : reverseChargeback(clientId, chargeId, now);
      expect(await step).toMatchObject({ ok: true, state });
    }
    expect((await found(rig, call)).chargedBack).toBe(100_00);
  });
});

describe("a payment is forced", () => {
  test.each([
    [
      "pending_forever",
      false,
      ["pre_authorized", "authorized", "charged_back", "authorized", "refund_pending", "authorized", "voided"],
    ],
    ["pending_forever", false, ["failed"]],
    ["pending_forever", false, ["authorized", "refund_pending", "voided"]],
    ["approve", false, ["voided"]],
    ["approve", true, ["voided"]],
  ] as const)("from %s (captured: %s) along %j", async (outcome, capture, path) => {
    const { rig, authorize, force } = account();
    const { call } = await authorize(outcome, {}, { capture });
    const states = { voided: ["voided", "refunded"], failed: ["declined"] } as Record<string, string[]>;
    for (const state of path) {
      const forced = await force(call.chargeId, state);
      expect(forced, state).toMatchObject({ ok: true });
      expect(states[state] ?? [state]).toContain((await found(rig, call)).state);
    }
  });

  test("not along a move it could not make", async () => {
    const { authorize, force } = account();
    const { call } = await authorize("approve");
    expect(await force(call.chargeId, "charged_back")).toEqual({ ok: false, reason: "invalid_state" });
    expect(await force(randomUUID(), "voided")).toEqual({ ok: false, reason: "not_found" });
  });

  test("a capture under way is true after the delay, and books once", async () => {
    const { rig, clientId, authorize, force, now } = account();
    const { call } = await authorize("approve", { options: { delaySeconds: 20 } });
    await force(call.chargeId, "capture_pending");
    expect((await found(rig, call)).state).toBe("pre_authorized");
    rig.clock.advance(20);
    expect((await found(rig, call)).state).toBe("authorized");
    expect((await dayTotals(clientId, "2026-11-24", now())).captured).toBe(100_00);
  });

  test("a challenge ends when the buyer continues, or by itself", async () => {
    const { rig, clientId, authorize, now } = account();
    const threeDS = { returnUrl: "https://shop.example" };
    const first = await authorize("3ds_challenge_ok", {}, { threeDS, capture: true });
    const pending = expectKind(first.result, "pending");
    expect(pending.nextAction).toMatchObject({ type: "redirect" });
    expect(await challengeOf(pending.providerTxId)).toMatchObject({ clientId, chargeId: first.call.chargeId });
    await continueChallenge(clientId, pending.providerTxId, now);
    expect(await found(rig, first.call)).toMatchObject({ state: "authorized", captured: 100_00 });
    const second = await authorize("3ds_challenge_failed", {}, { threeDS });
    rig.clock.advance(10);
    expect(await found(rig, second.call)).toMatchObject({
      state: "declined",
      decline: { declinedCode: "failed_authentication" },
    });
  });
});

describe("scenarios", () => {
  test("apply as often as they say, to the slot and provider they name", async () => {
    const { authorize } = account();
    const chargeId = randomUUID();
    const scenario = "outcome=115;times=2;slot=1;provider=2";
    const outcomes = [];
    for (const about of [
      {},
      { slotIndex: 1 },
      { slotIndex: 1, priority: 2 },
      { slotIndex: 1, priority: 2 },
      { slotIndex: 1, priority: 2 },
    ]) {
      outcomes.push((await authorize("approve", { chargeId, simulation: { scenario, ...about } })).result.kind);
    }
    expect(outcomes).toEqual(["approved", "approved", "declined", "declined", "approved"]);
  });

  test("of a later step wait for it; the creating header means the creation alone", async () => {
    const { rig, authorize, call } = account();
    const scenario = "step=capture;fault=http_status;status=500";
    const { call: created, result } = await authorize("approve", { simulation: { scenario } });
    const { providerTxId } = expectKind(result, "approved");
    const input = { providerTxId, amount: 100_00, authorized: 100_00 };
    const capture = call("capture", { chargeId: created.chargeId, simulation: { scenario } });
    expectKind(await rig.provider.capture(capture, input), "undetermined");
    expectKind(await rig.provider.capture(again(capture), input), "approved");

    const once = "fault=drop_response";
    const lost = await authorize("approve", { simulation: { scenario: once } });
    expectKind(lost.result, "undetermined");
    const seen = await found(rig, lost.call);
    const same = call("capture", { chargeId: lost.call.chargeId, simulation: { scenario: once } });
    expectKind(await rig.provider.capture(same, { ...input, providerTxId: seen.providerTxId }), "approved");
  });

  test("on a capture or void of its own apply to that very call", async () => {
    const { rig, authorize, call } = account();
    const { call: created, result } = await authorize("approve");
    const { providerTxId } = expectKind(result, "approved");
    const capture = call("capture", {
      chargeId: created.chargeId,
      simulation: { scenario: "outcome=capture_refused" },
    });
    const outcome = await rig.provider.capture(capture, { providerTxId, amount: 100_00, authorized: 100_00 });
    expect(expectKind(outcome, "declined").reason).toBe("capture_refused");
    expect((await found(rig, created)).state).toBe("pre_authorized");
  });

  test("delay the answer by their latency", async () => {
    const { rig, call } = account();
    const slow = impatient(call("authorize", { simulation: { scenario: "latency=1000" } }));
    expectKind(await rig.provider.authorize(slow, aPayment(rig)), "undetermined");
    expect((await found(rig, slow)).state).toBe("pre_authorized");
  });

  test("stored for a card are used oldest first, and only as often as they say", async () => {
    const { clientId, authorize } = account();
    const [cardId, merchantId] = [randomUUID(), randomUUID()];
    const about = { cardId, merchantId };
    const first = await storeScenario(clientId, { cardId }, "outcome=106;times=2", realNow());
    await storeScenario(clientId, { merchantId }, "outcome=115", addSeconds(realNow(), 1));
    expect(first.remaining).toBe(2);
    const codes = [];
    for (let payment = 0; payment < 4; payment++) {
      const scenario = await takeScenario(clientId, about);
      const { result } = await authorize("approve", scenario === undefined ? {} : { simulation: { scenario } });
      codes.push(result.kind === "declined" ? result.declinedCode : result.kind);
    }
    expect(codes).toEqual(["insufficient_funds", "insufficient_funds", "lost_card", "approved"]);
    expect(await takeScenario(randomUUID(), about)).toBeUndefined();
    const page = await listScenarios(clientId, { limit: 10, offset: 0, order: "asc" });
    expect(page.items.map(({ remaining }) => remaining)).toEqual([0, 0]);
    expect(await deleteScenario(randomUUID(), first.id)).toBe(false);
    expect(await deleteScenario(clientId, first.id)).toBe(true);
  });

  test("stored for what follows an authorisation go with its payment, as a header does", async () => {
    const { clientId } = account();
    const [cardId, merchantId] = [randomUUID(), randomUUID()];
    const stored = ["fault=duplicate_webhook", "step=capture;fault=http_status;status=500"];
    for (const [nth, scenario] of stored.entries())
      await storeScenario(clientId, { cardId }, scenario, addSeconds(realNow(), nth));
    const taken = [];
    for (const _ of stored) taken.push(await takeScenario(clientId, { cardId, merchantId }));
    expect(taken).toEqual(stored.map((scenario) => `${scenario};times=0`));
  });
});

describe("amount 991", () => {
  test("is refused to a client's capture and void, and to nobody else", async () => {
    const { rig, authorize, call } = account();
    const { call: created, result } = await authorize("approve", {}, { amount: 9_91 });
    const { providerTxId } = expectKind(result, "approved");
    const input = { providerTxId, amount: 9_91, authorized: 9_91 };
    const byClient = { chargeId: created.chargeId, simulation: { clientCall: true } };
    expectKind(await rig.provider.capture(call("capture", byClient), input), "declined");
    const voiding = { providerTxId, state: "pre_authorized" as const, amount: 9_91 };
    expectKind(await rig.provider.void(call("void", byClient), voiding), "declined");
    expect((await found(rig, created)).state).toBe("pre_authorized");
    expectKind(await rig.provider.capture(call("capture", { chargeId: created.chargeId }), input), "approved");
  });
});

describe("what is written down", () => {
  test("calls show no card number and no CVV, newest first, to their account only", async () => {
    const { clientId, authorize, rig } = account();
    const { call } = await authorize("approve");
    await found(rig, call);
    const { items, total } = await listCalls(clientId, call.chargeId, { limit: 10, offset: 0 });
    expect(items.map(({ operation }) => operation)).toEqual(["query", "authorize"]);
    expect(total).toBe(2);
    expect(items[1]).toMatchObject({ request: { card: { number: "411122******0002" } }, response: { status: 200 } });
    expect(JSON.stringify(items)).not.toContain(rig.card("approve").pan);
    expect((await listCalls(randomUUID(), call.chargeId, { limit: 10, offset: 0 })).items).toEqual([]);
  });

  test("a repeated key is answered with the same bytes", async () => {
    const { rig, clientId, sale } = account();
    const { call } = await sale();
    const payment = aPayment(rig, { capture: true });
    const [first, second] = [
      await rig.provider.authorize(again(call), payment),
      await rig.provider.authorize(again(call), payment),
    ];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    const rows =
      await systemSql()`select 1 from sandbox_calls where client_id = ${clientId} and operation = 'authorize'`;
    expect(rows).toHaveLength(1);
  });

  test("day totals and the statement follow the reference run: 100.00 in two, 25.00 given back", async () => {
    const { rig, clientId, sale, call, now } = account();
    const { providerTxId } = await sale("approve", { installments: 2 });
    expect(await dayTotals(clientId, "2026-11-24", now())).toMatchObject({
      captured: 100_00,
      providerCost: 2_49,
      settled: 0,
    });
    // Thirty days on is Christmas Eve, a bank day.
    rig.clock.advance(30 * DAY);
    expect((await statementOn(clientId, "2026-12-24", now())).map(({ amount }) => amount)).toEqual([48_76]);
    rig.clock.advance(DAY);
    const input = { providerTxId, amount: 25_00, captured: 100_00, alreadyRefunded: 0 };
    expectKind(await rig.provider.refund(call("refund"), input), "approved");
    expect(await dayTotals(clientId, "2026-12-25", now())).toMatchObject({ captured: 0, refunded: 25_00 });
    rig.clock.advance(40 * DAY);
    expect(
      (await statementOn(clientId, "2027-01-25", now())).map(({ amount, instalment }) => [amount, instalment]),
    ).toEqual([[23_75, 2]]);
  });

  test("concurrent refunds never take more than the sale", async () => {
    const { rig, sale, call } = account();
    const payment = await sale();
    const input = { providerTxId: payment.providerTxId, amount: 30_00, captured: 100_00, alreadyRefunded: 0 };
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => rig.provider.refund(call("refund"), input)));
    expect(outcomes.filter(({ kind }) => kind === "approved")).toHaveLength(3);
    expect((await found(rig, payment.call)).refunded).toBe(90_00);
  });

  test("captures and voids at once: one of them wins, the other hears the truth", async () => {
    const { rig, authorize, call } = account();
    for (let round = 0; round < 5; round++) {
      const { call: created, result } = await authorize("approve");
      const { providerTxId } = expectKind(result, "approved");
      const chargeId = created.chargeId;
      const [captured, voided] = await Promise.all([
        rig.provider.capture(call("capture", { chargeId }), { providerTxId, amount: 100_00, authorized: 100_00 }),
        rig.provider.void(call("void", { chargeId }), { providerTxId, state: "pre_authorized", amount: 100_00 }),
      ]);
      const seen = await found(rig, created);
      expect(["voided", "refunded"]).toContain(seen.state);
      expect(seen.captured > 0).toBe(captured.kind === "approved");
      expectKind(voided, "approved");
    }
  });
});

describe("notifications", () => {
  test("are due with what they tell of, once, signed so that the adapter believes them", async () => {
    const { rig, clientId, authorize, now } = account();
    const { call } = await authorize("pending_then_approved");
    expect(await takeNotifications(clientId, now())).toEqual([]);
    rig.clock.advance(5);
    const [due, ...others] = await takeNotifications(clientId, now());
    expect(others).toEqual([]);
    expect(due).toMatchObject({ providerId: PROVIDER_ID, reference: call.ref.providerReference, copies: 1 });
    expect(await takeNotifications(clientId, now())).toEqual([]);
    if (!due) throw new Error("nothing was due");
    const { headers, body } = signedNotification(due, rig.credentials, realNow());
    const parsed = rig.provider.parseWebhook(new Headers(headers), Buffer.from(body), [rig.credentials], realNow());
    expect(parsed).toMatchObject({ kind: "authentic", events: [{ eventId: due.id }] });
    const wrong = signedNotification({ ...due, fault: "bad_signature" }, rig.credentials, realNow());
    expect(
      rig.provider.parseWebhook(new Headers(wrong.headers), Buffer.from(wrong.body), [rig.credentials], realNow()).kind,
    ).toBe("forged");
    const old = signedNotification({ ...due, fault: "clock_skew" }, rig.credentials, realNow());
    expect(
      rig.provider.parseWebhook(new Headers(old.headers), Buffer.from(old.body), [rig.credentials], realNow()).kind,
    ).toBe("stale");
  });

  test("are sent twice or in reverse where the scenario says so", async () => {
    const { rig, clientId, authorize, now } = account();
    await authorize("pending_then_approved", { simulation: { scenario: "fault=duplicate_webhook" } });
    rig.clock.advance(5);
    expect((await takeNotifications(clientId, now())).map(({ copies }) => copies)).toEqual([2]);
    const swapped = await authorize(
      "chargeback_then_reversed",
      { simulation: { scenario: "fault=reorder_webhook" } },
      { capture: true },
    );
    expectKind(swapped.result, "approved");
    rig.clock.advance(DAY);
    expect(await takeNotifications(clientId, now())).toEqual([]);
    rig.clock.advance(10 * DAY);
    const types = (await takeNotifications(clientId, now())).map(({ type }) => type);
    expect(types).toEqual(["chargeback.reversed", "chargeback.opened"]);
  });
});
