import { describe, expect, test } from "vitest";
import { addressesIn, addressIn, isAllowedFrom } from "@/lib/addresses";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  [" 203.0.113.0/24 ", "203.0.113.0/24"],
  ["2001:DB8::1", "2001:db8::1"],
  ["2001:db8::/32", "2001:db8::/32"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["203.0.113.7/33", undefined],
  ["2001:db8::/129", undefined],
  ["0.0.0.0/0", undefined],
  ["::/0", undefined],
  ["203.0.113", undefined],
  ["203.0.113.7/", undefined],
  ["203.0.113.7/24/8", undefined],
  ["fe80::1%eth0", undefined],
  ["example.com", undefined],
  ["", undefined],
])("%j is kept as %j", (text, kept) => {
  expect(addressIn(text)).toBe(kept);
});

test("a list is read with commas, spaces and line ends, each entry once, and says what it did not understand", () => {
  expect(addressesIn("203.0.113.7, 203.0.113.7\n2001:DB8::/32;  2001:db8::/32 office 10.0.0.300")).toEqual({
    addresses: ["203.0.113.7", "2001:db8::/32"],
    unknown: ["office", "10.0.0.300"],
  });
  expect(addressesIn(" \n ")).toEqual({ addresses: [], unknown: [] });
});

describe("an address", () => {
  const allowed = ["203.0.113.0/24", "198.51.100.9", "2001:db8:1::/48"];

  test.each([
    ["203.0.113.200", true],
    ["203.0.114.1", false],
    ["198.51.100.9", true],
    ["198.51.100.10", false],
    ["::ffff:203.0.113.5", true],
    ["2001:db8:1:ffff::5", true],
    ["2001:DB8:1::5", true],
    ["2001:db8:2::5", false],
    ["::1", false],
    ["unknown", false],
    ["", false],
    [null, false],
    [undefined, false],
  ])("%j is on the list: %j", (address, isOn) => {
    expect(isAllowedFrom(allowed, address)).toBe(isOn);
  });

  test.each(["203.0.113.5", "2001:db8::5", "unknown", null])("%j may when there is no list", (address) => {
    expect(isAllowedFrom([], address)).toBe(true);
  });
});
