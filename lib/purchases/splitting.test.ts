import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { planOf } from "@/lib/charges/operator-actions";
import { actOnPayment, type Done } from "@/lib/charges/operator-service";
import { actsOn } from "@/lib/charges/overview";
import { withdrawProposal } from "@/lib/charges/proposals";
import { getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { listWaiting } from "@/lib/insights/waiting";
import { noticesOf } from "@/lib/notices/queries";
import { actOnPurchase, purchasePlan } from "@/lib/purchases/operator-service";
import { getPurchase } from "@/lib/purchases/queries";
import { voidAnyCharge } from "@/lib/purchases/refund-part";
import { openClient } from "@/lib/testing/api";
import { payByCard, readCharge, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { bought, tokenPayment, work } from "@/lib/testing/purchases";

const ABOVE = { simulate: async () => undefined, look: async () => undefined, giveBack: voidAnyCharge };

interface Team {
  shop: Shop;
  people: Context[];
}

async function teamOf(count: number): Promise<Team> {
  const shop = await withMerchant(await openClient());
  const people: Context[] = [];
  for (let each = 0; each < count; each++) {
    people.push(await person(shop.client, "owner"));
  }
  return { shop, people };
}

const planNow = (ctx: Context, id: string): Promise<string> =>
  inTransaction(ctx, async (inside) => planOf("refund", await getCharge(inside, id)));

async function refund(by: Context | undefined, id: string, amount: number, plan?: string): Promise<Done> {
  if (!by) throw new Error("nobody");
  const asked = { key: newId(), plan: plan ?? (await planNow(by, id)), amount, reason: "the buyer asked" };
  return actOnPayment(by, "owner", id, "refund", asked, ABOVE);
}

const paid = async ({ shop }: Team, amount: number): Promise<string> =>
  (await payByCard(shop, { amount, capture: true })).body.id;

describe("what people give back of one payment counts together", () => {
  test("above the limit a second person is asked, however it is split and whoever gave the parts", async () => {
    const team = await teamOf(3);
    const [ana, bia, caio] = team.people;
    const id = await paid(team, 12_500_02);
    expect(await refund(ana, id, 6_000_00)).toEqual({ kind: "done" });
    expect(await refund(ana, id, 4_000_01)).toEqual({ kind: "proposed", amount: 4_000_01 });
    expect(await refund(bia, id, 4_000_02)).toEqual({ kind: "proposed", amount: 4_000_02 });
    expect((await readCharge(team.shop.client, id)).refundedAmount).toBe(6_000_00);
    expect(await refund(caio, id, 4_000_01)).toEqual({ kind: "done" });
    expect((await readCharge(team.shop.client, id)).refundedAmount).toBe(10_000_01);
    expect(await refund(ana, id, 1)).toMatchObject({ kind: "proposed" });
  });

  test("what waits counts too, until it is taken back", async () => {
    const team = await teamOf(2);
    const [ana] = team.people;
    const id = await paid(team, 12_500_02);
    expect(await refund(ana, id, 12_500_02)).toMatchObject({ kind: "proposed" });
    expect(await refund(ana, id, 10_00)).toMatchObject({ kind: "proposed" });
    expect((await readCharge(team.shop.client, id)).refundedAmount).toBe(0);
    if (ana) await withdrawProposal(ana, { chargeId: id, action: "refund", amount: 12_500_02 });
    if (ana) await withdrawProposal(ana, { chargeId: id, action: "refund", amount: 10_00 });
    expect(await refund(ana, id, 10_00)).toEqual({ kind: "done" });
  });

  test("what the shop's own system gave back, and what a provider refused, does not", async () => {
    const team = await teamOf(2);
    const [ana] = team.people;
    const id = await paid(team, 25_000_00);
    await voidIt(team.shop.client, id, { amount: 9_000_00 });
    expect(await refund(ana, id, 9_000_00)).toEqual({ kind: "done" });
    await systemSql()`
      update charges set refunded_amount = refunded_amount - 900000, amount = amount + 900000 where id = ${id}`;
    expect(await refund(ana, id, 1_000_00)).toEqual({ kind: "done" });
  });

  test("of two halves asked for in the same moment one is made", async () => {
    const team = await teamOf(2);
    const id = await paid(team, 12_000_00);
    const plan = await planNow(await team.shop.client.context(), id);
    const outcomes = await Promise.all(team.people.map((by) => refund(by, id, 6_000_00, plan)));
    expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(1);
    expect((await readCharge(team.shop.client, id)).refundedAmount).toBe(6_000_00);
  });

  test("of one request two approvals and its withdrawal in the same moment do one thing", async () => {
    const team = await teamOf(3);
    const [ana, bia, caio] = team.people;
    const id = await paid(team, 30_000_00);
    await refund(ana, id, 11_000_00);
    const plan = await planNow(await team.shop.client.context(), id);
    const [one, other, taken] = await Promise.all([
      refund(bia, id, 11_000_00, plan),
      refund(caio, id, 11_000_00, plan),
      ana && withdrawProposal(ana, { chargeId: id, action: "refund" }),
    ]);
    const made = [one, other].filter(({ kind }) => kind === "done").length;
    // Taken back before either: the first of them asks for it anew, and the other may agree to that.
    expect(taken ? [0, 1] : [1]).toContain(made);
    expect((await readCharge(team.shop.client, id)).refundedAmount).toBe(made * 11_000_00);
  });
});

describe("a request", () => {
  const endsOf = async (id: string) =>
    (
      await systemSql()`select action, actor, after->>'by' as by from audit_log
       where object_id = ${id} and action like 'charge.refund.%' and action <> 'charge.refund.propose' order by at`
    ).map(({ action }) => action);
  const noticesFor = async (ctx: Context | undefined) =>
    ctx ? (await noticesOf(ctx, "owner")).map(({ kind }) => kind) : [];
  const waitingIn = async (ctx: Context) => (await listWaiting(ctx, "owner")).items.map(({ kind }) => kind);

  test("stays while there is enough left, and ends for all to see when there is not", async () => {
    const team = await teamOf(2);
    const [ana, bia] = team.people;
    const ctx = await team.shop.client.context();
    const id = await paid(team, 12_500_02);
    expect(await refund(ana, id, 12_400_00)).toMatchObject({ kind: "proposed" });
    await voidIt(team.shop.client, id, { amount: 10_00 });
    expect([await waitingIn(ctx), await noticesFor(bia)]).toEqual([["proposed"], ["refund_waiting"]]);
    await voidIt(team.shop.client, id, { amount: 90_03 });
    expect([await waitingIn(ctx), await noticesFor(bia), await endsOf(id)]).toEqual([[], [], ["charge.refund.lapse"]]);
    expect(await noticesFor(ana)).toEqual(["refund_lapsed"]);
    expect((await actsOn(ctx, id)).map(({ action }) => action)).toContain("charge.refund.lapse");
    await voidIt(team.shop.client, id, { amount: 1_00 });
    expect(await endsOf(id)).toHaveLength(1);
  });

  test("ends with a chargeback", async () => {
    const team = await teamOf(2);
    const id = await paid(team, 12_500_02);
    await refund(team.people[0], id, 12_400_00);
    await team.shop.client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: {} });
    expect([await endsOf(id), (await noticesFor(team.people[0])).sort()]).toEqual([
      ["charge.refund.lapse"],
      ["chargeback", "refund_lapsed"],
    ]);
  });

  test("that was approved waits no longer, and whoever asked hears of it", async () => {
    const team = await teamOf(2);
    const [ana, bia] = team.people;
    const id = await paid(team, 30_000_00);
    await refund(ana, id, 11_000_00);
    expect(await refund(bia, id, 11_000_00)).toEqual({ kind: "done" });
    expect(await waitingIn(await team.shop.client.context())).toEqual([]);
    expect([await endsOf(id), await noticesFor(ana), await noticesFor(bia)]).toEqual([
      ["charge.refund.approve"],
      ["refund_approved"],
      [],
    ]);
  });
});

