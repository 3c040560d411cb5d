import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { actsOn } from "@/lib/charges/overview";
import { getCharge } from "@/lib/charges/queries";
import {
  resolveCharge,
  reviewPlan,
  truthsOfCharge,
  verdictsProposed,
  withdrawVerdict,
} from "@/lib/charges/review/service";
import type { ProviderTruth } from "@/lib/charges/review/statement";
import { type Context, inTransaction } from "@/lib/context";
import { reconcileNow } from "@/lib/purchases/due";
import { openClient } from "@/lib/testing/api";
import { payByCard, payByPix, readCharge, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { advance } from "@/lib/testing/purchases";

const sql = systemSql();
const TX = "tx-read-by-a-person";
type Step = "capture" | "void";

const silence = (id: string) => sql`
  update charges set scenario = 'fault=drop_request;step=query;times=0' where id = ${id}`;

/** Of an authorisation that is never answered, or of the step after it whose call was lost. */
async function reviewed({
  amount = 6_700,
  capture = true,
  step,
}: {
  amount?: number;
  capture?: boolean;
  step?: Step;
} = {}) {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const outcome = step ? "approve" : "pending_forever";
  const { id } = (await payByCard(shop, { amount, capture, outcome })).body;
  if (step) {
    const headers = { "x-sandbox-scenario": `fault=drop_request;step=${step};times=0` };
    await silence(id);
    await client.call("POST", `/v1/charges/${id}/${step}`, { body: {}, headers });
    await silence(id);
  }
  await advance(client, "P1D");
  const ctx = await person(shop.client, "owner");
  return { shop, id, ctx };
}

const chargeOf = (ctx: Context, id: string) => inTransaction(ctx, (inside) => getCharge(inside, id));

async function say(ctx: Context, id: string, truth: ProviderTruth, plan?: string) {
  const asked = { truth, providerTransactionId: TX, reason: "seen in the provider's own pages" };
  return resolveCharge(ctx, id, { ...asked, plan: plan ?? reviewPlan(await chargeOf(ctx, id)) }, reconcileNow);
}

const journalsOf = async (id: string) =>
  (await sql`select event_type from journals where charge_id = ${id} order by created_at, id`).map(
    ({ event_type: type }) => String(type),
  );

describe("a payment by one card whose outcome nobody knows is decided by a person", () => {
  test.each([
    { truth: "captured", capture: true, status: "authorized", refunded: 0, journals: ["capture"] },
    { truth: "absent", capture: true, status: "failed", refunded: 0, journals: [] },
    { truth: "refunded", capture: true, status: "voided", refunded: 6_700, journals: ["capture", "refund"] },
    { truth: "held", capture: false, status: "pre_authorized", refunded: 0, journals: ["hold"] },
    { truth: "absent", capture: false, status: "failed", refunded: 0, journals: [] },
  ] as const)("$truth, of an authorization: $status", async ({ truth, capture, status, refunded, journals }) => {
    const { shop, id, ctx } = await reviewed({ capture });
    const before = await chargeOf(ctx, id);
    expect([before.row.reviewReason, truthsOfCharge(before).includes(truth)]).toEqual(["reconciliation_failed", true]);
    expect(await say(ctx, id, truth)).toBe("done");
    const { row } = await chargeOf(ctx, id);
    expect(row).toMatchObject({ status, refundedAmount: refunded, reviewReason: null, operation: null });
    const kinds = (await journalsOf(id)).filter((kind) => ["hold", "capture", "refund"].includes(kind));
    expect(kinds).toEqual(expect.arrayContaining([...journals]));
    expect(kinds.includes("capture")).toBe(row.capturedAmount > 0);
    expect((await readCharge(shop.client, id)).transactionRequests).toContainEqual(
      expect.objectContaining({ requestStatusReason: "resolved_by_operator" }),
    );
    expect((await actsOn(ctx, id)).at(-1)).toMatchObject({
      action: "charge.resolve",
      amount: 6_700,
      reason: "seen in the provider's own pages",
    });
    await expect(say(ctx, id, truth)).rejects.toMatchObject({ businessCode: "invalid_status_transition" });
  });

  test.each([
    { step: "capture", capture: false, truth: "captured", status: "authorized" },
    { step: "capture", capture: false, truth: "held", status: "pre_authorized" },
    { step: "void", capture: false, truth: "absent", status: "voided" },
    { step: "void", capture: false, truth: "held", status: "pre_authorized" },
    { step: "void", capture: true, truth: "refunded", status: "voided" },
    { step: "void", capture: true, truth: "captured", status: "authorized" },
  ] as const)("$truth, of a $step (captured: $capture): $status", async ({ step, capture, truth, status }) => {
    const { id, ctx } = await reviewed({ capture, step });
    const before = await chargeOf(ctx, id);
    expect(before.row.reviewReason).not.toBeNull();
    expect(truthsOfCharge(before)).toContain(truth);
    expect(await say(ctx, id, truth)).toBe("done");
    const { row } = await chargeOf(ctx, id);
    expect(row).toMatchObject({ status, reviewReason: null, operation: null });
  });

  test.each([{ capture: true }, { capture: false }])(
    "of another amount than was asked for: nothing is left there, and what is found after all is released ($capture)",
    async ({ capture }) => {
      const shop = await withMerchant(await openClient());
      const { id } = (await payByCard(shop, { amount: 6_700, capture, outcome: "amount_mismatch_minus_1" })).body;
      const ctx = await person(shop.client, "owner");
      const before = await chargeOf(ctx, id);
      expect([before.row.reviewReason, truthsOfCharge(before)]).toEqual(["amount_mismatch", ["absent"]]);
      await expect(say(ctx, id, "captured")).rejects.toMatchObject({ businessCode: "invalid_status_transition" });
      expect(await say(ctx, id, "absent")).toBe("done");
      expect((await chargeOf(ctx, id)).row).toMatchObject({ status: "failed", reviewReason: null, operation: null });
      const held = async () =>
        (await sql`select state from sandbox_transactions where charge_id = ${id}`).map(({ state }) => String(state));
      expect(await held()).not.toEqual(["voided"]);
      await advance(shop.client, "P1D");
      expect(await held()).toEqual(["voided"]);
      expect(await journalsOf(id)).toEqual([]);
    },
  );

  test("of a release that the provider refused for good: it was released there by hand", async () => {
    const shop = await withMerchant(await openClient());
    const { id } = (await payByCard(shop, { amount: 6_700, capture: false })).body;
    await sql`update charges set scenario = 'fault=http_status;status=422;step=void;times=0' where id = ${id}`;
    await advance(shop.client, "P7D");
    const ctx = await person(shop.client, "owner");
    const before = await chargeOf(ctx, id);
    expect([before.row.reviewReason, truthsOfCharge(before)]).toEqual(["reconciliation_failed", ["absent"]]);
    expect(await say(ctx, id, "absent")).toBe("done");
    expect((await chargeOf(ctx, id)).row).toMatchObject({ status: "voided", reviewReason: null, operation: null });
  });

  test("of a Pix code that nobody knows to exist: the payment fails", async () => {
    const shop = await withMerchant(await openClient());
    const headers = { "x-sandbox-scenario": "fault=drop_response" };
    const { id } = (await payByPix(shop, { amount: 6_700, headers })).body;
    await silence(id);
    await advance(shop.client, "P1D");
    const ctx = await person(shop.client, "owner");
    const before = await chargeOf(ctx, id);
    expect([before.row.reviewReason, truthsOfCharge(before)]).toEqual(["reconciliation_failed", ["absent"]]);
    expect(await say(ctx, id, "absent")).toBe("done");
    expect((await chargeOf(ctx, id)).row).toMatchObject({ status: "failed", reviewReason: null, operation: null });
  });

  test("of a Pix code that may still be open at its end: it was closed there", async () => {
    const shop = await withMerchant(await openClient());
    const { id } = (await payByPix(shop, { amount: 6_700 })).body;
    await silence(id);
    await advance(shop.client, "P1D");
    const ctx = await person(shop.client, "owner");
    const before = await chargeOf(ctx, id);
    expect([before.row.reviewReason, truthsOfCharge(before)]).toEqual(["reconciliation_failed", ["absent"]]);
    expect(await say(ctx, id, "absent")).toBe("done");
    expect((await chargeOf(ctx, id)).row).toMatchObject({ status: "canceled", reviewReason: null, operation: null });
  });

  test.each([
    { truth: "refunded", status: "voided", refunded: 6_700 },
    { truth: "captured", status: "authorized", refunded: 0 },
  ] as const)("of a Pix refund: $truth", async ({ truth, status, refunded }) => {
    const shop = await withMerchant(await openClient());
    const { id } = (await payByPix(shop, { amount: 6_700 })).body;
    await shop.client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} });
    const headers = { "x-sandbox-scenario": "fault=drop_request;step=refund;times=0" };
    await silence(id);
    await shop.client.call("POST", `/v1/charges/${id}/void`, { body: {}, headers });
    await silence(id);
    await advance(shop.client, "P1D");
    const ctx = await person(shop.client, "owner");
    expect(truthsOfCharge(await chargeOf(ctx, id))).toEqual(["refunded", "captured"]);
    expect(await say(ctx, id, truth)).toBe("done");
    const { row } = await chargeOf(ctx, id);
    expect(row).toMatchObject({ status, refundedAmount: refunded, reviewReason: null, operation: null });
  });

  test.each([
    { truth: "refunded", state: "approved" },
    { truth: "captured", state: "declined" },
  ] as const)(
    "$truth, of a second Pix payment on its way back: the payment itself stands",
    async ({ truth, state }) => {
      const shop = await withMerchant(await openClient());
      const { id } = (await payByPix(shop, { amount: 6_700 })).body;
      await sql`update charges set scenario = 'fault=drop_request;step=refund;times=0' where id = ${id}`;
      await shop.client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: { times: 2 } });
      await silence(id);
      await advance(shop.client, "P1D");
      const ctx = await person(shop.client, "owner");
      const before = await journalsOf(id);
      expect((await chargeOf(ctx, id)).row.reviewReason).toBe("reconciliation_failed");
      expect(await say(ctx, id, truth)).toBe("done");
      const { row, attempts } = await chargeOf(ctx, id);
      const paid = { status: "authorized", capturedAmount: 6_700, refundedAmount: 0 };
      expect(row).toMatchObject({ ...paid, reviewReason: null, operation: null });
      expect(attempts.find(({ kind }) => kind === "refund")?.state).toBe(state);
      // What was kept apart leaves the books with what went back, and only then.
      expect((await journalsOf(id)).length - before.length).toBe(truth === "refunded" ? 1 : 0);
    },
  );

  test("not where the provider knows by now: its word stands, and nobody's is written", async () => {
    const { id, ctx } = await reviewed();
    const plan = reviewPlan(await chargeOf(ctx, id));
    await sql`
      update sandbox_transactions set state = 'captured', authorized = amount, captured = amount, resolves_at = null,
             resolves_to = null where charge_id = ${id}`;
    expect(await say(ctx, id, "absent", plan)).toBe("answered");
    expect((await chargeOf(ctx, id)).row).toMatchObject({ status: "authorized", reviewReason: null });
    expect((await actsOn(ctx, id)).map(({ action }) => action)).not.toContain("charge.resolve");
  });

  test("what was proposed is taken back by whoever proposed it, and nobody agrees to it then", async () => {
    const { shop, id, ctx } = await reviewed({ amount: 1_000_01 });
    const other = await person(shop.client, "owner");
    const waiting = async () => [
      (await verdictsProposed(other, await chargeOf(other, id))).length,
      (await sql`select 1 from notices where client_id = ${ctx.account.id} and kind = 'review_waiting'`).length,
    ];
    expect([await say(ctx, id, "captured"), await waiting()]).toEqual(["proposed", [1, 1]]);
    expect([await withdrawVerdict(other, id), await waiting()]).toEqual([false, [1, 1]]);
    expect([await withdrawVerdict(ctx, id), await waiting()]).toEqual([true, [0, 0]]);
    expect(await withdrawVerdict(ctx, id)).toBe(false);
    expect([await say(other, id, "captured"), await say(ctx, id, "captured")]).toEqual(["proposed", "done"]);
  });

  test("above the limit by two, and of two who agree at once one does it", async () => {
    const { shop, id, ctx } = await reviewed({ amount: 1_000_01 });
    const others = [await person(shop.client, "owner"), await person(shop.client, "owner")];
    const plan = reviewPlan(await chargeOf(ctx, id));
    expect([await say(ctx, id, "captured"), await say(ctx, id, "captured")]).toEqual(["proposed", "proposed"]);
    expect(await say(others[0] ?? ctx, id, "absent")).toBe("proposed");
    const settled = await Promise.allSettled(others.map((by) => say(by, id, "captured", plan)));
    expect(settled.filter((each) => each.status === "fulfilled" && each.value === "done")).toHaveLength(1);
    expect((await chargeOf(ctx, id)).row).toMatchObject({ status: "authorized", capturedAmount: 1_000_01 });
    expect((await journalsOf(id)).filter((kind) => kind === "capture")).toHaveLength(1);
    const done = (await actsOn(ctx, id)).filter(({ action }) => action === "charge.resolve");
    expect(done).toHaveLength(1);
    expect(done[0]?.secondActor).not.toBeNull();
  });

  test("not without the provider's own id for what is said to be there", async () => {
    const { id, ctx } = await reviewed();
    const plan = reviewPlan(await chargeOf(ctx, id));
    const asked = { truth: "captured" as const, plan, reason: "seen" };
    await expect(resolveCharge(ctx, id, asked, reconcileNow)).rejects.toThrow(/id is needed/);
  });
});
