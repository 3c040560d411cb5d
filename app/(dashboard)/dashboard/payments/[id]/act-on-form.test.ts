import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { actOnForm, type Outcome } from "@/app/(dashboard)/dashboard/payments/[id]/act-on-form";
import { isSameOrigin } from "@/app/request-origin";
import { systemDb, systemSql } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { memberships, OPERATOR_ROLES, operators } from "@/db/schema/operators";
import { actionsFor, isPaymentAction, PAYMENT_ACTIONS, planOf, rightFor } from "@/lib/charges/operator-actions";
import { actOnPayment, ownRefunds } from "@/lib/charges/operator-service";
import { actsOn, ledgerOf, paymentOverview } from "@/lib/charges/overview";
import { proposalsOf, refuseProposals, withdrawProposal } from "@/lib/charges/proposals";
import { getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { paymentPlan } from "@/lib/dry-runs/operator";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { attentionOf } from "@/lib/insights/attention";
import { proposedAmong } from "@/lib/insights/proposed";
import { listWaiting } from "@/lib/insights/waiting";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { openClient, type TestClient } from "@/lib/testing/api";
import { payByBoleto, payByCard, payByPix, readCharge, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { realNow } from "@/lib/time";

const ABOVE_NOTHING = { simulate: async () => undefined, look: async () => undefined, giveBack: async () => undefined };

let shop: Shop;
let stranger: TestClient;

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  stranger = await openClient();
});

async function personOn(client: TestClient, operatorId = newId()): Promise<Context> {
  return { ...(await client.context()), principal: { kind: "operator", operatorId } };
}

