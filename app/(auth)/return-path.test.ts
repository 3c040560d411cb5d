import { expect, test } from "vitest";
import { returnPath } from "@/app/(auth)/return-path";

test.each([
  ["/dashboard/payments?status=paid", "/dashboard/payments?status=paid"],
  ["/dashboard", "/dashboard"],
  ["//evil.example/dashboard", "/dashboard"],
  ["/\\evil.example/dashboard", "/dashboard"],
  ["https://evil.example/dashboard", "/dashboard"],
  ["javascript:alert(1)", "/dashboard"],
  ["/dashboardless", "/dashboard"],
  ["/dashboard/../../sign-in", "/dashboard"],
  [["/dashboard/a", "/dashboard/b"], "/dashboard"],
  [undefined, "/dashboard"],
])("after signing in, %j leads to %s", (asked, path) => {
  expect(returnPath(asked)).toBe(path);
});
