import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { isBankDay, saoPauloDay, saoPauloWallTime } from "@/lib/brazil/bank-calendar";
import { askSooner } from "@/lib/checkout/actions";
import { BUYER, type ChargeReply, openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { addSeconds } from "@/lib/time";

/** The acquirer sends no notification and names no moment: what was paid is found by asking alone. */
const LOST = "fault=drop_request;step=webhook;times=0";

const sql = systemSql();

/** A clock that stands still, so that every moment is exact. */
async function frozenShop(): Promise<Shop> {
  const shop = await openShop();
  await shop.make("POST", "/v1/sandbox/clock", { body: { advance: "PT0S", freeze: true } });
  return shop;
}

async function offered(shop: Shop, paymentMethod: Record<string, unknown>): Promise<{ id: string; createdAt: Date }> {
  const { body } = await shop.call<ChargeReply>("POST", "/v1/charges", {
    scenario: LOST,
    body: {
      merchantId: shop.merchantId,
      amount: 4_990,
      paymentMethod,
      paymentSource: { sourceType: "customer", customer: BUYER },
    },
  });
  return { id: body.id, createdAt: new Date(String(body.createdAt)) };
}

const payAfter = (shop: Shop, { id, createdAt }: { id: string; createdAt: Date }, seconds: number) =>
  shop.make<ChargeReply>("POST", `/v1/sandbox/pix/${id}/pay`, {
    body: { at: addSeconds(createdAt, seconds).toISOString() },
  });

const watchOf = async (id: string): Promise<Date | undefined> => {
  const [job] = await sql<{ due_at: Date }[]>`
    select due_at from due_jobs where ref_id = ${id} and kind = 'charge.watch'`;
  return job?.due_at;
};

const queriesOf = async (id: string): Promise<number> => {
  const [calls] = await sql<{ n: number }[]>`
    select count(*)::int as n from sandbox_calls where charge_id = ${id} and operation = 'query'`;
  return calls?.n ?? 0;
};

describe("a payment that was made and of which nobody was told", () => {
  test("a Pix paid within three minutes is found three minutes after it was made", async () => {
    const shop = await frozenShop();
    const pix = await offered(shop, { paymentType: "pix", expiresIn: 7_200 });
    expect(await queriesOf(pix.id)).toBe(0);
    await payAfter(shop, pix, 170);
    await shop.advance("PT2M59S");
    expect((await shop.charge(pix.id)).status).toBe("pending");
    await shop.advance("PT1S");
    expect(await shop.charge(pix.id)).toMatchObject({ status: "authorized", capturedAmount: 4_990 });
    const [told] = await sql`select count(*)::int as n from sandbox_notifications where client_id = ${shop.clientId}`;
    expect(told?.n).toBe(0);
  });

  test("a Pix is asked about after 1, 3, 10 and 30 minutes, then each hour until its code ends", async () => {
    const shop = await frozenShop();
    const { id, createdAt } = await offered(shop, { paymentType: "pix", expiresIn: 3 * 3_600 });
    const asked: number[] = [];
    for (let at = await watchOf(id); at && (await shop.charge(id)).status === "pending"; at = await watchOf(id)) {
      asked.push(Math.round((at.getTime() - createdAt.getTime()) / 60_000));
      await shop.make("POST", "/v1/sandbox/clock", { body: { to: at.toISOString() } });
    }
    expect(asked).toEqual([1, 3, 10, 30, 90, 150, 180]);
    expect((await shop.charge(id)).status).toBe("canceled");
  });

  test("a wallet follows the Pix", async () => {
    const shop = await frozenShop();
    const wallet = await offered(shop, { paymentType: "nupay", expiresIn: 7_200 });
    await payAfter(shop, wallet, 170);
    await shop.advance("PT3M");
    expect((await shop.charge(wallet.id)).status).toBe("authorized");
  });

  test("a boleto is asked about once each bank day, and found on the day its payment is confirmed", async () => {
    const shop = await frozenShop();
    const { id, createdAt } = await offered(shop, { paymentType: "boleto" });
    const days: string[] = [];
    for (let asked = 0; asked < 3; asked++) {
      const at = await watchOf(id);
      if (!at) break;
      days.push(saoPauloDay(at));
      expect(saoPauloWallTime(at).slice(11, 13)).toBe("09");
      await shop.make("POST", "/v1/sandbox/clock", { body: { to: at.toISOString() } });
    }
    expect(days.every(isBankDay)).toBe(true);
    expect(new Set(days).size).toBe(3);
    expect(days.every((day) => day >= saoPauloDay(createdAt))).toBe(true);
    const paidOn = days.at(-1) ?? "";
    await shop.make("POST", `/v1/sandbox/boletos/${id}/pay`, { body: { paidOn } });
    await shop.advance("P6D");
    expect((await shop.charge(id)).status).toBe("authorized");
  });

  test("a provider that does not answer is asked again after a minute, and no outcome is made of its silence", async () => {
    const shop = await frozenShop();
    const { id, createdAt } = await shop.pix();
    await sql`update sandbox_transactions set scenario = 'fault=drop_response;step=query' where charge_id = ${id}`;
    await shop.advance("PT1M");
    expect((await shop.charge(id)).status).toBe("pending");
    expect(await watchOf(id)).toEqual(addSeconds(new Date(String(createdAt)), 120));
  });
});

describe("money on what was closed, and of which nobody was told", () => {
  const returned = async (id: string): Promise<number> => {
    const [row] = await sql<{ amount: number }[]>`
      select coalesce(sum(m.amount), 0)::int as amount from sandbox_movements m
        join sandbox_transactions t on t.id = m.transaction_id where t.charge_id = ${id} and m.kind = 'refund'`;
    return row?.amount ?? 0;
  };

  test("a Pix paid long after it was closed is found soon after its code's own end, and goes back", async () => {
    const shop = await frozenShop();
    const pix = await offered(shop, { paymentType: "pix", expiresIn: 7_200 });
    await shop.make("POST", `/v1/charges/${pix.id}/void`, { body: {} });
    expect((await shop.charge(pix.id)).status).toBe("canceled");
    await shop.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: { after: "expiry" } });
    await shop.advance("PT1H59M");
    expect(await returned(pix.id)).toBe(0);
    await shop.advance("PT16M");
    expect(await returned(pix.id)).toBe(4_990);
    expect(await watchOf(pix.id)).toBeUndefined();
  });

  test("a Pix paid at the last moment, and booked after its end, is found too", async () => {
    const shop = await frozenShop();
    const pix = await offered(shop, { paymentType: "pix", expiresIn: 3_600 });
    await shop.advance("PT1H");
    expect((await shop.charge(pix.id)).status).toBe("canceled");
    await shop.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: { after: "expiry" } });
    await shop.advance("PT15M");
    expect(await returned(pix.id)).toBe(4_990);
    expect(await watchOf(pix.id)).toBeUndefined();
  });
});

