import { expect, test } from "vitest";
import { attributed, type Listed, type RefundMark } from "@/lib/providers/refund-marks";

const marked = (reference: string, before: number, amount: number): RefundMark => ({
  reference,
  before,
  amount,
  at: 0,
});
const listed = (refundId: string, amount: number, status: Listed["status"] = "done"): Listed => ({
  refundId,
  amount,
  status,
  at: "2026-11-23T12:00:00.000Z",
});
const whose = (refunds: Listed[], marks: RefundMark[]) => attributed(refunds, marks).map(({ reference }) => reference);

test("a refund is whose mark says what had been refunded until then", () => {
  const marks = [marked("a", 0, 30), marked("b", 30, 30)];
  expect(whose([listed("1", 30), listed("2", 30)], marks)).toEqual(["a", "b"]);
  expect(whose([listed("1", 5), listed("2", 30)], [marked("a", 5, 30)])).toEqual([undefined, "a"]);
  expect(whose([listed("1", 30, "failed"), listed("2", 30)], [marked("a", 0, 30), marked("b", 0, 30)])).toEqual([
    "a",
    "b",
  ]);
});

test("one that somebody made between a mark and its refund does not hide the refund", () => {
  expect(whose([listed("console", 20), listed("ours", 30)], [marked("a", 0, 30)])).toEqual([undefined, "a"]);
  // What came before the mark is not of it.
  expect(whose([listed("console", 30)], [marked("a", 30, 30)])).toEqual([undefined]);
  // An older mark of the same amount, whose refund never arrived, takes nothing from the newer one.
  const marks = [marked("never", 0, 30), marked("a", 0, 30)];
  expect(whose([listed("console", 20), listed("ours", 30)], marks)).toEqual([undefined, "a"]);
});

test("one that failed before another was asked for says nothing of it, though it is the only one that is shown", () => {
  const at = Date.parse("2026-11-23T12:00:00.000Z");
  const marks = [
    { ...marked("a", 0, 30), at: at - 1_000 },
    { ...marked("b", 0, 30), at: at + 86_400_000 },
  ];
  expect(whose([listed("1", 30, "failed")], marks)).toEqual(["a"]);
  expect(whose([listed("1", 30, "failed")], marks.slice(1))).toEqual([undefined]);
});
