import { expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";

test("200: the simulator's totals of a day, in cents", async () => {
  const shop = await openShop();
  const { body: charge } = await shop.pay(sandboxPan("approve"));
  const pix = await shop.pix(1_000);
  await shop.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: {} });
  await shop.make("POST", `/v1/charges/${charge.id}/void`, { body: { amount: 300 } });
  await shop.make("POST", `/v1/sandbox/charges/${charge.id}/chargeback`, { body: { amount: 500 } });
  const date = saoPauloDay(new Date(String(charge.createdAt)));
  const { status, body } = await shop.call("GET", "/v1/sandbox/ledger", { query: { date } });
  expect(status).toBe(200);
  expect(body).toEqual({
    date,
    captured: 11_000,
    refunded: 300,
    chargedBack: 500,
    settled: expect.any(Number),
    providerCost: 249 + 10,
    transferred: 0,
  });
  const before = await shop.call("GET", "/v1/sandbox/ledger", { query: { date: addDays(date, -1) } });
  expect(before.body).toMatchObject({ captured: 0, refunded: 0, chargedBack: 0, providerCost: 0 });
  const wrong: Record<string, string>[] = [{}, { date: "today" }, { date: "2026-02-30" }];
  for (const query of wrong) {
    expect((await shop.call("GET", "/v1/sandbox/ledger", { query })).status).toBe(400);
  }
});
