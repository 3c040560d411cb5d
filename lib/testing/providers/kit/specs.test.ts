import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { API_VERSION as ADYEN_VERSION } from "@/lib/providers/adyen/call";
import { API_VERSION } from "@/lib/providers/stripe/call";
import { PROVABLE } from "@/lib/testing/providers/kinds";
import { specDigest, specText } from "@/lib/testing/providers/kit/contract";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");

test("the documents are the ones that the adapters were written against", () => {
  const listed = specText("SHA256SUMS")
    .trim()
    .split("\n")
    .map((line) => line.split(/\s+/));
  expect(listed.length).toBeGreaterThan(3);
  for (const [digest = "", file = ""] of listed) expect(specDigest(file), file).toBe(digest);
});

test("the version that each adapter sends is its document's", () => {
  expect(specText("adyen/CheckoutService-v72.json")).toContain(`"https://checkout-test.adyen.com/${ADYEN_VERSION}"`);
  expect(specText("stripe/payments-subset-2023-08-16.json")).toContain(`"version":"${API_VERSION}"`);
});

test("the README shows each adapter's label and no more", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  for (const [kind, { verified }] of Object.entries(PROVABLE)) {
    const dates: unknown = JSON.parse(readFileSync(join(ROOT, verified), "utf8"));
    const { offlineContract, liveSandbox } = dates as Record<string, string | null>; // As the command writes them.
    const label = liveSandbox ? `live-sandbox (${liveSandbox})` : `contract-offline (${offlineContract})`;
    expect(readme, kind).toMatch(new RegExp(`\\| ${kind} \\|.*\\| ${label.replace(/[()]/g, "\\$&")} \\|`));
  }
});
