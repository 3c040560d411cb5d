import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { type ChargeReply, openShop, type Shop, withAnalyst } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { recoverCharges } from "@/lib/scheduler/recover";
import { plannedDatabaseUrl } from "@/lib/testing/database";

/** The last digit of the identity decides; of 2 the id of the charge decides how it fails. */
const identity = (digit: number) => ({ fraudAnalysis: { customer: { identity: `5299822472${digit}` } } });
const [PENDING, APPROVED, FAILED, REPROVED] = [0, 1, 2, 3] as const;
const APPROVE = sandboxPan("approve");

const pay = (shop: Shop, digit: number, changes: Record<string, unknown> = {}) =>
  shop.pay(APPROVE, { ...identity(digit), ...changes });
const resolve = (shop: Shop, id: string, status: string) =>
  shop.call<ChargeReply>("PATCH", `/v1/charges/${id}/antifraud`, { body: { status } });
const analysisOf = ({ transactionRequests }: ChargeReply) => {
  const rows = transactionRequests.filter(({ requestType }) => requestType === "anti_fraud");
  expect(rows).toHaveLength(1);
  return rows[0];
};
const callsOf = async (id: string) => {
  const rows = await systemSql()<{ operation: string }[]>`
    select operation from sandbox_calls where charge_id = ${id} and operation <> 'query' order by id`;
  return rows.map(({ operation }) => operation);
};

