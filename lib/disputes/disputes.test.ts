import { beforeAll, describe, expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import type { Context } from "@/lib/context";
import { addNote, markDispute, notesOf } from "@/lib/disputes/notes";
import { disputeRate, findDispute, listDisputes } from "@/lib/disputes/queries";
import { RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { attentionOf } from "@/lib/insights/attention";
import { reconcileNow } from "@/lib/purchases/due";
import { createOperator } from "@/lib/sign-in/service";
import { openClient } from "@/lib/testing/api";
import { type ChargeReply, payByCard, payByPix, type Shop, withMerchant } from "@/lib/testing/payments";
import { advance, bought } from "@/lib/testing/purchases";

const dispute = async (shop: Shop, amount: number, part?: number): Promise<string> => {
  const { id } = (await payByCard(shop, { amount, capture: true })).body;
  await shop.client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: part ? { amount: part } : {} });
  return id;
};

async function asOperator(shop: Shop, name = "Bia Reis"): Promise<Context> {
  const { id: operatorId } = await createOperator(systemDb(), {
    email: `bia-${newId().slice(-8)}@equipe.example`,
    name,
    password: "correct horse battery staple",
    clientId: shop.client.clientId,
    role: "operations",
  });
  return { ...(await shop.client.context()), principal: { kind: "operator", operatorId } };
}

const unknown = expect.objectContaining({ status: 404 });

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

describe("disputes", () => {
  test("are listed newest first, by stage, with what is at stake and who bears it", async () => {
    const [whole, part] = [await dispute(shop, 8_000), await dispute(shop, 9_000, 2_500)];
    await shop.client.make("POST", `/v1/sandbox/charges/${whole}/chargeback/reverse`, { body: {} });
    const ctx = await shop.client.context();
    const { items, sums, next } = await listDisputes(ctx, "owner", {});
    expect(items).toMatchObject([
      {
        chargeId: part,
        paymentId: part,
        stage: "open",
        amount: 2_500,
        brand: "Visa",
        sellers: [],
        wonAt: null,
        notes: 0,
      },
      { chargeId: whole, stage: "won", amount: 8_000, wonAt: expect.any(Date) },
    ]);
    expect(next).toBeUndefined();
    expect(sums).toEqual([
      { stage: "open", count: 1, amount: 2_500 },
      { stage: "won", count: 1, amount: 8_000 },
      { stage: "returned", count: 0, amount: 0 },
    ]);
    expect((await listDisputes(ctx, "viewer", { stage: "won" })).items.map(({ chargeId }) => chargeId)).toEqual([
      whole,
    ]);
    expect(await disputeRate(ctx, "owner")).toEqual({ disputes: 2, paid: 2 });
  });

  test("name the sellers whom the split holds liable", async () => {
    const own = await withMerchant(await openClient());
    const id = await dispute(own, 5_000);
    const sellerId = newId();
    for (const [position, liable] of [true, false].entries())
      await systemSql()`insert into split_rules (id, client_id, charge_id, position, seller_id, percentage_bps,
          processing_fee, liable, charge_entire_fee, charge_remainder_fee, transaction_owner, created_at, updated_at)
        values (${newId()}, ${own.client.clientId}, ${id}, ${position}, ${liable ? sellerId : newId()}, 5000, true,
          ${liable}, false, false, false, now(), now())`;
    expect((await listDisputes(await own.client.context(), "owner", {})).items).toMatchObject([
      { sellers: [sellerId] },
    ]);
  });

  test("taken a second time after they were won are two", async () => {
    const own = await withMerchant(await openClient());
    const id = await dispute(own, 5_000);
    await own.client.make("POST", `/v1/sandbox/charges/${id}/chargeback/reverse`, { body: {} });
    await own.client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: { amount: 700 } });
    const { items } = await listDisputes(await own.client.context(), "owner", {});
    expect(items).toMatchObject([
      { stage: "open", amount: 700 },
      { stage: "won", amount: 5_000 },
    ]);
  });

  test("of a Pix are what its payer's bank took back, each part by itself, final, and told", async () => {
    const own = await withMerchant(await openClient());
    const { id } = (await payByPix(own, { amount: 5_000 })).body;
    const sandbox = (path: string, body: object) => own.client.make("POST", `/v1/sandbox/pix/${id}/${path}`, { body });
    await sandbox("pay", {});
    await sandbox("med", { amount: 2_000 });
    await sandbox("med", {});
    const ctx = await own.client.context();
    const { items, sums } = await listDisputes(ctx, "owner", {});
    expect(items).toMatchObject([
      { chargeId: id, stage: "returned", amount: 3_000, method: "pix", wonAt: null },
      { chargeId: id, stage: "returned", amount: 2_000 },
    ]);
    expect(sums.find(({ stage }) => stage === "returned")).toEqual({ stage: "returned", count: 2, amount: 5_000 });
    expect((await listDisputes(ctx, "owner", { stage: "open" })).items).toEqual([]);
    expect(await findDispute(ctx, "owner", items[0]?.id ?? "")).toMatchObject({ stage: "returned", amount: 3_000 });
    expect(await attentionOf(ctx, "owner")).toMatchObject([{ kind: "chargebacks_new", count: 2, amount: 5_000 }]);
    const told = await systemSql()`select kind, amount::int from notices where client_id = ${own.client.clientId}
      order by amount`;
    expect(told).toEqual([
      { kind: "chargeback", amount: 2_000 },
      { kind: "chargeback", amount: 3_000 },
    ]);
  });

  test("are not the refunds that somebody here asked for", async () => {
    const own = await withMerchant(await openClient());
    const { id } = (await payByPix(own, { amount: 5_000 })).body;
    await own.client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} });
    await own.client.make("POST", `/v1/charges/${id}/void`, { body: { amount: 1_000 } });
    expect((await listDisputes(await own.client.context(), "owner", {})).items).toEqual([]);
  });

  test("are nobody else's: neither another account's nor a developer's", async () => {
    const own = await withMerchant(await openClient());
    await dispute(own, 5_000);
    const mine = await own.client.context();
    const [one] = (await listDisputes(mine, "owner", {})).items;
    const other = await (await openClient()).context();
    expect((await listDisputes(other, "owner", {})).items).toEqual([]);
    await expect(findDispute(other, "owner", one?.id ?? "")).rejects.toThrow(RequestError);
    await expect(listDisputes(mine, "developer", {})).rejects.toEqual(unknown);
  });
});

