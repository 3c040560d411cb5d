import Holidays from "date-holidays";
import { describe, expect, test } from "vitest";
import {
  addDays,
  bankHolidays,
  creditSettlementDay,
  daysBetween,
  endOfSaoPauloDay,
  isBankDay,
  isCivilDate,
  nextBankDay,
  rollForward,
  saoPauloDay,
  saoPauloInstant,
  saoPauloWallTime,
  startOfSaoPauloDay,
} from "@/lib/brazil/bank-calendar";
import VECTORS from "@/lib/brazil/br-vectors.json";

const { business_days: DAYS } = VECTORS;

describe("bank days", () => {
  test.each(DAYS.not)("%s is not a bank day", (day) => expect(isBankDay(day)).toBe(false));
  test.each(DAYS.is)("%s is a bank day", (day) => expect(isBankDay(day)).toBe(true));

  test("agree with an independent calendar from 2000 to 2060", () => {
    const oracle = new Holidays("BR");
    for (let year = 2000; year <= 2060; year++) {
      const expected = oracle
        .getHolidays(year, "en")
        .filter(({ type, name }) => (type === "public" || type === "bank") && name !== "Election Day")
        .map(({ date }) => date.slice(0, 10));
      const ours = [...bankHolidays(year)];
      const theirs = [...new Set(expected)];
      expect({ year, days: ours.sort() }).toEqual({ year, days: theirs.sort() });
    }
  });

  test("roll forward to the first bank day on or after, and the next one is always later", () => {
    expect(rollForward("2026-02-14")).toBe("2026-02-18");
    expect(rollForward("2026-02-18")).toBe("2026-02-18");
    expect(nextBankDay("2026-02-18")).toBe("2026-02-19");
    expect(nextBankDay("2026-11-19")).toBe("2026-11-23");
    expect(nextBankDay("2026-12-31")).toBe("2027-01-04");
  });

  test.each(DAYS.settle)("a sale of $capture settles on $dates", ({ capture, n, dates }) => {
    expect(Array.from({ length: n }, (_, k) => creditSettlementDay(capture, k + 1))).toEqual(dates);
  });
});

describe("days", () => {
  test("are counted on the calendar", () => {
    expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
    expect(addDays("2024-03-01", -1)).toBe("2024-02-29");
    expect(daysBetween("2026-11-23", "2026-12-21")).toBe(28);
    expect(daysBetween("2026-03-01", "2026-02-28")).toBe(-1);
  });

  test("exist, or are refused", () => {
    expect(isCivilDate("2024-02-29")).toBe(true);
    for (const bad of ["2026-02-29", "2026-2-1", "2026-13-01", "20260101", "2026-01-01T00:00:00Z", ""]) {
      expect(isCivilDate(bad)).toBe(false);
      expect(() => addDays(bad, 1)).toThrow(RangeError);
      expect(() => isBankDay(bad)).toThrow(RangeError);
    }
  });
});

describe("São Paulo time", () => {
  test("follows the zone, daylight saving before 2019 included", () => {
    expect(saoPauloWallTime(new Date("2018-11-05T02:30:00Z"))).toBe("2018-11-05T00:30:00");
    expect(saoPauloDay(new Date("2018-11-05T02:30:00Z"))).toBe("2018-11-05");
    expect(saoPauloDay(new Date("2026-11-20T02:59:59.999Z"))).toBe("2026-11-19");
    expect(saoPauloDay(new Date("2026-11-20T03:00:00Z"))).toBe("2026-11-20");
  });

  test("a time of a day is one instant", () => {
    expect(saoPauloInstant("2026-11-19", "15:00:00").toISOString()).toBe("2026-11-19T18:00:00.000Z");
    expect(saoPauloInstant("2018-12-01", "15:00:00").toISOString()).toBe("2018-12-01T17:00:00.000Z");
    expect(() => saoPauloInstant("2026-02-30", "00:00:00")).toThrow(RangeError);
    expect(() => saoPauloInstant("2026-02-20", "25:00:00")).toThrow(RangeError);
  });

  test("a day ends with its last millisecond, whatever the clocks did that night", () => {
    expect(endOfSaoPauloDay("2026-11-20").toISOString()).toBe("2026-11-21T02:59:59.999Z");
    // Clocks jumped from 00:00 to 01:00 as 4 November 2018 began, and fell back from 24:00 to 23:00 on 17 February 2018.
    expect(endOfSaoPauloDay("2018-11-03").toISOString()).toBe("2018-11-04T02:59:59.999Z");
    expect(startOfSaoPauloDay("2018-11-04").toISOString()).toBe("2018-11-04T03:00:00.000Z");
    expect(endOfSaoPauloDay("2018-02-17").toISOString()).toBe("2018-02-18T02:59:59.999Z");
    expect(saoPauloInstant("2018-02-17", "23:30:00").toISOString()).toBe("2018-02-18T01:30:00.000Z");
  });

  test("every day of forty years starts right after the day before it ends", () => {
    for (let day = "2000-01-01"; day < "2040-01-01"; day = addDays(day, 1)) {
      const end = endOfSaoPauloDay(day);
      const ok = saoPauloDay(end) === day && saoPauloDay(new Date(end.getTime() + 1)) === addDays(day, 1);
      if (!ok) expect.fail(`${day} ends at ${end.toISOString()}`);
    }
  });
});
