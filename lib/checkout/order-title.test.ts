import { expect, test } from "vitest";
import { mailTitle, receiptTitle } from "@/lib/checkout/order-title";

const items = [{ name: "Tênis", quantity: 1, unitPrice: 10_500 }];

test.each([
  ["Uniforme do time", null, "Uniforme do time"],
  ["Uniforme do time", "A-1001", "Uniforme do time"],
  ["A-1001", "A-1001", null],
  ["Tênis", null, null],
  [null, "A-1001", null],
])("the receipt of %j with the order number %j tells %j", (title, orderId, told) => {
  expect(receiptTitle({ title, orderId, items })).toBe(told);
});

const named = (...names: string[]) => names.map((name) => ({ name, quantity: 1, unitPrice: 100 }));

test.each([
  ["Uniforme do time", "A-1001", named("Tênis"), "Uniforme do time"],
  ["Tênis", null, named("Tênis"), "Tênis"],
  ["A-1001", "A-1001", named("Tênis", "Meia"), "Tênis, Meia"],
  [null, "A-1001", named("Tênis", "Meia", "Boné", "Bola"), "Tênis, Meia, Boné…"],
  [null, "A-1001", [], null],
  ["A-1001", "A-1001", [], null],
])("a mail that lists no items, about %j with the order number %j and %j, tells %j", (title, orderId, list, told) => {
  expect(mailTitle({ title, orderId, items: list })).toBe(told);
});
