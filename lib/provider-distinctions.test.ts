import { expect, test } from "vitest";
import { distinctionsOf } from "@/lib/provider-distinctions";

const provider = (id: string, name: string, merchantId = "m1") => ({ id, name, merchantId });
const told = (...providers: ReturnType<typeof provider>[]) => Object.fromEntries(distinctionsOf(providers));

test("providers with names of their own need nothing more", () => {
  expect(told(provider("a", "Adyen"), provider("b", "Pagar.me"), provider("c", "Cielo", "m2"))).toEqual({});
});

test("two of one merchant are told apart by their places in its order, whatever stands between them", () => {
  expect(told(provider("a", "Sandbox"), provider("b", "Adyen"), provider("c", "Sandbox"))).toEqual({
    a: { place: 1, isOfMerchants: false },
    c: { place: 3, isOfMerchants: false },
  });
});

test("those of several merchants by their merchants, and by their places only where that is not enough", () => {
  const providers = [provider("a", "Adyen"), provider("b", "Adyen", "m2"), provider("c", "Adyen", "m2")];
  expect(told(...providers)).toEqual({
    a: { place: undefined, isOfMerchants: true },
    b: { place: 1, isOfMerchants: true },
    c: { place: 2, isOfMerchants: true },
  });
});
