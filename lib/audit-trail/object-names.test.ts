import { expect, test } from "vitest";
import { namesOfObjects } from "@/lib/audit-trail/object-names";
import { openShop } from "@/lib/providers/sandbox/api/testing";

test("what entries are about is called as people call it, and another account's things by nothing", async () => {
  const shop = await openShop();
  const other = await openShop();
  const rows = [
    { object: "provider", objectId: shop.providerId },
    { object: "merchant", objectId: shop.merchantId },
    { object: "provider", objectId: other.providerId },
    { object: "report_definition", objectId: "no id" },
  ];
  const names = await namesOfObjects(await shop.context(), rows);
  expect([...names.keys()].sort()).toEqual([shop.merchantId, shop.providerId].sort());
  expect([...names.values()].every((name) => name.length > 0)).toBe(true);
});
