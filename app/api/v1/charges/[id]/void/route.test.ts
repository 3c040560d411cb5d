import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { aKey } from "@/lib/testing/api";

test("400: split rules of sellers that have no part in the charge move nothing, held, captured or unpaid", async () => {
  const shop = await openShop();
  const sellerId = crypto.randomUUID();
  const approved = sandboxPan("approve");
  const [captured, held, pix] = [
    (await shop.pay(approved)).body,
    (await shop.pay(approved, { capture: false })).body,
    await shop.pix(10_000),
  ];
  for (const { id } of [captured, held, pix]) {
    const before = await shop.charge(id);
    const [calls] = await systemSql()`select count(*)::int as n from sandbox_calls where charge_id = ${id}`;
    const reply = await shop.call("POST", `/v1/charges/${id}/void`, {
      body: { amount: 10_000, splitRules: [{ sellerId, amount: 10_000 }] },
      idempotencyKey: aKey(),
    });
    expect([reply.status, reply.error?.businessCode, reply.error?.details]).toEqual([
      400,
      "seller_not_found",
      [sellerId],
    ]);
    expect(await shop.charge(id)).toEqual(before);
    const [after] = await systemSql()`select count(*)::int as n from sandbox_calls where charge_id = ${id}`;
    expect(after).toEqual(calls);
  }
});
