import { expect, test } from "vitest";
import { STEP_LABELS, spanOf } from "@/app/(dashboard)/dashboard/_home/span";
import { paymentFilters } from "@/app/(dashboard)/dashboard/payments/filters";

const midnight = (day: string) => new Date(`${day}T00:00:00-03:00`);

test.each([
  // Half a month is compared with the same half of the one before.
  ["month", "2026-11-15T12:00:00-03:00", "2026-11-01", undefined, "2026-10-01", new Date("2026-10-15T12:00:00-03:00")],
  // Of a month that is longer than the one before it, with all of that one.
  ["month", "2026-03-31T12:00:00-03:00", "2026-03-01", undefined, "2026-02-01", midnight("2026-03-01")],
  // In UTC it is the next month already.
  ["month", "2026-12-31T22:00:00-03:00", "2026-12-01", undefined, "2026-11-01", midnight("2026-12-01")],
  ["lastMonth", "2027-01-31T12:00:00-03:00", "2026-12-01", "2027-01-01", "2026-11-01", midnight("2026-12-01")],
  ["lastMonth", "2026-03-01T00:00:00-03:00", "2026-02-01", "2026-03-01", "2026-01-01", midnight("2026-02-01")],
  ["7d", "2026-11-15T12:00:00-03:00", "2026-11-09", undefined, "2026-11-02", new Date("2026-11-08T12:00:00-03:00")],
  ["today", "2026-11-15T12:00:00-03:00", "2026-11-15", undefined, "2026-11-14", new Date("2026-11-14T12:00:00-03:00")],
] as const)("the figures of %s at %s, and the same time before", (period, at, from, until, before, beforeUntil) => {
  const now = new Date(at);
  expect(spanOf({ period }, now)).toEqual({
    stretch: { period },
    problem: undefined,
    span: {
      from: midnight(from),
      until: until ? midnight(until) : new Date(now.getTime() + 1_000),
      before: midnight(before),
      beforeUntil,
      merchantId: undefined,
      step: period === "today" ? "hour" : "day",
    },
  });
});

test("the list of payments keeps to the same days, unless it is told which", () => {
  const read = (given: Record<string, string>) => {
    const { from, until } = paymentFilters(given, "2026-11-15", "pt-BR");
    return [from, until];
  };
  expect(read({ period: "month" })).toEqual([midnight("2026-11-01"), undefined]);
  expect(read({ period: "lastMonth" })).toEqual([midnight("2026-10-01"), midnight("2026-11-01")]);
  expect(read({ period: "lastMonth", to: "2026-10-10" })).toEqual([midnight("2026-10-01"), midnight("2026-10-11")]);
  expect(read({ period: "lastMonth", from: "2026-11-03" })).toEqual([midnight("2026-11-03"), undefined]);
  expect(read({ period: "30d" })).toEqual([midnight("2026-10-17"), undefined]);
});

test.each([
  // Ten whole days against the ten before them.
  ["2026-11-01", "2026-11-10", "2026-11-11", "2026-10-22", midnight("2026-11-01"), 10, "day"],
  // One day, by the hour.
  ["2026-11-03", "2026-11-03", "2026-11-04", "2026-11-02", midnight("2026-11-03"), 1, "hour"],
  // Days that still run are compared with as much of those before.
  ["2026-11-14", "2026-11-15", undefined, "2026-11-12", new Date("2026-11-13T12:00:00-03:00"), 2, "day"],
] as const)(
  "the figures from %s to %s, and the same time before",
  (from, to, until, before, beforeUntil, count, step) => {
    const now = new Date("2026-11-15T12:00:00-03:00");
    expect(spanOf({ period: "7d", from, to }, now)).toEqual({
      stretch: { range: { from, to, count } },
      problem: undefined,
      span: {
        from: midnight(from),
        until: until ? midnight(until) : new Date(now.getTime() + 1_000),
        before: midnight(before),
        beforeUntil,
        merchantId: undefined,
        step,
      },
    });
  },
);

test("days that are left out, to come, the wrong way around or too many", () => {
  const read = (given: Record<string, string>) => {
    const { stretch, problem } = spanOf(given, new Date("2026-11-15T12:00:00-03:00"));
    return problem ?? (stretch.range ? [stretch.range.from, stretch.range.to] : stretch.period);
  };
  expect(read({ from: "2026-11-10" })).toEqual(["2026-11-10", "2026-11-15"]);
  expect(read({ to: "2026-11-10" })).toEqual(["2026-11-10", "2026-11-10"]);
  expect(read({ from: "2026-11-10", to: "2030-01-01" })).toBe("ahead");
  expect(read({ from: "2026-11-16", to: "2026-11-17" })).toBe("future");
  expect(read({ from: "2026-11-10", to: "2026-11-09" })).toBe("beforeStart");
  expect(read({ from: "2025-11-14", to: "2026-11-15" })).toBe("tooLong");
  expect(read({ from: "2025-11-15", to: "2026-11-15" })).toEqual(["2025-11-15", "2026-11-15"]);
  expect(read({ from: "", to: "yesterday", period: "30d" })).toBe("30d");
  // No database reads the day before.
  for (const from of ["0000-01-01", "0001-01-01", "1999-12-31"])
    expect(read({ from, to: from, period: "30d" }), from).toBe("30d");
});

test("days that end after today are shown until today", () => {
  const at = new Date("2026-11-15T12:00:00-03:00");
  const { stretch, span } = spanOf({ from: "2026-11-10", to: "2026-11-16" }, at);
  expect(stretch.range).toEqual({ from: "2026-11-10", to: "2026-11-15", count: 6 });
  expect(span.until).toEqual(new Date(at.getTime() + 1_000));
});

test.each([
  ["en", "6:00 AM", "6:00 PM"],
  ["pt-BR", "06:00", "18:00"],
])("hours stand under the chart as times do elsewhere in %s", (locale, morning, evening) => {
  const { format } = new Intl.DateTimeFormat(locale, { ...STEP_LABELS.hour, timeZone: "America/Sao_Paulo" });
  const hours = ["06:00", "18:00"].map((hour) => format(new Date(`2026-11-15T${hour}:00-03:00`)));
  expect(hours.map((text) => text.replaceAll(/\s/gu, " "))).toEqual([morning, evening]);
});
