import { expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { addDays, nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction } from "@/lib/context";
import { moneyOverview } from "@/lib/finance/overview";
import { newId } from "@/lib/ids";
import { SamePerson } from "@/lib/operators/second-person";
import { endAdjustment, proposeAdjustment } from "@/lib/payouts/adjustments";
import { keepDebts, QUIET_DAYS } from "@/lib/sellers/debts";
import { sellerOverview } from "@/lib/sellers/operator-queries";
import { createOperator } from "@/lib/sign-in/service";
import { openClient, type TestClient } from "@/lib/testing/api";
import { payByPix, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";

const PASSWORD = "correct horse battery staple";

async function person(client: TestClient, role: "owner" | "finance"): Promise<Context> {
  const email = `${role}-${newId().slice(-8)}@equipe.example`;
  const { clientId } = client;
  const { id } = await createOperator(systemDb(), { email, name: role, password: PASSWORD, clientId, role });
  return { ...(await client.context()), principal: { kind: "operator", operatorId: id } };
}

const clock = (client: TestClient, body: { to: string }) =>
  client.make<{ now: string }>("POST", "/v1/sandbox/clock", { body });
const endOf = (day: string) => ({ to: `${day}T23:45:00-03:00` });
const balanceOf = (client: TestClient, sellerId: string) =>
  client.make("GET", `/v1/payouts/balance?sellerId=${sellerId}`);

test("a debt: dated, paid back by what is sold next, told of once nothing comes in, and given up by two people", async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const [id = ""] = await openSellers(client, merchant.id, 1, {
    minNegativeBalance: 10_000,
    transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled: true },
  });
  const sell = async (amount: number) => {
    const { body } = await payByPix(shop, { amount, changes: { splitRules: [{ sellerId: id, amount }] } });
    await client.make("POST", `/v1/sandbox/pix/${body.id}/pay`, { body: {} });
    return body.id;
  };
  const first = await person(client, "owner");
  const kept = async () => {
    const { balance, debtSince, adjustments, carried } = await sellerOverview(first, "owner", id);
    return { available: balance.available, debtSince, adjustments, carried: carried.map((each) => each.day) };
  };
  const charge = await sell(10_000);
  const paid = nextBankDay(saoPauloDay(new Date()));
  await clock(client, endOf(paid));
  await client.make("POST", `/v1/charges/${charge}/void`, { body: {} });
  const owed = nextBankDay(paid);
  await clock(client, endOf(owed));
  expect(await kept()).toMatchObject({ available: -10_000, debtSince: paid, carried: [owed] });
  expect(await moneyOverview(first, "owner", { sellerId: id })).toMatchObject({
    sellerCarried: [{ id: expect.any(String), day: owed }],
    ownCarried: [],
  });

  // What is sold next pays back, and the debt stays as old as it is.
  await sell(4_000);
  const later = nextBankDay(owed);
  await clock(client, endOf(later));
  expect(await kept()).toMatchObject({ available: -6_000, debtSince: paid, carried: [later] });
  expect(await balanceOf(client, id)).toMatchObject({ available: -6_000, debt: 6_000 });

  const told = () => systemSql()`
    select kind, path, name from notices where client_id = ${client.clientId} and kind = 'seller_debt'`;
  const ctx = await client.context();
  const live = (day: string) => inTransaction(ctx, (inside) => keepDebts(inside, merchant.id, day));
  await live(addDays(later, QUIET_DAYS - 1));
  expect([...(await told())]).toEqual([]);
  await live(addDays(later, QUIET_DAYS));
  await live(addDays(later, QUIET_DAYS + 1));
  expect([...(await told())]).toEqual([
    { kind: "seller_debt", path: `/dashboard/sellers/${id}`, name: expect.any(String) },
  ]);

  const reason = "The shop has closed";
  const second = await person(client, "finance");
  const giveUp = (amount: number) => proposeAdjustment(first, id, { kind: "write_off", amount }, reason);
  await expect(giveUp(6_001)).rejects.toMatchObject({ businessCode: "amount_exceeds_remaining" });
  expect(await giveUp(6_000)).toBe("proposed");
  const [asked] = (await kept()).adjustments;
  await expect(endAdjustment(first, id, asked?.id ?? "", "approved")).rejects.toBeInstanceOf(SamePerson);
  expect((await kept()).available).toBe(-6_000);
  const another = newId();
  await expect(endAdjustment(second, another, asked?.id ?? "", "approved")).rejects.toMatchObject({ status: 404 });
  await endAdjustment(second, id, asked?.id ?? "", "approved");
  await expect(endAdjustment(second, id, asked?.id ?? "", "approved")).rejects.toMatchObject({ status: 404 });
  expect(await kept()).toMatchObject({ available: 0, adjustments: [] });
  const [lost] = await systemSql()`
    select sum(p.amount)::int as amount from postings p join ledger_accounts a on a.id = p.account_id
     where a.merchant_id = ${merchant.id} and a.kind = 'expense:seller_loss'`;
  expect(lost?.amount).toBe(6_000);
  // The next bank day carries nothing on, and every figure agrees.
  await clock(client, endOf(nextBankDay(later)));
  expect(await kept()).toMatchObject({ available: 0, debtSince: null, carried: [] });
  const open = await systemSql()`
    select kind, subject from settlement_breaks where merchant_id = ${merchant.id} and closed_at is null`;
  expect([...open]).toEqual([]);
  await expect(giveUp(1)).rejects.toMatchObject({ businessCode: "amount_exceeds_remaining" });
}, 60_000);
