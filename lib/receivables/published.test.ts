import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction } from "@/lib/context";
import { addRate } from "@/lib/sale-plans/operator-service";
import { openClient } from "@/lib/testing/api";
import { payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";

async function withSellers(count: number): Promise<Shop & { ids: string[] }> {
  const shop = await withMerchant(await openClient());
  return { ...shop, ids: await openSellers(shop.client, shop.merchant.id, count) };
}

/** What each of the sellers has of the charge, and what the marketplace kept of fares. */
async function nets(chargeId: string, ids: readonly string[]): Promise<number[]> {
  const rows = await systemSql()<{ seller: string | null; net: number }[]>`
    select seller_id as seller, sum(gross - fee)::int as net from receivables where charge_id = ${chargeId} group by 1`;
  const [kept] = await systemSql()<{ fares: number }[]>`
    select coalesce(-sum(p.amount), 0)::int as fares from postings p
      join journals j on j.id = p.journal_id join ledger_accounts a on a.id = p.account_id
     where j.charge_id = ${chargeId} and a.kind = 'revenue:fares'`;
  return [...ids.map((id) => rows.find(({ seller }) => seller === id)?.net ?? 0), kept?.fares ?? 0];
}

describe("published sales, through the API (spec/money.md section 4)", () => {
  test("Braspag: 100.00 for two sellers with fares; of a part given back all of them return in proportion", async () => {
    const { client, merchant, ids, ...shop } = await withSellers(2);
    const [a = "", b = ""] = ids;
    await client.make("PATCH", `/v1/merchants/${merchant.id}`, { body: { faresOnRefund: "all" } });
    const splitRules = [
      { sellerId: a, amount: 6_000, fares: { mdr: 5, fee: 30 } },
      { sellerId: b, amount: 4_000, fares: { mdr: 4, fee: 15 } },
    ];
    const sale = { amount: 10_000, capture: true, changes: { splitRules } };
    const { body: charge } = await payByCard({ ...shop, client, merchant }, sale);
    expect(await nets(charge.id, ids)).toEqual([5_670, 3_825, 505]);
    await client.make("POST", `/v1/charges/${charge.id}/void`, {
      body: {
        amount: 2_500,
        splitRules: [
          { sellerId: a, amount: 1_500 },
          { sellerId: b, amount: 1_000 },
        ],
      },
    });
    expect(await nets(charge.id, ids)).toEqual([5_670 - 1_417, 3_825 - 956, 505 - 83 - 44]);
  });

  test("Rede: 1,273.61 in six instalments at 2.39 %, what does not divide in the first", async () => {
    const { ids, ...shop } = await withSellers(1);
    const { client } = shop;
    const [plan] = await systemSql()<{ id: string }[]>`select id from sale_plans where client_id = ${client.clientId}`;
    const rate = { paymentMethod: "credit", installmentFrom: 6, installmentTo: 6, refundable: "mdr" } as const;
    const effectiveFrom = saoPauloDay(new Date());
    await inTransaction(await client.context(), (inside) =>
      addRate(inside, plan?.id ?? "", { ...rate, percentage: 239, fixedAmount: 0, effectiveFrom, brand: undefined }),
    );
    const splitRules = [{ sellerId: ids[0], percentage: 100, processingFee: true }];
    const paymentMethod = { paymentType: "credit", installments: 6 };
    const { body: charge } = await payByCard(shop, {
      amount: 127_361,
      capture: true,
      changes: { splitRules, paymentMethod },
    });
    const [rows] = await systemSql()`
      select array_agg(gross::int order by installment) as gross, array_agg(fee::int order by installment) as fee,
             sum(gross - fee)::int as net from receivables where charge_id = ${charge.id}`;
    expect(rows).toEqual({
      gross: [21_231, 21_226, 21_226, 21_226, 21_226, 21_226],
      fee: [509, 507, 507, 507, 507, 507],
      net: 124_317,
    });
  });

  test("remainder: 100.01 at 33, 33 and 34 %; to the largest remainder, or to who takes what is left", async () => {
    const { ids, ...shop } = await withSellers(3);
    const sharesOf = async (flags: object) => {
      const splitRules = [33, 33, 34].map((percentage, at) => ({
        sellerId: ids[at],
        percentage,
        ...(at === 0 ? flags : {}),
      }));
      const { body } = await payByCard(shop, { amount: 10_001, capture: true, changes: { splitRules } });
      return nets(body.id, ids);
    };
    expect(await sharesOf({})).toEqual([3_300, 3_300, 3_401, 0]);
    expect(await sharesOf({ chargeRemainderFee: true })).toEqual([3_301, 3_300, 3_400, 0]);
  });
});
