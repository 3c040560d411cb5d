import { beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openClient } from "@/lib/testing/api";
import { pathOf, valuesOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { openSession } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const canceled = async () => {
  const link = await openSession(shop);
  await shop.client.make("POST", `/v1/sessions/${link.id}/cancel`);
  return link;
};
const requestsOf = (id: string) => systemSql()`select name, email from link_requests where session_id = ${id}`;

test("a request for another link says where the answer goes, or that there is nowhere", async () => {
  const link = await canceled();
  const [one, other] = [await newBuyer({ language: "en" }), await newBuyer({ language: "en" })];
  const asked = await one.send(await one.open(pathOf(link)), "new-link", { name: "Ana", email: " Ana@Example.com" });
  expect(asked.text).toContain("The shop has been told, and its answer goes to ana@example.com.");
  const silent = await other.send(await other.open(pathOf(link)), "new-link");
  expect(silent.text).toContain("You left no e-mail, so it can’t answer you here.");
});

test("an address that is none, and a card number, are refused at their fields and tell the shop nothing", async () => {
  const link = await canceled();
  const buyer = await newBuyer({ language: "en" });
  const page = await buyer.open(pathOf(link));
  const wrong = await buyer.send(page, "new-link", { name: "Ana", email: "ana@x" });
  expect(wrong.text).toContain("Enter an e-mail like name@example.com.");
  expect(wrong.text).not.toContain("Request sent");
  expect(valuesOf(wrong, "new-link")).toMatchObject({ name: "Ana", email: "ana@x" });
  for (const fields of [
    { name: "4111 2200 0000 0002", email: "" },
    { name: "Ana", email: "4111220000000002@example.com" },
  ]) {
    const card = await buyer.send(page, "new-link", fields);
    expect(card.text).toContain("This looks like a card number.");
    expect(card.html.replace(/\D/g, "")).not.toContain("4111220000000002");
  }
  expect(await requestsOf(link.id)).toHaveLength(0);
  await buyer.send(wrong, "new-link", { email: "ana@example.com" });
  expect(await requestsOf(link.id)).toEqual([{ name: "Ana", email: "ana@example.com" }]);
});