describe("the cards of a purchase are one payment", () => {
  const half = 6_000_00;
  const made = async ({ shop }: Team) => {
    const purchase = await bought(shop, {
      capture: true,
      changes: {
        amount: 2 * half,
        payments: [await tokenPayment(shop.client, "approve", half), await tokenPayment(shop.client, "approve", half)],
      },
    });
    return { id: purchase.id, cards: purchase.payments.map(({ chargeId }) => chargeId ?? "") };
  };

  test("given back one after the other, and all at once", async () => {
    const team = await teamOf(2);
    const [ana, bia] = team.people;
    const { id, cards } = await made(team);
    const whole = async () => {
      if (!ana) throw new Error("nobody");
      const plan = purchasePlan(await inTransaction(ana, (inside) => getPurchase(inside, id)));
      return actOnPurchase(ana, "owner", id, "refund", { key: newId(), plan, reason: "the buyer asked" });
    };
    expect(await whole()).toEqual({ kind: "two_people" });
    expect(await refund(ana, cards[0] ?? "", half)).toEqual({ kind: "done" });
    await work(team.shop.client);
    expect(await whole()).toEqual({ kind: "two_people" });
    expect(await refund(ana, cards[1] ?? "", half)).toMatchObject({ kind: "proposed" });
    expect(await refund(bia, cards[1] ?? "", half)).toEqual({ kind: "done" });
  });
});