async function formFor(client: TestClient, id: string, action: string, more: Record<string, string> = {}) {
  const charge = await inTransaction(await client.context(), (inside) => getCharge(inside, id));
  const form = new FormData();
  const why = action === "refund" || action === "hand_back" ? { reason: "the buyer asked" } : {};
  const plan = isPaymentAction(action) ? planOf(action, charge) : "";
  const fields = { id, action, plan, key: newId(), ...why, ...more };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

async function act(
  id: string,
  action: string,
  more: Record<string, string> = {},
  role: OperatorRole = "owner",
): Promise<Outcome> {
  return actOnForm({ ctx: await personOn(shop.client), role }, await formFor(shop.client, id, action, more));
}

const paid = async (amount = 12_990) => (await payByCard(shop, { amount, capture: true })).body.id;
/** Its money came after it was canceled. */
async function paidLate(amount = 7_700): Promise<string> {
  const { id } = (await payByBoleto(shop, { amount })).body;
  await act(id, "cancel");
  await shop.client.make("POST", `/v1/sandbox/boletos/${id}/pay`, { body: {} });
  return id;
}
const held = async () => (await payByCard(shop, { amount: 25_000 })).body.id;

async function joined(client: TestClient, operatorId: string): Promise<void> {
  const at = realNow();
  const email = `${operatorId}@example.com`;
  await systemDb()
    .insert(operators)
    .values({ id: operatorId, email, name: "Ana", passwordHash: "-", createdAt: at, updatedAt: at });
  await systemDb().insert(memberships).values({ operatorId, clientId: client.clientId, role: "owner", createdAt: at });
}

describe("rights, asked by the form itself", () => {
  const MADE = {
    capture: held,
    release: held,
    cancel: payPix,
    refund: paid,
    recheck: paid,
    hand_back: paidLate,
    simulate: payPix,
  };
  async function payPix() {
    return (await payByPix(shop)).body.id;
  }

  test.each(PAYMENT_ACTIONS)(
    "%s is done for the roles of the table and does not exist for the others",
    async (action) => {
      const id = await MADE[action]();
      const before = await readCharge(shop.client, id);
      for (const role of OPERATOR_ROLES.filter((each) => !may(each, rightFor(action)))) {
        expect(await act(id, action, {}, role), role).toEqual({ kind: "not_found" });
      }
      expect(await readCharge(shop.client, id)).toEqual(before);
      const allowed = OPERATOR_ROLES.filter((each) => may(each, rightFor(action)));
      for (const role of allowed)
        expect(await act(await MADE[action](), action, {}, role), role).toMatchObject({ kind: "done" });
      expect(allowed.length).toBeGreaterThan(0);
    },
  );

  test("a viewer is shown no action, and no bookkeeping is shown to support", async () => {
    const id = await paid();
    const ctx = await personOn(shop.client);
    const payment = await paymentOverview(ctx, "viewer", id);
    expect(actionsFor("viewer", ctx.account, payment)).toEqual([]);
    expect(await ledgerOf(ctx, "support", id)).toBeUndefined();
    expect(await ledgerOf(ctx, "viewer", id)).not.toEqual([]);
  });

  test("another account's payment does not exist, to see or to change", async () => {
    const id = await paid();
    const ctx = await personOn(stranger);
    await expect(paymentOverview(ctx, "owner", id)).rejects.toMatchObject({ status: 404 });
    const form = await formFor(shop.client, id, "refund");
    expect(await actOnForm({ ctx, role: "owner" }, form)).toEqual({ kind: "not_found" });
    expect((await readCharge(shop.client, id)).status).toBe("authorized");
  });

  test("a form of another site or of none is not ours", () => {
    const from = (origin?: string) => isSameOrigin(new Headers({ host: "trilho.test", ...(origin ? { origin } : {}) }));
    expect([from("http://trilho.test"), from("https://evil.example"), from("null"), from()]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a refund", () => {
  test("of a part leaves the exact rest, which can be given back to the last cent", async () => {
    const id = await paid(10_001);
    expect(await act(id, "refund", { amount: "40,00" })).toMatchObject({ kind: "done" });
    expect(await readCharge(shop.client, id)).toMatchObject({
      status: "authorized",
      refundedAmount: 4_000,
      amount: 6_001,
    });
    expect(await act(id, "refund", { amount: "60,02" })).toMatchObject({ kind: "too_much", most: 6_001 });
    expect(await act(id, "refund", { amount: "60,01" })).toMatchObject({ kind: "done" });
    expect(await readCharge(shop.client, id)).toMatchObject({ status: "voided", refundedAmount: 10_001 });
  });

  test("sent twice with one key is made once", async () => {
    const id = await paid();
    const ctx = await personOn(shop.client);
    const form = await formFor(shop.client, id, "refund", { amount: "10,00" });
    expect(await actOnForm({ ctx, role: "owner" }, form)).toMatchObject({ kind: "done" });
    expect(await actOnForm({ ctx, role: "owner" }, form)).toMatchObject({ kind: "done" });
    expect((await readCharge(shop.client, id)).refundedAmount).toBe(1_000);
  });

  test("does the plan that was shown, and refuses another one", async () => {
    const id = await paid();
    const ctx = await personOn(shop.client);
    const shown = await paymentPlan(ctx, "owner", id, "refund", 1_000);
    expect([shown?.plan.errors, await paymentPlan(ctx, "viewer", id, "refund")]).toEqual([[], undefined]);
    const planHash = shown?.planHash ?? "";
    expect(await act(id, "refund", { amount: "10,01", planHash })).toMatchObject({
      kind: "plan_changed",
      amount: 1_001,
    });
    expect((await readCharge(shop.client, id)).refundedAmount).toBe(0);
    expect(await act(id, "refund", { amount: "10,00", planHash })).toMatchObject({ kind: "done" });
    expect((await readCharge(shop.client, id)).refundedAmount).toBe(1_000);
  });

  test("is refused when the payment is no longer what the confirmation showed", async () => {
    const id = await paid();
    const form = await formFor(shop.client, id, "refund");
    await voidIt(shop.client, id, { amount: 1_000 });
    expect(await actOnForm({ ctx: await personOn(shop.client), role: "owner" }, form)).toMatchObject({
      kind: "changed",
    });
    expect((await readCharge(shop.client, id)).refundedAmount).toBe(1_000);
  });

  test("is kept in the audit log and on the time line with who asked for it", async () => {
    const id = await paid();
    const operatorId = newId();
    const ctx = await personOn(shop.client, operatorId);
    await actOnForm({ ctx, role: "owner" }, await formFor(shop.client, id, "refund", { amount: "5" }));
    const rows = await systemDb()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.objectId, id), eq(auditLog.actor, `operator:${operatorId}`)));
    expect(rows).toMatchObject([{ action: "charge.void", after: { amount: 500 }, reason: "the buyer asked" }]);
    expect(await actsOn(ctx, id)).toMatchObject([
      { actor: `operator:${operatorId}`, amount: 500, reason: "the buyer asked" },
    ]);
  });

  test("of all of it on the same day is a refund in the log, by whatever operation the provider does it", async () => {
    const id = await paid();
    expect(await act(id, "refund")).toMatchObject({ kind: "done" });
    const rows = await systemDb()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.objectId, id), eq(auditLog.action, "charge.void")));
    expect(rows).toMatchObject([{ after: { amount: 12_990, kind: "refund" } }]);
  });

  test("above the limit of one person is made when a second one confirms exactly the same", async () => {
    const many = await withMerchant(await openClient());
    const people = [newId(), newId()];
    for (const id of people) await joined(many.client, id);
    const id = (await payByCard(many, { amount: 1_500_000, capture: true })).body.id;
    const refund = async (person: string | undefined, amount: string, reason = "the buyer asked") =>
      actOnForm(
        { ctx: await personOn(many.client, person), role: "owner" },
        await formFor(many.client, id, "refund", { amount, reason }),
      );
    expect(await refund(people[0], "10.000,01", "")).toMatchObject({ kind: "no_reason" });
    expect(await refund(people[0], "10.000,01")).toMatchObject({ kind: "proposed", amount: 1_000_001 });
    expect(await refund(people[0], "10.000,01")).toMatchObject({ kind: "proposed" });
    expect(await refund(people[1], "12.000,00")).toMatchObject({ kind: "proposed" });
    expect((await readCharge(many.client, id)).refundedAmount).toBe(0);
    expect(await attentionOf(await many.client.context(), "owner")).toMatchObject([
      { kind: "second_person", count: 1 },
    ]);
    // Whoever approves need not say why again: the first reason stands.
    expect(await refund(people[1], "10.000,01", "")).toMatchObject({ kind: "done" });
    expect((await readCharge(many.client, id)).refundedAmount).toBe(1_000_001);
    const acts = await actsOn(await many.client.context(), id);
    expect(acts.find(({ action }) => action === "charge.void")).toMatchObject({
      actor: `operator:${people[1]}`,
      secondActor: `operator:${people[0]}`,
      amount: 1_000_001,
      reason: "the buyer asked",
    });
    // The other request asked for more than is left.
    expect(acts.at(-1)).toMatchObject({ action: "charge.refund.lapse", amount: 1_200_000 });
    expect(await refund(people[0], "100,00")).toMatchObject({ kind: "proposed" });
  });

  test("that waits for a second person can be taken back by who asked, and then nobody approves it", async () => {
    const many = await withMerchant(await openClient());
    const [asker = "", other = ""] = [newId(), newId()];
    for (const id of [asker, other]) await joined(many.client, id);
    const id = (await payByCard(many, { amount: 1_500_000, capture: true })).body.id;
    const refund = async (person: string) =>
      actOnForm(
        { ctx: await personOn(many.client, person), role: "owner" },
        await formFor(many.client, id, "refund", { amount: "15.000,00" }),
      );
    expect(await refund(asker)).toMatchObject({ kind: "proposed" });
    expect(await withdrawProposal(await personOn(many.client, other), { chargeId: id, action: "refund" })).toBe(false);
    expect(await withdrawProposal(await personOn(many.client, asker), { chargeId: id, action: "refund" })).toBe(true);
    expect(await attentionOf(await many.client.context(), "owner")).toEqual([]);
    expect(await proposalsOf(await personOn(many.client, other), id)).toEqual([]);
    // The other one is the first now, and has not refunded anything.
    expect(await refund(other)).toMatchObject({ kind: "proposed" });
    expect((await readCharge(many.client, id)).refundedAmount).toBe(0);
    expect(await refund(asker)).toMatchObject({ kind: "done" });
  });

  test("without a reason is not made", async () => {
    const id = await paid();
    expect(await act(id, "refund", { reason: "  " })).toMatchObject({ kind: "no_reason" });
    expect((await readCharge(shop.client, id)).refundedAmount).toBe(0);
  });

  test("by support above their own limit, of one or of the day, is asked for and made by somebody without one", async () => {
    const id = await paid(300_000);
    const support = { ctx: await personOn(shop.client), role: "support" } as const;
    const colleague = { ctx: await personOn(shop.client), role: "support" } as const;
    const owner = { ctx: await personOn(shop.client), role: "owner" } as const;
    const refund = async (who: typeof support | typeof owner, amount: string) =>
      actOnForm(who, await formFor(shop.client, id, "refund", { amount }));
    const refunded = async () => (await readCharge(shop.client, id)).refundedAmount;

    expect(await ownRefunds(support.ctx, "support")).toEqual({ each: 50_000, daily: 200_000, left: 50_000 });
    expect(await refund(support, "500,01")).toMatchObject({ kind: "proposed", amount: 50_001 });
    expect(await refund(colleague, "500,01")).toMatchObject({ kind: "own_limit", left: 50_000 });
    expect(await refunded()).toBe(0);
    expect(await refund(owner, "500,01")).toMatchObject({ kind: "done" });
    expect(await refunded()).toBe(50_001);

    for (let done = 0; done < 4; done++) expect(await refund(support, "500,00")).toMatchObject({ kind: "done" });
    expect(await ownRefunds(support.ctx, "support")).toMatchObject({ left: 0 });
    expect(await refund(support, "0,01")).toMatchObject({ kind: "proposed", amount: 1 });
    expect(await refunded()).toBe(250_001);
    expect(await ownRefunds(owner.ctx, "owner")).toBeNull();
  });

  test("by support ends at the limit of the day also when many are asked for in the same moment", async () => {
    const operatorId = newId();
    const ids = await Promise.all(Array.from({ length: 6 }, () => paid(50_000)));
    const forms = await Promise.all(ids.map((id) => formFor(shop.client, id, "refund", { amount: "500,00" })));
    const outcomes = await Promise.all(
      forms.map(async (form) => actOnForm({ ctx: await personOn(shop.client, operatorId), role: "support" }, form)),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([...Array(4).fill("done"), "proposed", "proposed"]);
  });

  test("by support that was refused leaves the limit of the day as it was", async () => {
    const support = { ctx: await personOn(shop.client), role: "support" } as const;
    const failing = await paid(50_000);
    const form = await formFor(shop.client, failing, "refund", { amount: "500,00" });
    const shut = {
      ...ABOVE_NOTHING,
      giveBack: () => Promise.reject(new DomainError("charge_operation_in_progress", "somebody is at it")),
    };
    const asked = { key: newId(), plan: String(form.get("plan")), amount: 50_000, reason: "the buyer asked" };
    for (let tried = 0; tried < 5; tried++)
      expect(await actOnPayment(support.ctx, "support", failing, "refund", { ...asked, key: newId() }, shut)).toEqual({
        kind: "busy",
      });
    expect(await actOnForm(support, form)).toMatchObject({ kind: "done" });
  });

  test.each(["abc", "-1", "0", "1.2.3", ""])('of "%s" is not understood, and nothing happens', async (amount) => {
    const id = await paid();
    expect(await act(id, "refund", { amount })).toMatchObject({ kind: "amount_unreadable" });
    expect((await readCharge(shop.client, id)).refundedAmount).toBe(0);
  });
});

