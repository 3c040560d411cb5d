import { expect, test } from "vitest";
import { placesMeant } from "@/components/search/places";

const PLACES = [
  { href: "{here}?do=refund", text: "Refund this payment", also: "money back", isOfPayment: true },
  { href: "/dashboard/payments?status=authorized", text: "Refund a payment", also: "money back", isOfPayment: false },
  { href: "/dashboard/links/new", text: "New payment link" },
];
const PAYMENT = "/dashboard/payments/0192f1c0-1111-7aaa-8bbb-000000000001";

test("to refund leads to this payment's form, and away from a payment to the list to choose one", () => {
  const refund = (path: string) => placesMeant(PLACES, "  REFÚND money ", path).map(({ href }) => href);
  expect(refund(PAYMENT)).toEqual([`${PAYMENT}?do=refund`]);
  expect(refund("/dashboard")).toEqual(["/dashboard/payments?status=authorized"]);
  expect(placesMeant(PLACES, "payment", PAYMENT)).toHaveLength(2);
  expect(placesMeant(PLACES, " ", PAYMENT)).toEqual([]);
});