describe("a page that waits", () => {
  const waiting = (id: string, createdAt: Date) => ({ id, createdAt, state: "pix" }) as const;

  test("moves the next question to ten seconds from now, however many pages wait and however often they look", async () => {
    const shop = await frozenShop();
    const pix = await offered(shop, { paymentType: "pix", expiresIn: 7_200 });
    const ctx = await shop.context();
    const page = waiting(pix.id, pix.createdAt);
    await Promise.all(Array.from({ length: 8 }, () => askSooner(ctx, page)));
    expect(await watchOf(pix.id)).toEqual(addSeconds(pix.createdAt, 10));
    await payAfter(shop, pix, 5);
    await askSooner(ctx, page);
    await shop.advance("PT10S");
    expect((await shop.charge(pix.id)).status).toBe("authorized");
  });

  test("of an old payment asks less often", async () => {
    const shop = await frozenShop();
    const { id, createdAt } = await offered(shop, { paymentType: "pix", expiresIn: 86_400 });
    await shop.advance("PT40M");
    await askSooner(await shop.context(), waiting(id, createdAt));
    expect(await watchOf(id)).toEqual(addSeconds(createdAt, 2_400 + 80));
  });

  test("asks nothing of what is over", async () => {
    const shop = await frozenShop();
    const { id, createdAt } = await offered(shop, { paymentType: "pix", expiresIn: 7_200 });
    await askSooner(await shop.context(), { id, createdAt, state: "paid" });
    expect(await watchOf(id)).toEqual(addSeconds(createdAt, 60));
  });
});
