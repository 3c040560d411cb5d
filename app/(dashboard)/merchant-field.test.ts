import { expect, test } from "vitest";
import { merchantField } from "@/app/(dashboard)/merchant-field";

const WORDS = { label: "Merchant", choose: "Choose…" };
const [first, second] = [
  { id: "a", name: "Loja Azul" },
  { id: "b", name: null },
];

test("a merchant is chosen, never taken as the first by the alphabet", () => {
  const [field] = merchantField(WORDS, [first, second]);
  expect(field).toMatchObject({ name: "merchantId", isRequired: true, initial: "" });
  expect(field?.options).toEqual([
    { value: "", label: "Choose…" },
    { value: "a", label: "Loja Azul" },
    { value: "b", label: "b" },
  ]);
});

test("the present merchant stands, also where it is not offered any more", () => {
  const gone = { id: "c", name: "Loja Velha" };
  const [field] = merchantField(WORDS, [first, second], gone);
  expect(field).toMatchObject({ initial: "c" });
  expect(field?.options?.map(({ value }) => value)).toEqual(["c", "a", "b"]);
});

test("the only merchant is not asked for", () => {
  expect(merchantField(WORDS, [first])).toEqual([]);
});
