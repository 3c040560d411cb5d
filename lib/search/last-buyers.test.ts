import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { lastBuyersOf } from "@/lib/search/last-buyers";
import { openClient } from "@/lib/testing/api";
import { openCustomer, withMerchant } from "@/lib/testing/payments";
import { CREDIT, chargeByCard, openSession } from "@/lib/testing/sessions";

test("who paid a link last is told of each link that was paid, masked for those who see buyers masked", async () => {
  const shop = await withMerchant(await openClient());
  const many = { maxPayments: 3, paymentMethods: [CREDIT] };
  const [paid, declined, unused] = [await openSession(shop, many), await openSession(shop), await openSession(shop)];
  const charges = [await chargeByCard(shop, paid.id), await chargeByCard(shop, paid.id)].map(({ body }) => body.id);
  await chargeByCard(shop, declined.id, { outcome: "decline:insufficient_funds" });
  const told = async (role: OperatorRole) =>
    inTransaction(await shop.client.context(), (inside) =>
      lastBuyersOf(inside, role, [paid.id, declined.id, unused.id]),
    );
  // Of a card alone, the name on it.
  expect([...(await told("owner"))]).toEqual([[paid.id, expect.stringMatching(/^\S+ \S+$/)]]);
  expect((await told("viewer")).get(paid.id)).toMatch(/^\S+ \S\.$/);
  for (const [index, name] of ["Ana Prado", "Otília Prado"].entries()) {
    const customerId = await openCustomer(shop.client, { name });
    await systemSql()`update charges set customer_id = ${customerId} where id = ${charges[index] ?? ""}`;
  }
  expect(await told("owner")).toEqual(new Map([[paid.id, "Otília Prado"]]));
});
