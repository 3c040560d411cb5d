import { expect, test } from "vitest";
import { attributed, type Listed, type Mark } from "@/lib/providers/refund-marks";

const marked = (reference: string, before: number, amount: number): Mark => ({ reference, before, amount, at: 0 });
const listed = (refundId: string, amount: number, status: Listed["status"] = "done"): Listed => ({
  refundId,
  amount,
  status,
  at: "2026-11-23T12:00:00.000Z",
});
const whose = (refunds: Listed[], marks: Mark[]) => attributed(refunds, marks).map(({ reference }) => reference);

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
