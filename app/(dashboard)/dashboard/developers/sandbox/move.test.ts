import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { moveTexts } from "@/app/(dashboard)/dashboard/developers/sandbox/move";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
}));

const FROM = new Date("2027-02-07T05:11:00Z");
const HOUR_SECONDS = 3_600;

test("a move of the clock is as many days as were whole, and the hours that follow", async () => {
  const ctx = await (await openClient()).context();
  const titleOf = async (seconds: number) => {
    const to = addSeconds(FROM, seconds);
    return (await moveTexts(ctx, { state: "moved", from: FROM, to, jobsRun: 0, kindsRun: [] })).title.split(":")[0];
  };
  expect(await titleOf(8 * DAY_SECONDS + 14 * HOUR_SECONDS)).toBe("Clock moved by 8 days and 14 hours");
  expect(await titleOf(DAY_SECONDS)).toBe("Clock moved by 1 day");
  expect(await titleOf(7 * DAY_SECONDS + 59)).toBe("Clock moved by 7 days");
  expect(await titleOf(DAY_SECONDS + HOUR_SECONDS)).toBe("Clock moved by 1 day and 1 hour");
  expect(await titleOf(23 * HOUR_SECONDS)).toMatch(/^Clock moved from /);
});
