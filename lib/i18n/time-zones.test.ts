import { expect, test } from "vitest";
import { messages } from "@/lib/i18n/messages";
import { instantOnWall, namingZone, TIME_ZONES, timeZoneOf, wallIn } from "@/lib/i18n/time-zones";

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
  expect(namingZone(messages.en, "Europe/Lisbon", "en").requests.zone).toBe("Times in Lisbon");
  expect(namingZone(messages["pt-BR"], "America/New_York", "pt-BR").requests.zone).toBe("Horários de Nova York");
  expect(namingZone(messages["pt-BR"], "UTC", "pt-BR").requests.zone).toContain("UTC");
  expect(namingZone(messages.en, "America/Manaus", "en").payouts.zone).toBe("Times in Manaus; bank days of Brazil");
});

test("the window in which receivables are paid early is São Paulo's, whoever reads it", () => {
  expect(namingZone(messages.en, "America/Manaus", "en").prepayments).toEqual(messages.en.prepayments);
  expect(messages.en.prepayments.bankZone).toContain("São Paulo");
});

test.each([
  ["America/Sao_Paulo", "2026-11-22T10:00", "2026-11-22T13:00:00.000Z"],
  ["Europe/Lisbon", "2026-11-22T10:00", "2026-11-22T10:00:00.000Z"],
  ["Europe/Lisbon", "2026-07-01T10:00", "2026-07-01T09:00:00.000Z"],
  ["America/New_York", "2026-03-08T03:00", "2026-03-08T07:00:00.000Z"],
  ["UTC", "2026-11-22T10:00", "2026-11-22T10:00:00.000Z"],
])("a time typed in %s, %s, is %s, and is shown as it was typed", (zone, wall, instant) => {
  const at = instantOnWall(zone, wall);
  expect(at?.toISOString()).toBe(instant);
  expect(at && wallIn(zone, at)).toBe(wall);
});

test("what is no time is none in any zone", () => {
  expect(instantOnWall("UTC", "")).toBeUndefined();
  expect(instantOnWall("UTC", "2026-13-01T10:00")).toBeUndefined();
});
