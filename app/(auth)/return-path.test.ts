import { expect, test } from "vitest";
import { askedPath, returnPath } from "@/app/(auth)/return-path";

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

const LINK = "/dashboard/links/1";
test.each([
  [`${LINK}?do=answer&request=2`, `${LINK}?do=answer&request=2`],
  [`${LINK}?answer`, `${LINK}?answer`],
  [`${LINK}?do=answer&_rsc=1a2b3`, `${LINK}?do=answer`],
  [`${LINK}?_rsc=1a2b3`, LINK],
  [LINK, LINK],
  ["/dashboard/payments?do=refund", LINK],
  [`//evil.example${LINK}?do=answer`, LINK],
  [`https://evil.example${LINK}?do=answer`, LINK],
  ["http://", LINK],
  [null, LINK],
])("a page asked for as %j is come back to as %s", (asked, path) => {
  expect(askedPath(LINK, asked)).toBe(path);
});

test("without the launcher's word a page says itself where it is", () => {
  expect(askedPath(`${LINK}?file=3`, null)).toBe(`${LINK}?file=3`);
});
