import { expect, test } from "vitest";
import { answerTo } from "@/components/checkout/islands/answer";

const page = (status: number) => new Response("<!doctype html>", { status, headers: { "content-type": "text/html" } });

test.each([
  ["nobody answered", () => Promise.reject(new TypeError("Failed to fetch")), "network"],
  ["the server failed", () => Promise.resolve(page(500)), "failed"],
  ["the server cannot be reached behind its proxy", () => Promise.resolve(page(503)), "failed"],
  ["a failure that is told as JSON", () => Promise.resolve(Response.json({ message: "x" }, { status: 500 })), "failed"],
  ["somebody else answered", () => Promise.resolve(page(200)), "failed"],
  ["the page answered", () => Promise.resolve(Response.json({ next: "/pay" })), { next: "/pay" }],
])("%s", async (_, request: () => Promise<Response>, answer) => {
  expect(await answerTo(request())).toEqual(answer);
});
