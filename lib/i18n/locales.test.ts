import { expect, test } from "vitest";
import { localeFor } from "@/lib/i18n/locales";

test.each([
  ["the language chosen by hand wins", "en", "pt-BR", "en"],
  ["without a choice the browser's best language that we speak", undefined, "fr;q=0.9, en-GB;q=0.8, pt;q=0.7", "en"],
  ["quality outranks order", undefined, "en;q=0.3, pt-PT;q=0.9", "pt-BR"],
  ["a language refused with q=0 is not used", undefined, "en;q=0", "pt-BR"],
  ["a choice we never offered is ignored", "xx", "en", "en"],
  ["nobody asked for anything", undefined, null, "pt-BR"],
])("%s", (_name, chosen, header, expected) => {
  expect(localeFor(chosen, header)).toBe(expected);
});
