import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { printWords } from "@/app/(dashboard)/dashboard/payments/print-words";
import { messages } from "@/lib/i18n/messages";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "America/Sao_Paulo" }),
}));

test("a printed list says which rows of how many it holds, of which filters, and when it was printed", async () => {
  const { rows, filters, when } = await printWords();
  expect(rows({ shown: 25, counted: 90, most: 10_000, isFirst: true })).toBe("1–25 of 90 payments");
  expect(rows({ shown: 15, counted: 90, most: 10_000, isFirst: false })).toBe("15 of 90 payments");
  expect(rows({ shown: 25, counted: 10_001, most: 10_000, isFirst: true })).toBe("1–25 of more than 10,000 payments");
  expect(filters([])).toBe("No filters");
  expect(filters(["Status: Paid", "Method: Pix"])).toBe("Filters: Status: Paid; Method: Pix");
  expect(when(new Date("2026-11-30T15:57:00Z"))).toMatch(/^Printed on November 30, 2026 at 12:57/);
});
