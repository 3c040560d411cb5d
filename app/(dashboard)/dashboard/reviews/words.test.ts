import { createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { reviewWords } from "@/app/(dashboard)/dashboard/reviews/words";
import { messages } from "@/lib/i18n/messages";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

test.each([
  [{ status: "processing", reason: "amount_mismatch" }, "Amount differs at the provider"],
  [{ status: "processing", reason: "seen_undetermined" }, "Confirming with the provider"],
  [{ status: "timeout", reason: null }, "No answer"],
  [{ status: "of a later version", reason: "of_a_later_version" }, "Unknown outcome"],
])("the last answer %o is told in words", async (answer, words) => {
  expect((await reviewWords()).answer(answer)).toBe(words);
});
