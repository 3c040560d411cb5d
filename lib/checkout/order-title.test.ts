import { expect, test } from "vitest";
import { receiptTitle } from "@/lib/checkout/order-title";

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
