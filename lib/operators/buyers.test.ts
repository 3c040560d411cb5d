import { expect, test } from "vitest";
import { shownCardHolder } from "@/lib/operators/buyers";

test("who gave a card on a link is shown in full to those alone who may see buyers", () => {
  const holder = { name: "Joao da Silva Pires", document: { type: "CPF", number: "52998224725" } } as const;
  expect(shownCardHolder("owner", holder)).toEqual({ name: "Joao da Silva Pires", document: "52998224725" });
  expect(shownCardHolder("viewer", holder)).toEqual({ name: "Joao P.", document: "•••25" });
});
