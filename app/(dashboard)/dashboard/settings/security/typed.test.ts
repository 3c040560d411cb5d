import { createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { shownOnce } from "@/app/(dashboard)/dashboard/settings/security/typed";
import type { Locale } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";

const reader = vi.hoisted(() => ({ locale: "en" as Locale }));
vi.mock("next-intl/server", () => ({
  getTranslations: async () =>
    createTranslator({
      locale: reader.locale,
      messages: messages[reader.locale],
      namespace: "security",
    }),
}));

const CODES = ["ABCDE-FGHIJ", "KLMNO-PQRST"];

test.each<[Locale, RegExp[]]>([
  [
    "en",
    [/lose your phone or passkey/, /after your password/, /works only once/, /won’t see them again/, /safe place/],
  ],
  [
    "pt-BR",
    [
      /perder o celular ou a chave de acesso/,
      /depois da senha/,
      /uma única vez/,
      /não serão mostrados/,
      /lugar seguro/,
    ],
  ],
])("recovery codes, in %s: what for, how often, until when and where to keep them", async (locale, said) => {
  reader.locale = locale;
  const { secret } = await shownOnce(CODES);
  for (const each of said) expect(secret?.note).toMatch(each);
  expect(secret?.value.split("\n")).toEqual(CODES);
  const { name = "", text = "" } = secret?.file ?? {};
  expect(name).toMatch(/^trilho-[a-z-]+\.txt$/);
  expect(text).toContain("Trilho");
  for (const code of CODES) expect(text).toContain(code);
});