describe("an analysis after the hold", () => {
  test("approved: captured in the same call", async () => {
    const shop = await openShop(withAnalyst());
    const { body } = await pay(shop, APPROVED);
    expect(body.status).toBe("authorized");
    expect(analysisOf(body)).toMatchObject({
      requestStatus: "success",
      fraudAnalysis: { status: "approved", score: 10 },
    });
    expect(body.transactionRequests.map(({ requestType }) => requestType)).toEqual([
      "capture",
      "anti_fraud",
      "pre_authorization",
    ]);
    expect((await pay(shop, APPROVED, { capture: false })).body.status).toBe("pre_authorized");
    expect((await shop.pay(APPROVE)).body.status).toBe("authorized");
  });

  test("reproved: voided, with the refusal in the creating call", async () => {
    const shop = await openShop(withAnalyst());
    const { status, body } = await pay(shop, REPROVED);
    expect([status, body.status]).toEqual([201, "voided"]);
    expect(body.error).toMatchObject({ type: "card_declined", code: 402, declinedCode: "fraud_suspect" });
    expect(analysisOf(body)).toMatchObject({
      requestStatus: "failed",
      fraudAnalysis: { status: "reproved" },
      providerError: { declinedCode: "fraud_suspect", retryable: false },
    });
    expect(await callsOf(body.id)).toEqual(["authorize", "void"]);
    expect(await shop.charge(body.id)).not.toHaveProperty("error");
  });

  test("pending: held until somebody decides, and no capture meanwhile", async () => {
    const shop = await openShop(withAnalyst());
    const { id, status } = (await pay(shop, PENDING)).body;
    expect(status).toBe("pre_authorized");
    const capture = await shop.call("POST", `/v1/charges/${id}/capture`, { body: {} });
    expect([capture.status, capture.error?.businessCode, capture.error?.type]).toEqual([
      422,
      "antifraud_pending",
      "bad_request",
    ]);
    await shop.advance("P1D");
    expect((await shop.charge(id)).status).toBe("pre_authorized");
    const approved = await resolve(shop, id, "approved");
    expect([approved.status, approved.body.status]).toEqual([200, "authorized"]);
    expect(analysisOf(approved.body)).toMatchObject({ fraudAnalysis: { status: "approved" } });
    expect((await resolve(shop, id, "approved")).error?.businessCode).toBe("invalid_status_transition");
  });

  test.each([
    ["approved", false, "pre_authorized"],
    ["reproved", true, "voided"],
    ["reproved", false, "voided"],
    ["failed", true, "pre_authorized"],
  ])("pending, then %s (capture %s): %s", async (verdict, capture, end) => {
    const shop = await openShop(withAnalyst());
    const { id } = (await pay(shop, PENDING, { capture })).body;
    const { body } = await resolve(shop, id, verdict);
    expect(body.status).toBe(end);
    if (end === "pre_authorized") {
      const captured = await shop.make<ChargeReply>("POST", `/v1/charges/${id}/capture`, { body: {} });
      expect(captured.status).toBe("authorized");
    }
  });

  test("a hold voided by the client while the analysis is pending stays voided", async () => {
    const shop = await openShop(withAnalyst());
    const { id } = (await shop.pay(sandboxPan("antifraud_review_approve"))).body;
    expect((await shop.make<ChargeReply>("POST", `/v1/charges/${id}/void`, { body: {} })).status).toBe("voided");
    await shop.advance("P1D");
    const charge = await shop.charge(id);
    expect([charge.status, analysisOf(charge)?.fraudAnalysis?.status]).toEqual(["voided", "approved"]);
    expect(await callsOf(id)).toEqual(["authorize", "void"]);
  });

  test.each([
    ["captureOnApproved false keeps the hold", { captureOnApproved: false }, APPROVED, "pre_authorized"],
    ["refundOnReproved false keeps the hold", { refundOnReproved: false }, REPROVED, "pre_authorized"],
    ["a failure keeps the hold", {}, FAILED, "pre_authorized"],
    ["captureOnError captures", { captureOnError: true }, FAILED, "authorized"],
    ["refundOnError voids", { refundOnError: true }, FAILED, "voided"],
    ["both give the money back", { captureOnError: true, refundOnError: true }, FAILED, "voided"],
  ])("%s", async (_, options, digit, end) => {
    const shop = await openShop(withAnalyst(options));
    const { body } = await pay(shop, digit);
    expect(body.status).toBe(end);
    if (digit === FAILED) {
      expect(["timeout", "internal_error"]).toContain(analysisOf(body)?.requestStatus);
      expect(analysisOf(body)?.fraudAnalysis).toEqual({ status: "failed" });
    }
  });

  test("the buyer's document 11111111111 is denied by the analyst, not by the issuer", async () => {
    const shop = await openShop(withAnalyst());
    const customer = { name: "Ana", email: "ana@example.com", phoneNumber: "+5511999990000" };
    const { id: customerId } = await shop.make("POST", "/v1/customers", {
      body: { ...customer, document: { type: "CPF", number: "11111111111" } },
    });
    const { body } = await shop.pay("4111111111111111", { customerId });
    expect(body.status).toBe("voided");
    expect(analysisOf(body)).toMatchObject({ fraudAnalysis: { status: "reproved", score: 95 } });
  });

  test("a declined card is not analysed, and an unknown one when it is found", async () => {
    const shop = await openShop(withAnalyst());
    const declined = (await shop.pay(sandboxPan("decline:generic"), identity(REPROVED))).body;
    expect(declined.transactionRequests.map(({ requestType }) => requestType)).toEqual(["pre_authorization"]);
    const { id } = (await shop.pay(sandboxPan("timeout_authorised_at_provider"), identity(REPROVED))).body;
    await shop.advance("PT30S");
    const found = await shop.charge(id);
    expect([found.status, analysisOf(found)?.fraudAnalysis?.status]).toEqual(["voided", "reproved"]);
  });

  test("a process that died before the analyst was asked: the sweep asks, and captures once", async () => {
    const shop = await openShop(withAnalyst());
    const { id } = (await pay(shop, PENDING)).body;
    // As it was right after the hold had been written; only the owner of the tables may put it back.
    const owner = postgres(plannedDatabaseUrl(), { max: 1 });
    await owner.begin(async (sql) => {
      await sql`delete from transaction_requests where charge_id = ${id} and request_type = 'anti_fraud'`;
      await sql`alter table charges disable trigger charges_legal_transition`;
      await sql`
        update charges set status = 'pending', operation = 'authorize', operation_by = 'system',
               fraud_analysis = ${sql.json(identity(APPROVED).fraudAnalysis)}, lease_until = now() - interval '1 second'
         where id = ${id}`;
      await sql`alter table charges enable trigger charges_legal_transition`;
    });
    await owner.end();
    await recoverCharges();
    const charge = await shop.charge(id);
    expect([charge.status, analysisOf(charge)?.fraudAnalysis?.status]).toEqual(["authorized", "approved"]);
    expect(await callsOf(id)).toEqual(["authorize", "capture"]);
  });
});