describe("money that came after a boleto was canceled", () => {
  const keptApart = async (id: string) => {
    const rows = await systemSql()<{ left: number }[]>`
      select coalesce(-sum(p.amount), 0)::int as left from journals j join postings p on p.journal_id = j.id
        join ledger_accounts a on a.id = p.account_id where j.charge_id = ${id} and a.kind = 'suspense'`;
    return rows[0]?.left;
  };

  test("waits for people until one says how it was given back, and leaves the books once", async () => {
    const id = await paidLate();
    const ctx = await personOn(shop.client);
    const waiting = async () => (await listWaiting(ctx, "owner")).items.filter((item) => item.id === id);
    expect([await keptApart(id), await waiting()]).toMatchObject([7_700, [{ kind: "kept_apart", amount: 7_700 }]]);
    expect(await act(id, "hand_back", { reason: " " })).toMatchObject({ kind: "no_reason" });
    const [first, second] = [await formFor(shop.client, id, "hand_back"), await formFor(shop.client, id, "hand_back")];
    const sent = await Promise.all([first, second].map((form) => actOnForm({ ctx, role: "owner" }, form)));
    expect(sent.filter(({ kind }) => kind === "done")).toHaveLength(1);
    expect([await keptApart(id), await waiting()]).toEqual([0, []]);
    expect(await act(id, "hand_back")).toMatchObject({ kind: "changed" });
    expect((await readCharge(shop.client, id)).status).toBe("canceled");
    expect((await actsOn(ctx, id)).at(-1)).toMatchObject({
      action: "charge.hand_back",
      amount: 7_700,
      reason: "the buyer asked",
    });
  });

  test("above the limit of one person leaves the books when a second one approves it", async () => {
    const many = await withMerchant(await openClient());
    const [asker = "", other = ""] = [newId(), newId()];
    for (const id of [asker, other]) await joined(many.client, id);
    const by = async (person: string, id: string, action: string, reason = "transfer 4711") =>
      actOnForm(
        { ctx: await personOn(many.client, person), role: "owner" },
        await formFor(many.client, id, action, { reason }),
      );
    const late = async (amount: number) => {
      const { id } = (await payByBoleto(many, { amount })).body;
      await by(asker, id, "cancel");
      await many.client.make("POST", `/v1/sandbox/boletos/${id}/pay`, { body: {} });
      return id;
    };
    const small = await late(100_000);
    expect(await by(asker, small, "hand_back")).toMatchObject({ kind: "done" });
    const id = await late(100_001);
    expect(await by(asker, id, "hand_back", "")).toMatchObject({ kind: "no_reason" });
    expect(await by(asker, id, "hand_back")).toMatchObject({ kind: "proposed", amount: 100_001 });
    expect([...(await proposedAmong(await many.client.context(), [small, id]))]).toEqual([id]);
    expect(await by(asker, id, "hand_back")).toMatchObject({ kind: "proposed" });
    expect(await withdrawProposal(await personOn(many.client, asker), { chargeId: id, action: "refund" })).toBe(false);
    expect(await withdrawProposal(await personOn(many.client, asker), { chargeId: id, action: "hand_back" })).toBe(
      true,
    );
    expect(await proposalsOf(await personOn(many.client, other), id)).toEqual([]);
    expect([...(await proposedAmong(await many.client.context(), [small, id]))]).toEqual([]);
    expect(await by(other, id, "hand_back")).toMatchObject({ kind: "proposed" });
    expect(await refuseProposals(await personOn(many.client, other), { chargeId: id, action: "hand_back" })).toBe(
      false,
    );
    expect(await refuseProposals(await personOn(many.client, asker), { chargeId: id, action: "hand_back" })).toBe(true);
    expect(await proposalsOf(await personOn(many.client, asker), id)).toEqual([]);
    expect(await by(other, id, "hand_back")).toMatchObject({ kind: "proposed" });
    expect(await keptApart(id)).toBe(100_001);
    expect(await by(asker, id, "hand_back", "")).toMatchObject({ kind: "done" });
    expect(await keptApart(id)).toBe(0);
    expect((await actsOn(await many.client.context(), id)).at(-1)).toMatchObject({
      action: "charge.hand_back",
      actor: `operator:${asker}`,
      secondActor: `operator:${other}`,
      reason: "transfer 4711",
    });
  });

  test("of two payments, a form ends the one that it showed", async () => {
    const id = await paidLate(500);
    const ctx = await personOn(shop.client);
    const form = await formFor(shop.client, id, "hand_back");
    form.set("plan", "another");
    expect(await actOnForm({ ctx, role: "owner" }, form)).toMatchObject({ kind: "changed" });
    expect(await keptApart(id)).toBe(500);
  });
});

