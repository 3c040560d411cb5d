import { describe, expect, test } from "vitest";
import { consequenceOf } from "@/lib/antifraud/verdict";
import type { AntifraudOptions } from "@/lib/providers/options";

const DEFAULTS: AntifraudOptions = {
  productType: "SYNC",
  captureOnApproved: true,
  refundOnReproved: true,
  captureOnError: false,
  refundOnError: false,
  runBeforeCharge: false,
};

describe("what a verdict does to a hold", () => {
  test.each([
    ["pending", {}, true, "hold"],
    ["approved", {}, true, "capture"],
    ["approved", {}, false, "hold"],
    ["approved", { captureOnApproved: false }, true, "hold"],
    ["reproved", {}, true, "void"],
    ["reproved", {}, false, "void"],
    ["reproved", { refundOnReproved: false }, true, "hold"],
    ["failed", {}, true, "hold"],
    ["failed", { captureOnError: true }, true, "capture"],
    ["failed", { captureOnError: true }, false, "hold"],
    ["failed", { refundOnError: true }, true, "void"],
    ["failed", { captureOnError: true, refundOnError: true }, true, "void"],
  ] as const)("%s with %o, capture asked: %s → %s", (status, options, asksCapture, expected) => {
    expect(consequenceOf(status, { ...DEFAULTS, ...options }, { asksCapture, isHeld: true })).toBe(expected);
  });
});

describe("what a verdict does before the charge", () => {
  test.each([
    ["pending", {}, "wait"],
    ["approved", {}, "charge"],
    ["approved", { captureOnApproved: false }, "charge"],
    ["reproved", { refundOnReproved: false }, "refuse"],
    ["failed", {}, "refuse"],
    ["failed", { captureOnError: true }, "charge"],
    ["failed", { captureOnError: true, refundOnError: true }, "refuse"],
  ] as const)("%s with %o → %s", (status, options, expected) => {
    expect(consequenceOf(status, { ...DEFAULTS, ...options }, { asksCapture: true, isHeld: false })).toBe(expected);
  });
});
