import { expect, test } from "vitest";
import { addressOf, isSameOrigin } from "@/app/request-origin";
import { env } from "@/lib/env";

const headers = (given: { origin?: string; host?: string; [name: string]: string | undefined }) =>
  new Headers(Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

test.each([
  ["a page of this host", { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }, true],
  ["the published address behind a proxy", { origin: new URL(env().BASE_URL).origin, host: "internal:8080" }, true],
  ["another site", { origin: "https://evil.example", host: "localhost:3000" }, false],
  ["another port of this machine", { origin: "http://localhost:4000", host: "localhost:3000" }, false],
  ["a sandboxed frame", { origin: "null", host: "localhost:3000" }, false],
  ["nobody says where from", { host: "localhost:3000" }, false],
])("a mutation from %s: %#", (_from, given, isOurs) => {
  expect(isSameOrigin(headers(given))).toBe(isOurs);
});

test("the launcher's word on the address outranks what a client may have sent", () => {
  expect(addressOf(headers({ "x-trilho-address": "203.0.113.7", "x-forwarded-for": "10.0.0.1" }))).toBe("203.0.113.7");
  expect(addressOf(headers({ "x-forwarded-for": "10.0.0.1, 203.0.113.9" }))).toBe("203.0.113.9");
  expect(addressOf(headers({}))).toBeNull();
});