describe("other actions", () => {
  test("a part of a hold is captured and the rest let go", async () => {
    const id = await held();
    await act(id, "capture", { amount: "100,00" });
    expect(await readCharge(shop.client, id)).toMatchObject({ status: "authorized", capturedAmount: 10_000 });
  });

  test("a simulated payment pays a Pix and a boleto", async () => {
    for (const id of [(await payByPix(shop)).body.id, (await payByBoleto(shop)).body.id]) {
      await act(id, "simulate");
      expect((await readCharge(shop.client, id)).status).toBe("authorized");
    }
  });

  test("what the state does not allow is refused", async () => {
    expect(await act(await paid(), "capture")).toMatchObject({ kind: "changed" });
    expect(await act((await payByBoleto(shop)).body.id, "refund")).toMatchObject({ kind: "changed" });
  });

  test.each([
    ["no payment", { id: "nothing" }],
    ["no action", { action: "delete" }],
    ["no key", { key: "" }],
  ])("a form that names %s is answered as an unknown page", async (_what, change) => {
    const form = await formFor(shop.client, await paid(), "refund");
    for (const [name, value] of Object.entries(change)) form.set(name, value);
    expect(await actOnForm({ ctx: await personOn(shop.client), role: "owner" }, form)).toEqual({ kind: "not_found" });
  });
});
