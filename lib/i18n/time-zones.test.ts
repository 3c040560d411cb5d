import { expect, test } from "vitest";
import { messages } from "@/lib/i18n/messages";
import { namingZone, TIME_ZONES, timeZoneOf } from "@/lib/i18n/time-zones";

test("every zone is one that dates can be shown in", () => {
  for (const timeZone of TIME_ZONES) expect(() => new Intl.DateTimeFormat("en", { timeZone })).not.toThrow();
});

test.each([
  ["Europe/Lisbon", "Europe/Lisbon"],
  ["Mars/Olympus", "America/Sao_Paulo"],
  [undefined, "America/Sao_Paulo"],
])("%s is shown in %s", (asked, zone) => {
  expect(timeZoneOf(asked)).toBe(zone);
});

test("pages name the zone their times are in", () => {
  expect(messages.en.requests.zone).toBe("Times in São Paulo");
  expect(namingZone(messages.en, "Europe/Lisbon").requests.zone).toBe("Times in Lisboa");
  expect(namingZone(messages["pt-BR"], "UTC").requests.zone).toContain("UTC");
});
