import { createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { disputeReasonWords } from "@/app/(dashboard)/dashboard/disputes/reason-words";
import { LOCALES } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";

const page = vi.hoisted(() => ({ locale: "en" as "en" | "pt-BR" }));
vi.mock("next-intl/server", () => ({
  // Guarantee: the words' own types hold their namespaces against the messages.
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: page.locale, messages: messages[page.locale], namespace }),
}));

/** As Stripe's document of a dispute lists them, and what the simulator says. */
const CODES = [
  "bank_cannot_process",
  "check_returned",
  "credit_not_processed",
  "customer_initiated",
  "debit_not_authorized",
  "duplicate",
  "fraud",
  "fraudulent",
  "general",
  "incorrect_account_details",
  "insufficient_funds",
  "product_not_received",
  "product_unacceptable",
  "subscription_canceled",
  "unrecognized",
];

test.each(LOCALES)("every reason that is documented has words of its own in %s", async (locale) => {
  page.locale = locale;
  const { reason } = await disputeReasonWords();
  const words = CODES.map(reason);
  expect(words.filter((each) => CODES.includes(each) || each.startsWith("“"))).toEqual([]);
  expect(new Set(words).size).toBe(CODES.length - 1);
  expect(reason("fraud")).toBe(reason("fraudulent"));
});

test("any other is quoted as the provider wrote it, whatever is in it", async () => {
  for (const [locale, line] of [
    ["en", "Reason: “10.4 {fraud} <b>”"],
    ["pt-BR", "Motivo: “10.4 {fraud} <b>”"],
  ] as const) {
    page.locale = locale;
    const words = await disputeReasonWords();
    expect(words.reason("toString")).toBe("“toString”");
    expect(words.line("10.4 {fraud} <b>")).toBe(line);
  }
});
