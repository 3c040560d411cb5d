import { createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { outcomeWords } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/outcomes";
import { readStatements } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/statements";
import { messages } from "@/lib/i18n/messages";
import type { ResolutionPlan } from "@/lib/purchases/review/service";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

const plan = (status: ResolutionPlan["status"]): ResolutionPlan => ({
  plan: "",
  slots: [{ slotIndex: 2, from: "pending", truth: null, to: "pending", amount: 100 }],
  choices: ["leave"],
  followUp: "leave",
  operation: null,
  status,
  amountAtStake: 100,
});

test.each([
  ["failed", "Not attempted; nothing is charged."],
  ["cancelled", "Not attempted; nothing is charged."],
  ["pending", "No change: Pending."],
] as const)("a card that was never tried, once the sale is %s: %s", async (status, words) => {
  const [consequence] = (await outcomeWords(String)).consequences(plan(status));
  expect(consequence?.lines).toEqual([words]);
});

test("what a card that has nothing at the provider is said to have there is not read", () => {
  const slot = { slotIndex: 0, truths: ["absent", "captured"] } as const;
  const said = (truth: string) => readStatements({ slots: [slot] }, (name) => (name === "truth.0" ? truth : "tx_1"));
  expect(said("absent")).toEqual([{ slotIndex: 0, truth: "absent" }]);
  expect(said("captured")).toEqual([{ slotIndex: 0, truth: "captured", providerTransactionId: "tx_1" }]);
});
