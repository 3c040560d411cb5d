import { expect, test } from "vitest";
import { dueObjects } from "@/app/(dashboard)/dashboard/developers/sandbox/due-objects";
import { dueNext } from "@/lib/insights/due-next";
import { openClient } from "@/lib/testing/api";
import { payByPix, withMerchant } from "@/lib/testing/payments";

test("what falls due next names the payment that it is about, by its order", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = (await payByPix(shop, { changes: { orderId: "PED-77" } })).body;
  const ctx = await shop.client.context();
  const due = await dueNext(ctx);
  const objects = await dueObjects(ctx, due);
  const nth = due.findIndex(({ kind }) => kind === "charge.expire");
  expect(objects[nth]).toMatchObject({ row: { object: "charge", objectId: id }, name: "PED-77" });
  expect(objects).toHaveLength(due.length);
});
