import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { shareSession } from "@/lib/sessions/share";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { openToken, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";
import { openSession } from "@/lib/testing/sessions";

test("who shares a link changes for what is paid from then on; each keeps what its rule says besides", async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const [a = "", b = "", c = ""] = await openSellers(client, merchant.id, 3);
  const splitRules = [
    { sellerId: a, percentage: 50, processingFee: true },
    { sellerId: b, percentage: 20 },
  ];
  const { id } = await openSession(shop, { maxPayments: -1, splitRules });
  const share = async (...shares: [string, number][]) =>
    inTransaction(await client.context(), (inside) =>
      shareSession(
        inside,
        id,
        shares.map(([sellerId, percentage]) => ({ sellerId, percentage })),
      ),
    );
  const pay = async () => {
    const tokenId = await openToken(client);
    const { id: chargeId } = await client.make("POST", `/v1/sessions/${id}/charge`, {
      body: { paymentMethod: { paymentType: "credit" }, paymentSource: { sourceType: "token", tokenId } },
    });
    return () => client.make<{ splitRules: object[] }>("GET", `/v1/charges/${chargeId}`);
  };
  const before = await pay();
  const changed = await share([a, 33.33], [c, 10]);
  expect(changed.splitRules).toMatchObject([
    { sellerId: a, percentage: 33.33, processingFee: true },
    { sellerId: c, percentage: 10, processingFee: false },
  ]);
  expect(await share([a, 33.33], [c, 10])).toEqual(changed);
  expect((await (await pay())()).splitRules).toMatchObject([
    { sellerId: a, percentage: 33.33, processingFee: true },
    { sellerId: c, percentage: 10 },
  ]);
  expect((await before()).splitRules).toMatchObject([
    { sellerId: a, percentage: 50 },
    { sellerId: b, percentage: 20 },
  ]);
  const { items } = await client.make<List<{ id: string; actions: string[]; diff: object }>>(
    "GET",
    `/v1/sessions/${id}/history`,
  );
  expect(items.filter(({ actions }) => actions.includes("splitRulesChanged"))).toMatchObject([
    { diff: { changes: { splitRules: { from: `${a} 50%, ${b} 20%`, to: `${a} 33.33%, ${c} 10%` } } } },
  ]);

  await client.make("PATCH", `/v1/sellers/${c}`, { body: { status: "inactive" } });
  for (const [shares, businessCode] of [
    [
      [
        [a, 33.33],
        [c, 11],
      ],
      "seller_not_found",
    ],
    [
      [
        [a, 60],
        [b, 41],
      ],
      "split_total_exceeded",
    ],
  ] as const)
    await expect(share(...shares.map(([seller, part]): [string, number] => [seller, part]))).rejects.toMatchObject({
      businessCode,
    });
  await expect(share([a, 10], [a, 10])).rejects.toMatchObject({ status: 400 });
  await client.make("POST", `/v1/sessions/${id}/cancel`);
  await expect(share([a, 10])).rejects.toMatchObject({ businessCode: "session_disabled" });
  const [row] = await systemSql()`select split_rules from sessions where id = ${id}`;
  expect(row?.split_rules).toEqual(changed.splitRules);
});
