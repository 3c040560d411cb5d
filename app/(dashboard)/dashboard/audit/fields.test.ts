import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { changesOf, fieldWords } from "@/app/(dashboard)/dashboard/audit/fields";
import { messages } from "@/lib/i18n/messages";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "America/Sao_Paulo" }),
  getLocale: async () => "en",
}));

test("what an entry says stands in words, its money and its dates as people read them", async () => {
  const words = await fieldWords();
  const shown = (before: unknown, after: unknown) =>
    changesOf(words, before, after).map(({ name, before: was, after: is }) => [name, was, is]);
  expect(
    shown(null, { amount: 10_500, isActive: true, dueDate: "2026-12-01", until: "2026-11-30T15:57:53.000Z" }),
  ).toEqual([
    ["Amount", undefined, "R$105.00"],
    ["Accepts payments", undefined, "Yes"],
    ["Due date", undefined, "Dec 1, 2026"],
    ["Until", undefined, expect.stringMatching(/^Nov 30, 2026, 12:57/)],
  ]);
  expect(shown({ amount: 100, status: "created" }, { amount: 200, status: "created", currency: "USD" })).toEqual([
    ["Amount", "$1.00", "$2.00"],
    ["Currency", undefined, "USD"],
  ]);
  expect(shown(null, { somethingNew: { a: 1 }, monthlyRateBps: 150 })).toEqual([
    ["somethingNew", undefined, '{\n "a": 1\n}'],
    ["Monthly rate", undefined, "1.5%"],
  ]);
});
