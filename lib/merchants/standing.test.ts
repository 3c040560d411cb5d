import { expect, test } from "vitest";
import { connectionStanding } from "@/lib/merchants/standing";

const of = (kind: string, testPassed: boolean | null, routable = true) =>
  connectionStanding({ kind, testPassed, routable });

test("a connection is in use once its test has passed, and never before", () => {
  expect(of("ADYEN", true)).toBe("inUse");
  expect(of("ADYEN", null)).toBe("untested");
  expect(of("ADYEN", false)).toBe("failed");
  expect(of("ADYEN", true, false)).toBe("unavailable");
});

test("the simulator needs no test", () => {
  expect(of("SANDBOX", null)).toBe("inUse");
  expect(of("SANDBOX", false)).toBe("failed");
});
