import { expect, test } from "vitest";
import { unusedProviderName } from "@/components/merchants/provider-names";

test("a second provider of a kind is named apart", () => {
  expect(unusedProviderName("SANDBOX", [])).toBe("Sandbox");
  expect(unusedProviderName("SANDBOX", ["Sandbox", "Sandbox 2"])).toBe("Sandbox 3");
});