describe("the reason of a dispute", () => {
  const disputeFor = ({ client }: Shop, id: string, reason?: string) =>
    client.make<ChargeReply>("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: reason ? { reason } : {} });
  const reasonsOf = async ({ client }: Shop) =>
    (await listDisputes(await client.context(), "owner", {})).items.map(({ reason }) => reason);

  test("is what the provider told when it opened, each time anew, and no member of the API", async () => {
    const own = await withMerchant(await openClient());
    // All disputes open at one instant of the account's clock.
    await own.client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT1S", freeze: true } });
    const { id } = (await payByCard(own, { capture: true })).body;
    const told = await disputeFor(own, id, "product_not_received");
    expect(told.transactionRequests[0]).toMatchObject({ requestType: "charge_back" });
    expect(JSON.stringify(told)).not.toContain("product_not_received");
    expect(await reasonsOf(own)).toEqual(["product_not_received"]);
    await own.client.make("POST", `/v1/sandbox/charges/${id}/chargeback/reverse`, { body: {} });
    await disputeFor(own, id);
    expect(await reasonsOf(own)).toEqual([null, "product_not_received"]);
    await own.client.make("POST", `/v1/sandbox/charges/${id}/chargeback/reverse`, { body: {} });
    await disputeFor(own, id, "duplicate");
    const ctx = await own.client.context();
    const before = await systemSql()`select * from transaction_requests where charge_id = ${id} order by id`;
    await reconcileNow(ctx, id);
    expect(await systemSql()`select * from transaction_requests where charge_id = ${id} order by id`).toEqual(before);
    const { items } = await listDisputes(ctx, "owner", {});
    expect(items.map(({ reason }) => reason)).toEqual(["duplicate", null, "product_not_received"]);
    expect(await findDispute(ctx, "owner", items[0]?.id ?? "")).toMatchObject({ reason: "duplicate" });
  });

  test("is kept of a card of a purchase as well", async () => {
    const own = await withMerchant(await openClient());
    const { payments } = await bought(own, { capture: true });
    await disputeFor(own, payments[1]?.chargeId ?? "", "unrecognized");
    expect(await reasonsOf(own)).toEqual(["unrecognized"]);
  });

  test("is fraud where the simulator's card says so", async () => {
    const own = await withMerchant(await openClient());
    await payByCard(own, { capture: true, outcome: "chargeback_full" });
    await advance(own.client, "P2D");
    expect(await reasonsOf(own)).toEqual(["fraud"]);
  });

  test("is shown without what could dress it up as something else, and not at length", async () => {
    const own = await withMerchant(await openClient());
    const { id } = (await payByCard(own, { capture: true })).body;
    await disputeFor(own, id, `  wrong\u202E\u0007 size\n${"x".repeat(240)}`);
    expect(await reasonsOf(own)).toEqual([`wrong size ${"x".repeat(189)}`]);
  });

  test("of nothing but blanks, or of a Pix that its payer's bank took back, is none", async () => {
    const own = await withMerchant(await openClient());
    const { id } = (await payByCard(own, { capture: true })).body;
    await disputeFor(own, id, " \u200F ");
    const pix = (await payByPix(own, { amount: 5_000 })).body;
    await own.client.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: {} });
    await own.client.make("POST", `/v1/sandbox/pix/${pix.id}/med`, { body: {} });
    expect(await reasonsOf(own)).toEqual([null, null]);
  });
});

