import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { KeyDialog } from "@/app/(dashboard)/dashboard/developers/keys/dialogs";
import { scopeWords } from "@/app/(dashboard)/dashboard/developers/keys/words";
import { SCOPES } from "@/lib/http/scopes";
import { messages } from "@/lib/i18n/messages";

vi.mock("@/app/(auth)/auth", () => ({ auth: async () => null }));
vi.mock("next-intl/server", () => {
  const locale = "pt-BR" as const;
  return {
    getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

test("what a public key may do is said in words, in its form and in the list", async () => {
  const dialog = await KeyDialog({ doing: "create-public", id: "", hint: "", isSandbox: true, allowed: [] });
  expect(JSON.stringify(dialog?.props)).toContain('{"value":"customers","label":"Clientes"}');
  const say = await scopeWords();
  expect(SCOPES.filter((scope) => say(scope) === scope)).toEqual([]);
  expect(say("*")).toBe("Tudo de que o navegador do comprador precisa");
});
