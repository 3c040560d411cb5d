import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { stillHere } from "@/lib/charges/extra-payments";
import { handBack } from "@/lib/charges/hand-back";
import { getCharge } from "@/lib/charges/queries";
import { inTransaction } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import { attentionOf } from "@/lib/insights/attention";
import { listWaiting } from "@/lib/insights/waiting";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { realNow } from "@/lib/time";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

const KINDS: readonly string[] = ["not_returned", "kept_apart"];

/** What the home page and the list say of one payment alone: both say the same. */
async function waiting(id: string): Promise<(string | number)[][]> {
  const ctx = await shop.context();
  const { items } = await listWaiting(ctx, "owner");
  const counted = (await attentionOf(ctx, "owner")).filter(({ kind }) => KINDS.includes(kind));
  expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(items.length);
  return items.filter((item) => item.id === id).map(({ kind, amount }) => [kind, amount]);
}

const pay = (id: string, kind: "boletos" | "pix", body = {}) =>
  shop.make("POST", `/v1/sandbox/${kind}/${id}/pay`, { body });
const cancel = (id: string) => shop.make("POST", `/v1/charges/${id}/void`, { body: {} });

/** One more payment of its code, which the provider tells nobody of. */
const paidAgain = (id: string) => systemSql()`
  insert into sandbox_movements
  select (jsonb_populate_record(m, jsonb_build_object('id', ${newId()}::uuid, 'reference', m.reference || '-again'))).*
    from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
   where t.charge_id = ${id} and m.kind = 'payment' limit 1`;

async function look(id: string): Promise<void> {
  await inTransaction(await shop.context(), (inside) => schedule(inside, "charge.watch", id, realNow()));
  await shop.advance("PT1M");
}

async function paidBackByPeople(id: string): Promise<void> {
  const ctx = await shop.context();
  const kept = stillHere(await inTransaction(ctx, (inside) => getCharge(inside, id)));
  await handBack(ctx, id, kept?.payment ?? "");
}

describe("money that the shop has to pay back waits for people until that is done", () => {
  test("each payment of a boleto that was canceled", async () => {
    const { id } = await shop.boleto(7_700);
    await cancel(id);
    await pay(id, "boletos");
    await pay(id, "boletos");
    for (const left of [2, 1, 0]) {
      expect(await waiting(id)).toEqual(Array.from({ length: left }, () => ["kept_apart", 7_700]));
      if (left > 0) await paidBackByPeople(id);
    }
  });

  test("the second payment of a boleto", async () => {
    const { id } = await shop.boleto(8_800);
    await pay(id, "boletos");
    await paidAgain(id);
    await look(id);
    expect(await waiting(id)).toEqual([["not_returned", 8_800]]);
    await paidBackByPeople(id);
    expect(await waiting(id)).toEqual([]);
  });

  test("a return in the provider's own pages that did not arrive", async () => {
    const { id } = await shop.pix(6_600);
    await pay(id, "pix", { times: 2 });
    // As if the product had not asked for it: a notice of what was seen there.
    await systemSql()`
      update transaction_requests set kind = 'notice', state = 'reversed', request_status = 'failed'
       where charge_id = ${id} and kind = 'refund'`;
    expect(await waiting(id)).toEqual([["not_returned", 6_600]]);
    await paidBackByPeople(id);
    expect(await waiting(id)).toEqual([]);
  });
});

describe("nothing waits that the product pays back by itself", () => {
  test("a Pix that was paid twice, paid after its cancellation, and paid again after its refund", async () => {
    const [twice, late, again] = [await shop.pix(5_500), await shop.pix(5_700), await shop.pix(5_600)];
    await pay(twice.id, "pix", { times: 2 });
    await cancel(late.id);
    await pay(late.id, "pix", { after: "expiry" });
    await pay(again.id, "pix");
    await cancel(again.id);
    await paidAgain(again.id);
    await look(again.id);
    await shop.advance("PT3H");
    for (const { id } of [twice, late, again]) {
      expect(await waiting(id)).toEqual([]);
      expect((await shop.charge(id)).transactionRequests[0]).toMatchObject({
        requestType: "void",
        requestStatus: "success",
        requestStatusReason: "surplus_payment",
      });
    }
  });

  test("a Pix that its provider had called declined", async () => {
    const { id } = await shop.pix(5_400);
    await systemSql()`update sandbox_transactions set state = 'declined' where charge_id = ${id}`;
    await look(id);
    expect((await shop.charge(id)).status).toBe("failed");
    await systemSql()`
      insert into sandbox_movements (id, client_id, transaction_id, kind, amount, at, requested_at, reference)
      select ${newId()}, client_id, id, 'payment', amount, now(), now(), 'E-declined'
        from sandbox_transactions where charge_id = ${id}`;
    await look(id);
    expect((await shop.charge(id)).transactionRequests[0]).toMatchObject({
      requestType: "void",
      requestStatus: "success",
      requestStatusReason: "surplus_payment",
      amount: 5_400,
    });
    expect(await waiting(id)).toEqual([]);
  });

  test("what was kept apart and is seen to have gone back at the provider", async () => {
    const { id } = await shop.boleto(4_400);
    await cancel(id);
    await pay(id, "boletos");
    expect(await waiting(id)).toEqual([["kept_apart", 4_400]]);
    await systemSql()`
      insert into transaction_requests select (jsonb_populate_record(r, jsonb_build_object(
        'id', ${newId()}::uuid, 'request_type', 'void', 'request_status_reason', 'surplus_payment', 'sequence', 99,
        'request_status', 'success', 'reference', ${newId()}::uuid, 'details', jsonb_build_object('surplus', r.transaction_id)))).*
        from transaction_requests r where charge_id = ${id} and request_status_reason = 'paid_after_cancellation'`;
    expect(await waiting(id)).toEqual([]);
  });
});