describe("a note on a dispute", () => {
  test("is kept under its author's name, audited without its words, and never rewritten", async () => {
    const own = await withMerchant(await openClient());
    const chargeId = await dispute(own, 5_000);
    const ctx = await asOperator(own);
    const [{ id } = { id: "" }] = (await listDisputes(ctx, "owner", {})).items;
    await addNote(ctx, "support", id, "The parcel was signed for.");
    expect(await notesOf(ctx, id)).toMatchObject([{ author: "Bia Reis", text: "The parcel was signed for." }]);
    expect((await listDisputes(ctx, "owner", {})).items).toMatchObject([{ notes: 1 }]);
    const audited = await systemSql()`
      select object, object_id, after from audit_log where client_id = ${own.client.clientId} and action = 'dispute.note'`;
    expect(audited).toMatchObject([{ object: "charge", object_id: chargeId, after: { dispute: id } }]);
    expect(JSON.stringify(audited)).not.toContain("parcel");
    await expect(systemSql()`update dispute_notes set text = 'other' where dispute_id = ${id}`).rejects.toThrow();
    await expect(systemSql()`delete from dispute_notes where dispute_id = ${id}`).rejects.toThrow();
  });

  test("is not for those who only see, and not for another account", async () => {
    const own = await withMerchant(await openClient());
    await dispute(own, 5_000);
    const ctx = await asOperator(own);
    const [{ id } = { id: "" }] = (await listDisputes(ctx, "owner", {})).items;
    await expect(addNote(ctx, "viewer", id, "no")).rejects.toEqual(unknown);
    const stranger = await asOperator(await withMerchant(await openClient()));
    await expect(addNote(stranger, "owner", id, "no")).rejects.toEqual(unknown);
    expect(await notesOf(ctx, id)).toEqual([]);
  });
});

test("a new chargeback needs a person until somebody calls it handled; a note alone changes nothing", async () => {
  const own = await withMerchant(await openClient());
  const ctx = await asOperator(own);
  expect(await attentionOf(ctx, "owner")).toEqual([]);
  await dispute(own, 6_000);
  expect(await attentionOf(ctx, "owner")).toEqual([
    { kind: "chargebacks_new", count: 1, amount: 6_000, since: expect.any(Date) },
  ]);
  expect(await attentionOf(ctx, "developer")).toEqual([]);
  const [{ id } = { id: "" }] = (await listDisputes(ctx, "owner", {})).items;
  await addNote(ctx, "owner", id, "Seen.");
  expect(await attentionOf(ctx, "owner")).toMatchObject([{ kind: "chargebacks_new", count: 1 }]);
  await Promise.all(Array.from({ length: 12 }, () => markDispute(ctx, "owner", id, "handled")));
  await markDispute(ctx, "owner", id, "handled");
  expect(await attentionOf(ctx, "owner")).toEqual([]);
  expect(await findDispute(ctx, "owner", id)).toMatchObject({ isHandled: true, notes: 1 });
  await addNote(ctx, "owner", id, "One more thing.");
  expect(await attentionOf(ctx, "owner")).toEqual([]);
  await markDispute(ctx, "owner", id, "reopened");
  expect(await attentionOf(ctx, "owner")).toMatchObject([{ kind: "chargebacks_new", count: 1 }]);
  expect((await notesOf(ctx, id)).map(({ mark }) => mark)).toEqual([null, "handled", null, "reopened"]);
  await expect(markDispute(ctx, "viewer", id, "handled")).rejects.toEqual(unknown);
});

test("a chargeback that nobody handled needs a person however old it is, and its list holds just those", async () => {
  const own = await withMerchant(await openClient());
  const ctx = await asOperator(own);
  const old = await dispute(own, 6_000);
  const seen = await dispute(own, 5_000);
  await systemSql()`update transaction_requests set created_at = created_at - interval '90 days' where charge_id = ${old}`;
  const all = (await listDisputes(ctx, "owner", {})).items;
  await markDispute(ctx, "owner", all.find(({ chargeId }) => chargeId === seen)?.id ?? "", "handled");
  expect(await attentionOf(ctx, "owner")).toMatchObject([{ kind: "chargebacks_new", count: 1, amount: 6_000 }]);
  const { items, unhandled } = await listDisputes(ctx, "owner", { isUnhandled: true });
  expect([items.map(({ chargeId }) => chargeId), unhandled]).toEqual([[old], { count: 1, amount: 6_000 }]);
});
