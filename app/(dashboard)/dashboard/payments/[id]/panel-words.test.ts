import { createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { panelWords } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import { zoneText } from "@/app/(dashboard)/dashboard/reports/words";
import { messages } from "@/lib/i18n/messages";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: "pt-BR", messages: messages["pt-BR"], namespace }),
}));

test.each([
  ["VCC", "Visa crédito"],
  ["HCC", "HiperCard crédito"],
  ["BOLETO", "Boleto"],
  ["PIX", "Pix"],
  ["NUPAY", "NuPay"],
  ["XYZ", "XYZ"],
])("what a provider owes under %s is told as %s", async (code, told) => {
  expect((await panelWords()).arrangement(code)).toBe(told);
});

test.each([
  ["America/Sao_Paulo", "São Paulo (GMT-03:00)"],
  ["America/New_York", "Nova York (GMT-05:00)"],
  ["Africa/Porto-Novo", "Porto-Novo (GMT+01:00)"],
  ["UTC", "UTC (GMT+00:00)"],
])("the zone of a report is told as on other pages: %s", (zone, told) => {
  expect(zoneText(zone, new Date("2026-12-01T12:00:00Z"), "pt-BR")).toBe(told);
});
