import { createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { providerNamer } from "@/app/(dashboard)/dashboard/sellers/words";
import { messages } from "@/lib/i18n/messages";

vi.mock("next-intl/server", () => {
  const locale = "pt-BR" as const;
  return {
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

const at = (id: string, name: string, priority: number) => ({
  sellerId: "seller",
  registrationId: `at ${id}`,
  id,
  name,
  priority,
});

test("the providers of a seller are told apart, whatever they are called", async () => {
  const named = await providerNamer();
  const namesOf = (all: ReturnType<typeof at>[]) => all.map(({ registrationId }) => named(registrationId, all));
  expect(namesOf([at("000001", "Adyen", 1), at("000002", "Pagar.me", 2)])).toEqual(["Adyen", "Pagar.me"]);
  expect(namesOf([at("000001", "Sandbox", 1), at("000002", "Sandbox", 2)])).toEqual([
    "Sandbox (prioridade 1)",
    "Sandbox (prioridade 2)",
  ]);
  expect(namesOf([at("x-000001", "Sandbox", 1), at("x-000002", "Sandbox", 1)])).toEqual([
    "Sandbox (000001)",
    "Sandbox (000002)",
  ]);
});
