import { createFormatter, createTranslator } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { realTime } from "@/app/(dashboard)/real-time";
import { messages } from "@/lib/i18n/messages";
import { REAL_CLOCK } from "@/lib/time";

vi.mock("next-intl/server", () => ({
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
  // Guarantee: the pages' own types hold their namespaces against the messages.
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

const AT = new Date("2026-11-22T14:16:00Z");
const told = async (clock: Parameters<typeof realTime>[0]) => {
  const real = await realTime(clock);
  return [real.text(AT), real.text(AT, true), renderToStaticMarkup(real.moment(AT)).replaceAll(/<[^>]+>/g, "")];
};

test("a date of real time says so while the account's clock tells another one, and only then", async () => {
  const plain = ["Nov 22, 2026, 2:16 PM", "Nov 22, 2026", "Nov 22, 2026, 2:16 PM"];
  expect(await told(REAL_CLOCK)).toEqual(plain);
  expect(await told(undefined)).toEqual(plain);
  const marked = ["Nov 22, 2026, 2:16 PM (real time)", "Nov 22, 2026 (real time)", "Nov 22, 2026, 2:16 PM real time"];
  expect(await told({ offsetSeconds: 86_400, frozenAt: null })).toEqual(marked);
  // It stands still, wherever it stands.
  expect(await told({ offsetSeconds: 0, frozenAt: AT })).toEqual(marked);
});