describe("an asynchronous analysis", () => {
  test.each([
    [APPROVED, "authorized"],
    [REPROVED, "voided"],
    [FAILED, "pre_authorized"],
  ])("of digit %d: held, and after the delay %s", async (digit, end) => {
    const shop = await openShop(withAnalyst({ productType: "ASYNC" }));
    const { body } = await pay(shop, digit);
    expect([body.status, analysisOf(body)?.fraudAnalysis]).toEqual(["pre_authorized", { status: "pending" }]);
    const capture = await shop.call("POST", `/v1/charges/${body.id}/capture`, { body: {} });
    expect(capture.error?.businessCode).toBe("antifraud_pending");
    await shop.advance("PT6S");
    expect((await shop.charge(body.id)).status).toBe(end);
  });

  test("may be resolved by hand before its time", async () => {
    const shop = await openShop(withAnalyst({ productType: "ASYNC" }));
    const { id } = (await pay(shop, APPROVED)).body;
    expect((await resolve(shop, id, "reproved")).body.status).toBe("voided");
    await shop.advance("PT1M");
    expect((await shop.charge(id)).status).toBe("voided");
  });
});

describe("an analysis before the charge", () => {
  const openEarlyShop = () => openShop(withAnalyst({ runBeforeCharge: true }));

  test("approved: charged afterwards", async () => {
    const shop = await openEarlyShop();
    const { body } = await pay(shop, APPROVED);
    expect(body.status).toBe("authorized");
    expect(body.transactionRequests.map(({ requestType }) => requestType)).toEqual([
      "capture",
      "pre_authorization",
      "anti_fraud",
    ]);
  });

  test("reproved: failed, and no acquirer heard of it", async () => {
    const shop = await openEarlyShop();
    const { body } = await pay(shop, REPROVED);
    expect(body.status).toBe("failed");
    expect(body.error).toMatchObject({ type: "card_declined", declinedCode: "fraud_suspect" });
    expect(body.transactionRequests.map(({ requestType }) => requestType)).toEqual(["anti_fraud"]);
    expect(await callsOf(body.id)).toEqual([]);
  });

  test("pending: nothing is sent until somebody decides", async () => {
    const shop = await openEarlyShop();
    const [one, two] = [(await pay(shop, PENDING)).body, (await pay(shop, PENDING)).body];
    expect([one.status, await callsOf(one.id)]).toEqual(["pending", []]);
    await shop.advance("P1D");
    expect((await shop.charge(one.id)).status).toBe("pending");
    expect((await resolve(shop, one.id, "approved")).body.status).toBe("authorized");
    expect(await callsOf(one.id)).toEqual(["authorize", "capture"]);
    expect((await resolve(shop, two.id, "reproved")).body.status).toBe("failed");
    expect(await callsOf(two.id)).toEqual([]);
  });

  test("410 and 411 are decided after the delay", async () => {
    const shop = await openEarlyShop();
    const approve = (await shop.pay(sandboxPan("antifraud_review_approve"))).body;
    const deny = (await shop.pay(sandboxPan("antifraud_review_deny"))).body;
    expect([approve.status, deny.status]).toEqual(["pending", "pending"]);
    await shop.advance("PT10S");
    expect((await shop.charge(approve.id)).status).toBe("authorized");
    expect((await shop.charge(deny.id)).status).toBe("failed");
    expect(await callsOf(deny.id)).toEqual([]);
  });

  test("a failure charges only where the merchant asked for that", async () => {
    const shop = await openEarlyShop();
    expect((await pay(shop, FAILED)).body.status).toBe("failed");
    const bold = await openShop(withAnalyst({ runBeforeCharge: true, captureOnError: true }));
    expect((await pay(bold, FAILED)).body.status).toBe("authorized");
  });
});

describe("PATCH /v1/charges/{id}/antifraud", () => {
  test("400 without a pending analysis or with another word, 404 for another account's charge", async () => {
    const [shop, other] = await Promise.all([openShop(withAnalyst()), openShop()]);
    const { id } = (await pay(shop, PENDING)).body;
    expect((await resolve(shop, id, "maybe")).error?.type).toBe("bad_request");
    expect((await resolve(other, id, "approved")).status).toBe(404);
    const plain = (await other.pay(APPROVE)).body;
    expect((await resolve(other, plain.id, "approved")).error?.businessCode).toBe("invalid_status_transition");
  });

  test("two at once decide once", async () => {
    const shop = await openShop(withAnalyst());
    const { id } = (await pay(shop, PENDING)).body;
    const replies = await Promise.all([resolve(shop, id, "approved"), resolve(shop, id, "reproved")]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});
