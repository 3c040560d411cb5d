import { expect, test } from "vitest";
import { firstOf, scheduleOf } from "@/app/(dashboard)/dashboard/reports/schedule";
import { spanFault } from "@/lib/reports/span";

test("a time that is none is refused, never replaced by another", () => {
  expect(scheduleOf({ cron: "daily", time: "23:59" })).toEqual({ cron: "daily", time: "23:59" });
  for (const time of ["25:99", "6:00", "24:00", ""]) expect(scheduleOf({ cron: "daily", time })).toBe("unfit");
  expect(scheduleOf({ cron: "", time: "25:99" })).toBe(null);
});

test("what is wrong with two days is known before anything is asked for", () => {
  const asked = { zone: "America/Sao_Paulo", now: new Date("2026-06-01T12:00:00Z") };
  const fault = (from: string, to: string) => spanFault({ gte: { day: from }, lte: { day: to } }, asked);
  expect(fault("2026-12-31", "2026-01-01")).toBe("reversed");
  expect(fault("2024-01-01", "2026-01-01")).toBe("long");
  expect(fault("2026-01-01", "2026-12-31")).toBe(undefined);
  expect(spanFault({ gte: { day: "2027-01-01" } }, asked)).toBe(undefined);
});

test("the one just saved says when it first comes, on its own clock", () => {
  const at = new Date("2026-12-07T09:00:00Z");
  const kept = [
    { id: "a", nextAt: at, timezone: "America/Manaus" },
    { id: "b", nextAt: null, timezone: "America/Sao_Paulo" },
  ];
  expect(firstOf(kept, "a")).toEqual({ at, timeZone: "America/Manaus" });
  expect(firstOf(kept, "b")).toBe(undefined);
  expect(firstOf(kept, undefined)).toBe(undefined);
});
