import { beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { OperatorRole } from "@/lib/operators/sessions";
import { linksMeant } from "@/lib/search/links";
import { openClient } from "@/lib/testing/api";
import { openCustomer, payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { openSession } from "@/lib/testing/sessions";

let shop: Shop;
let ana: string;
let plain: string;
const found = async (typed: string, role: OperatorRole = "owner") =>
  linksMeant(await shop.client.context(), role, typed, 10);

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  const customerId = await openCustomer(shop.client, { name: "Clarice Lispéctor", email: "clarice@example.com" });
  ana = (await openSession(shop, { name: "Vestido azul M", orderId: "PED-77", customerId })).id;
  plain = (await openSession(shop, { name: "Vestido azul M" })).id;
  const { id } = (await payByCard(shop, {})).body;
  await systemSql()`update charges set session_id = ${plain} where id = ${id}`;
});

test.each<[string, () => string[]]>([
  ["vestido azul", () => [ana, plain]],
  ["ped77", () => [ana]],
  ["PED-77", () => [ana]],
  ["lispector", () => [ana]],
  ["clarice@example.com", () => [ana]],
  ["529.982.247-25", () => [ana]],
  ["ana souza", () => [plain]],
  ["vestido verde", () => []],
])("a payment link is found by %s", async (typed, wanted) => {
  expect((await found(typed)).toSorted()).toEqual(wanted().toSorted());
});

test("a pasted address is that link, and no e-mail answers who sees buyers masked", async () => {
  expect(await found(`https://pay.example.com/checkout/${ana}`)).toEqual([ana]);
  expect(await found("clarice@example.com", "viewer")).toEqual([]);
  expect(await linksMeant(await (await openClient()).context(), "owner", "vestido", 10)).toEqual([]);
});
