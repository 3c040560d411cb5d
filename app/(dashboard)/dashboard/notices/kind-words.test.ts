import { createTranslator } from "next-intl";
import { expect, test } from "vitest";
import { LOCALES } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";

test.each(LOCALES)("what people choose to be told of is said of payments, not of machines, in %s", (locale) => {
  const kinds = Object.entries(messages[locale].notices).filter(([name]) => /^kind[A-Z]/.test(name));
  expect(kinds.length).toBeGreaterThan(0);
  expect(kinds.filter(([, text]) => text.includes("Inngest"))).toEqual([]);
});

test("one new notice is one in Portuguese too", () => {
  const t = createTranslator({ locale: "pt-BR", messages: messages["pt-BR"], namespace: "notices" });
  expect([0, 1, 2].map((count) => t("bell", { count }))).toEqual([
    "Avisos, nenhum novo",
    "Avisos, 1 novo",
    "Avisos, 2 novos",
  ]);
});
