import { createTranslator } from "next-intl";
import { expect, test } from "vitest";
import { brandText } from "@/components/flows/words";
import { BRANDS } from "@/lib/brazil/card-brand";
import en from "@/lib/i18n/messages/en/flows.json" with { type: "json" };
import pt from "@/lib/i18n/messages/pt-BR/flows.json" with { type: "json" };

test("a brand that nobody knows has words in each language; the others keep their names", () => {
  const said = [
    createTranslator({ locale: "pt-BR", messages: { flows: pt }, namespace: "flows" }),
    createTranslator({ locale: "en", messages: { flows: en }, namespace: "flows" }),
  ].map((t) => BRANDS.map((brand) => brandText(t, brand)));
  expect(said.map((texts) => texts[BRANDS.indexOf("unknown")])).toEqual(["bandeira desconhecida", "unknown brand"]);
  expect(said.flat()).not.toContain("Unknown");
  expect(said.map((texts) => texts[BRANDS.indexOf("amex")])).toEqual(["American Express", "American Express"]);
});
