import postgres from "postgres";
import { describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { providerFor } from "@/lib/providers/registry";
import { type ChargeReply, openShop, type Shop, withAnalyst } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { recoverCharges } from "@/lib/scheduler/recover";
import { plannedDatabaseUrl } from "@/lib/testing/database";
import { deletePans } from "@/lib/vault/cards";

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

  test("reproved and kept: what is found captured when the hold ends stays the merchant's", async () => {
    const shop = await openShop(withAnalyst({ refundOnReproved: false }));
    const { id, status } = (await pay(shop, REPROVED)).body;
    expect(status).toBe("pre_authorized");
    vi.spyOn(providerFor("SANDBOX"), "void").mockResolvedValueOnce({ kind: "undetermined", cause: "timeout" });
    await systemSql()`
      update sandbox_transactions set state = 'captured', captured = authorized, captured_at = created_at
       where charge_id = ${id}`;
    await shop.advance("P7D");
    vi.restoreAllMocks();
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 10_000, refundedAmount: 0 });
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
      await sql`delete from sandbox_analyses where charge_id = ${id}`;
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

/** What the simulated fraud provider has of a charge. */
const analysesOf = async (id: string) => {
  const rows = await systemSql()<{ status: string; fed: string[] }[]>`
    select status, fed from sandbox_analyses where charge_id = ${id}`;
  return [...rows];
};
const fedOf = async (id: string) => (await analysesOf(id)).flatMap(({ fed }) => fed);
const under = (shop: Shop, scenario: string, digit: number = APPROVED) =>
  shop.pay(APPROVE, identity(digit), { scenario });

describe("an analysis without an answer", () => {
  test.each([
    ["the answer is lost", "fault=drop_response;step=analysis"],
    ["the answer is cut", "fault=truncate;step=analysis"],
    ["the answer takes too long", "fault=delay;step=analysis"],
    ["the question never arrives", "fault=drop_request;step=analysis"],
    ["the provider refuses for the moment", "fault=http_status;status=429;step=analysis"],
  ])("%s: held, asked about after 5 s, and captured once", async (_, scenario) => {
    const shop = await openShop(withAnalyst());
    const { body } = await under(shop, scenario);
    expect([body.status, analysisOf(body)?.fraudAnalysis]).toEqual(["pre_authorized", { status: "pending" }]);
    expect(analysisOf(body)?.requestStatus).toBe("processing");
    expect(analysisOf(body)?.requestStatusReason).not.toBeNull();
    const capture = await shop.call("POST", `/v1/charges/${body.id}/capture`, { body: {} });
    expect(capture.error?.businessCode).toBe("antifraud_pending");
    await shop.advance("PT1S");
    expect((await shop.charge(body.id)).status).toBe("pre_authorized");
    await shop.advance("PT4S");
    const charge = await shop.charge(body.id);
    expect([charge.status, analysisOf(charge)?.fraudAnalysis?.status]).toEqual(["authorized", "approved"]);
    expect(analysisOf(charge)?.requestStatusReason).toBeNull();
    expect(await callsOf(body.id)).toEqual(["authorize", "capture"]);
    expect(await analysesOf(body.id)).toHaveLength(1);
  });

  const SILENT = "fault=drop_request;step=analysis;times=0";

  test.each([
    ["keeps the hold", {}, "pre_authorized"],
    ["captures where captureOnError asks for it", { captureOnError: true }, "authorized"],
    ["voids where refundOnError asks for it", { refundOnError: true }, "voided"],
  ])("a silent synchronous provider has failed after 2 min: %s", async (_, options, end) => {
    const shop = await openShop(withAnalyst(options));
    const { id } = (await under(shop, SILENT)).body;
    await shop.advance("PT1M40S");
    expect(analysisOf(await shop.charge(id))?.fraudAnalysis).toEqual({ status: "pending" });
    await shop.advance("PT20S");
    const charge = await shop.charge(id);
    expect([charge.status, analysisOf(charge)?.fraudAnalysis]).toEqual([end, { status: "failed" }]);
    expect([analysisOf(charge)?.requestStatus, analysisOf(charge)?.requestStatusReason]).toEqual([
      "timeout",
      "timeout",
    ]);
  });

  test("one that never arrived fails in time although its card was deleted", async () => {
    const shop = await openShop(withAnalyst({ refundOnError: true }));
    const { id } = (await under(shop, "fault=drop_request;step=analysis")).body;
    const [card] = await systemSql()<{ vault: string }[]>`
      select vault_id as vault from cards join charges on charges.card_id = cards.id where charges.id = ${id}`;
    await deletePans(shop.clientId, [card?.vault ?? ""]);
    await shop.advance("PT2M");
    const charge = await shop.charge(id);
    expect([charge.status, analysisOf(charge)?.fraudAnalysis]).toEqual(["voided", { status: "failed" }]);
  });

  test("a silent asynchronous provider has 48 h", async () => {
    const shop = await openShop(withAnalyst({ productType: "ASYNC", refundOnError: true }));
    const { id } = (await under(shop, SILENT)).body;
    await shop.advance("PT47H59M");
    expect((await shop.charge(id)).status).toBe("pre_authorized");
    await shop.advance("PT1M");
    expect((await shop.charge(id)).status).toBe("voided");
  });

  test("before the charge nothing is sent, and after 2 min nothing will be", async () => {
    const shop = await openShop(withAnalyst({ runBeforeCharge: true }));
    const { body } = await under(shop, SILENT);
    expect(body.status).toBe("pending");
    await shop.advance("PT2M");
    expect((await shop.charge(body.id)).status).toBe("failed");
    expect(await callsOf(body.id)).toEqual([]);
    const late = (await under(shop, "fault=drop_response;step=analysis")).body;
    await shop.advance("PT5S");
    expect((await shop.charge(late.id)).status).toBe("authorized");
  });

  test("a verdict that nobody gave for 48 h has failed, and the hold may be captured", async () => {
    const shop = await openShop(withAnalyst());
    const { id } = (await pay(shop, PENDING)).body;
    await shop.advance("P2D");
    const charge = await shop.charge(id);
    expect([charge.status, analysisOf(charge)?.fraudAnalysis]).toEqual(["pre_authorized", { status: "failed" }]);
    const captured = await shop.make<ChargeReply>("POST", `/v1/charges/${id}/capture`, { body: {} });
    expect(captured.status).toBe("authorized");
  });

  test("a verdict that comes after the failure moves nothing", async () => {
    const shop = await openShop(withAnalyst());
    const { id } = (await under(shop, "fault=drop_response;step=analysis;times=6", REPROVED)).body;
    await shop.advance("PT2M");
    expect(analysisOf(await shop.charge(id))?.fraudAnalysis).toEqual({ status: "failed" });
    expect(await analysesOf(id)).toMatchObject([{ status: "reproved" }]);
    expect((await resolve(shop, id, "reproved")).error?.businessCode).toBe("invalid_status_transition");
    await shop.advance("P1D");
    expect((await shop.charge(id)).status).toBe("pre_authorized");
  });

  test("a process that died after the verdict was given: the sweep asks for it, and captures once", async () => {
    const shop = await openShop(withAnalyst());
    const { id } = (await under(shop, "fault=drop_response;step=analysis")).body;
    // As it was while the provider was judging; only the owner of the tables may put it back.
    const owner = postgres(plannedDatabaseUrl(), { max: 1 });
    await owner.begin(async (sql) => {
      await sql`
        update transaction_requests set request_status = 'running', request_status_reason = null
         where charge_id = ${id} and request_type = 'anti_fraud'`;
      await sql`delete from due_jobs where ref_id = ${id}`;
      await sql`alter table charges disable trigger charges_legal_transition`;
      await sql`
        update charges set status = 'pending', operation = 'authorize', operation_by = 'system',
               lease_until = now() - interval '1 second' where id = ${id}`;
      await sql`alter table charges enable trigger charges_legal_transition`;
    });
    await owner.end();
    await recoverCharges();
    const charge = await shop.charge(id);
    expect([charge.status, analysisOf(charge)?.fraudAnalysis?.status]).toEqual(["authorized", "approved"]);
    expect(await callsOf(id)).toEqual(["authorize", "capture"]);
    expect(await analysesOf(id)).toHaveLength(1);
  });
});

describe("the end of a payment that was analysed", () => {
  test.each([
    [APPROVED, {}, ["authorized"]],
    [REPROVED, {}, ["voided"]],
    [REPROVED, { runBeforeCharge: true }, ["failed"]],
    [PENDING, {}, []],
  ])("of digit %d with %j is told: %j", async (digit, options, told) => {
    const shop = await openShop(withAnalyst(options));
    const { id } = (await pay(shop, digit)).body;
    await shop.advance("PT1S");
    expect(await fedOf(id)).toEqual(told);
    const rows = (await shop.charge(id)).transactionRequests.filter(
      ({ requestType }) => requestType === "anti_fraud_feeding",
    );
    expect(rows.map(({ requestStatus }) => requestStatus)).toEqual(told.map(() => "success"));
  });

  test("chargebacks included, and once each", async () => {
    const shop = await openShop(withAnalyst());
    const { id } = (await pay(shop, APPROVED)).body;
    await shop.advance("PT1S");
    await shop.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: {} });
    await shop.advance("PT1S");
    expect(await fedOf(id)).toEqual(["authorized", "charged_back"]);
    await shop.make("POST", `/v1/sandbox/charges/${id}/chargeback/reverse`, { body: {} });
    await shop.advance("P1D");
    expect(await fedOf(id)).toEqual(["authorized", "charged_back", "authorized"]);
  });

  test("of a payment that nobody analysed is told to nobody", async () => {
    const shop = await openShop(withAnalyst());
    const { id } = (await shop.pay(sandboxPan("decline:generic"))).body;
    await shop.advance("PT1S");
    expect(await analysesOf(id)).toEqual([]);
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
