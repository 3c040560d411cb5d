import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { stillHere } from "@/lib/charges/extra-payments";
import { handBack } from "@/lib/charges/hand-back";
import { getCharge } from "@/lib/charges/queries";
import { inTransaction } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { realNow } from "@/lib/time";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

interface Told {
  event: string;
  entityVersion: number;
  data: { status: string; amount: number; transactionRequests: Record<string, unknown>[] };
}
/** As the API lists them, the oldest first. */
async function toldOf(id: string): Promise<Told[]> {
  const { items } = await shop.make<{ items: Told[] }>("GET", `/v1/events?objectId=${id}&order=asc`);
  return items;
}
const names = async (id: string) => (await toldOf(id)).map(({ event }) => event);

const payBoleto = (id: string) => shop.make("POST", `/v1/sandbox/boletos/${id}/pay`, { body: {} });
const payPix = (id: string, body: object) => shop.make("POST", `/v1/sandbox/pix/${id}/pay`, { body });
const cancel = (id: string) => shop.make("POST", `/v1/charges/${id}/void`, { body: {} });
async function look(id: string): Promise<void> {
  await inTransaction(await shop.context(), (inside) => schedule(inside, "charge.watch", id, realNow()));
  await shop.advance("PT1M");
}

describe("integrators are told of money that came twice or too late", () => {
  test("when it is kept apart, and when people paid it back, once each", async () => {
    const { id } = await shop.boleto(7_700);
    await cancel(id);
    await payBoleto(id);
    await look(id);
    expect(await names(id)).toEqual(["pending", "canceled", "extra_payment"]);
    const came = (await toldOf(id)).at(-1);
    expect(came?.data).toMatchObject({ status: "canceled", amount: 7_700 });
    expect(came?.data.transactionRequests[0]).toMatchObject({
      requestType: "authorization",
      requestStatusReason: "paid_after_cancellation",
      amount: 7_700,
    });
    const ctx = await shop.context();
    const kept = stillHere(await inTransaction(ctx, (inside) => getCharge(inside, id)))?.payment ?? "";
    await handBack(ctx, id, kept);
    await look(id);
    const told = await toldOf(id);
    expect(told.map(({ event }) => event)).toEqual(["pending", "canceled", "extra_payment", "extra_payment_returned"]);
    expect(told.map(({ entityVersion }) => entityVersion)).toEqual([1, 2, 3, 4]);
    expect(told.at(-1)?.data.transactionRequests[0]).toMatchObject({
      requestType: "void",
      requestStatusReason: "handed_back",
      amount: 7_700,
    });
  });

  test("each payment by an event of its own", async () => {
    const { id } = await shop.boleto(2_200);
    await cancel(id);
    await payBoleto(id);
    await payBoleto(id);
    expect(await names(id)).toEqual(["pending", "canceled", "extra_payment", "extra_payment"]);
  });

  test("when it came and when it went back by itself", async () => {
    const [twice, late] = [await shop.pix(5_500), await shop.pix(5_700)];
    await payPix(twice.id, { times: 2 });
    expect(await names(twice.id)).toEqual(["pending", "authorized", "extra_payment", "extra_payment_returned"]);
    await cancel(late.id);
    await payPix(late.id, { after: "expiry" });
    await shop.advance("PT3H");
    const told = await toldOf(late.id);
    expect(told.map(({ event }) => event)).toEqual(["pending", "canceled", "extra_payment", "extra_payment_returned"]);
    expect(told.at(-1)?.data.transactionRequests[0]).toMatchObject({
      requestType: "void",
      requestStatus: "success",
      requestStatusReason: "surplus_payment",
      amount: 5_700,
    });
  });

  test("when it went back and did not arrive, until it did", async () => {
    const { id } = await shop.pix(4_990);
    await payPix(id, { times: 2 });
    await systemSql()`
      update sandbox_movements m set kind = 'refund_undone' from sandbox_transactions t
       where t.id = m.transaction_id and t.charge_id = ${id} and m.kind = 'refund'`;
    await look(id);
    const first = ["pending", "authorized", "extra_payment", "extra_payment_returned"];
    expect(await names(id)).toEqual([...first, "extra_payment"]);
    await shop.advance("P1D");
    expect(await names(id)).toEqual([...first, "extra_payment", "extra_payment_returned"]);
  });
});
