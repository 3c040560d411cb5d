import { describe, expect, it } from "vitest";
import { amount, commaList, createdFilter, day, instantIn, optional, text, uuid, yesNo } from "@/lib/http/fields";
import { directionOf, envelope, offsetOf, pageQuery } from "@/lib/http/pagination";

describe("instants", () => {
  it.each([
    ["2026-11-20T14:03:07.120Z", "2026-11-20T14:03:07.120Z"],
    ["2026-11-20T14:03:07Z", "2026-11-20T14:03:07.000Z"],
    ["2026-11-20t14:03:07z", "2026-11-20T14:03:07.000Z"],
    ["2026-11-20T11:03:07-03:00", "2026-11-20T14:03:07.000Z"],
    ["2026-11-20T14:03", "2026-11-20T14:03:00.000Z"],
    ["2026-11-20T14:03:07", "2026-11-20T14:03:07.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ])("%s is %s", (given, instant) => {
    expect(instantIn.parse(given).toISOString()).toBe(instant);
  });

  it("the last instant that can be said is the end of a span too", () => {
    const last = "9999-12-31T23:59:59.999Z";
    expect(createdFilter.parse(last).until.toISOString()).toBe(last);
    expect(createdFilter.parse("9999-12-31").until.toISOString()).toBe(last);
  });

  it.each([
    "",
    "now",
    "2026-11-20",
    "2026-13-01T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-11-20 14:03:07Z",
    "1763647387",
    "2026-11-20T25:00:00Z",
    "0000-06-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-03:00",
  ])("%j is none", (given) => {
    expect(instantIn.safeParse(given).success).toBe(false);
  });

  it("a filter by day is that UTC day, by instant that millisecond", () => {
    expect(createdFilter.parse("2026-11-20")).toEqual({
      from: new Date("2026-11-20T00:00:00Z"),
      until: new Date("2026-11-21T00:00:00Z"),
    });
    expect(createdFilter.parse("2026-11-20T10:00:00Z")).toEqual({
      from: new Date("2026-11-20T10:00:00.000Z"),
      until: new Date("2026-11-20T10:00:00.001Z"),
    });
    expect(createdFilter.safeParse("2026-02-30").success).toBe(false);
  });

  it.each(["2026-02-29", "2026-00-10", "20261120", "2026-1-1", "2026-11-20T00:00:00Z"])("%s is no day", (given) => {
    expect(day.safeParse(given).success).toBe(false);
  });
});

describe("other fields", () => {
  it("ids are taken in any letter case and kept in one", () => {
    expect(uuid.parse("0192F1C4-8A10-7C3E-9B55-0D2F6A7E1C01")).toBe("0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01");
    for (const given of ["", "0192f1c48a107c3e9b550d2f6a7e1c01", "{0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01}", 1]) {
      expect(uuid.safeParse(given).success).toBe(false);
    }
  });

  it.each([1.5, "100", -1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, null, true])("%j is no amount", (given) => {
    expect(amount(0).safeParse(given).success).toBe(false);
  });

  it("amounts reach from their least to the last safe integer", () => {
    expect(amount(1).parse(1)).toBe(1);
    expect(amount(1).safeParse(0).success).toBe(false);
    expect(amount(0).parse(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("null equals absent in an optional member, never in a required one", () => {
    expect(optional(text(3)).parse(null)).toBeUndefined();
    expect(optional(text(3)).parse(undefined)).toBeUndefined();
    expect(text(3).safeParse(null).success).toBe(false);
  });

  it("several values are separated by commas, and every one must be known", () => {
    const list = commaList(["paid", "failed"]);
    expect(list.parse("paid, failed")).toEqual(["paid", "failed"]);
    for (const given of ["", ",", "paid,", "paid,other", "PAID"]) expect(list.safeParse(given).success).toBe(false);
  });

  it("a yes or no is spelled true or false", () => {
    expect([yesNo.parse("true"), yesNo.parse("false")]).toEqual([true, false]);
    for (const given of ["1", "yes", "TRUE", ""]) expect(yesNo.safeParse(given).success).toBe(false);
  });
});

describe("pages", () => {
  it("default to the first ten, newest first", () => {
    const page = pageQuery.parse({});
    expect([page.page, page.limit, directionOf(page), offsetOf(page)]).toEqual([1, 10, "desc", 0]);
  });

  it.each([
    [{ order: "ASC" }, "asc"],
    [{ sort: "Asc" }, "asc"],
    [{ order: "desc", sort: "asc" }, "desc"],
    [{ order: "" }, "desc"],
    [{ order: "createdAt" }, "desc"],
  ] as const)("%j sorts %s", (given, direction) => {
    expect(directionOf(pageQuery.parse(given))).toBe(direction);
  });

  it.each(["0", "-1", "1.0", "1e1", " 1", "", "x", "9999999999", "٣"])("%j is no page", (page) => {
    expect(pageQuery.safeParse({ page }).success).toBe(false);
  });

  it("count themselves", () => {
    const meta = (totalItems: number, page: number, items: number[]) =>
      envelope({ page, limit: 3 }, { items, totalItems }).meta;
    expect(meta(7, 3, [7])).toEqual({ totalItems: 7, itemCount: 1, itemsPerPage: 3, totalPages: 3, currentPage: 3 });
    expect(meta(0, 1, [])).toEqual({ totalItems: 0, itemCount: 0, itemsPerPage: 3, totalPages: 0, currentPage: 1 });
    expect(meta(6, 9, [])).toMatchObject({ totalPages: 2, itemCount: 0, currentPage: 9 });
  });
});
