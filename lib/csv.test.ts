import { expect, test } from "vitest";
import { csvCell, csvLine } from "@/lib/csv";

test.each([
  ["plain", "plain"],
  ['he said "no", twice', '"he said ""no"", twice"'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ["  @SUM(A1)", "'  @SUM(A1)"],
  ["-10", "'-10"],
  ["＝1", "'＝1"],
  ["\tx", "'\tx"],
  ["", ""],
])("a cell of %j is %j", (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test("a line ends as the standard says", () => {
  expect(csvLine(["a", "b,c"])).toBe('a,"b,c"\r\n');
});
