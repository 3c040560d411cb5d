import { createTranslator } from "next-intl";
import { beforeAll, expect, test } from "vitest";
import { wordsIn } from "@/app/(dashboard)/dashboard/audit/words";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";

type Words = Awaited<ReturnType<typeof wordsIn>>;
let words: Words;

beforeAll(async () => {
  const client = await openClient();
  const t = createTranslator({ locale: "en", messages: messages.en, namespace: "audit" });
  // Guarantee: the translator of a page has the same texts, and more ways to show them.
  words = await wordsIn(t as Parameters<typeof wordsIn>[0], await client.context(), []);
});

const link = (changes: object) => ({ status: "created", isActive: true, dueDate: null, maxPayments: null, ...changes });

test.each([
  [{ action: "charge.void", before: null, after: { amount: 1, kind: "refund" } }, "Payment refunded"],
  [{ action: "charge.void", before: null, after: { amount: 1, kind: "void" } }, "Authorization voided"],
  [{ action: "charge.void", before: null, after: { amount: 1, kind: "cancel_open" } }, "Open payment canceled"],
  [{ action: "charge.void", before: null, after: { amount: 1 } }, "Payment refunded or canceled"],
  [{ action: "session.update", before: link({}), after: link({ isActive: false }) }, "Link turned off"],
  [{ action: "session.update", before: link({ isActive: false }), after: link({}) }, "Link turned on"],
  [{ action: "session.update", before: link({}), after: link({ isActive: false, maxPayments: 5 }) }, "Link changed"],
  [{ action: "session.update", before: link({}), after: link({ dueDate: "2030-01-01" }) }, "Link changed"],
  [{ action: "no.such", before: null, after: null }, "no.such"],
])("a row says which of several things was done: %j", (row, said) => {
  expect(words.action(row)).toBe(said);
});
