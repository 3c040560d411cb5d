import { describe, expect, it } from "vitest";
import { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/app/api/dispatch/[[...path]]/route";
import { newMerchant, openClient, type TestClient } from "@/lib/testing/api";
import { type CallOptions, requestOf } from "@/lib/testing/api-client";

const handlers: Record<string, (request: Request) => Promise<Response>> = {
  DELETE,
  GET,
  HEAD,
  OPTIONS,
  PATCH,
  POST,
  PUT,
};

/** The same call at each of the addresses it may arrive at. */
async function atEach(client: TestClient, method: string, path: string, options?: CallOptions): Promise<string[]> {
  const seen = [];
  for (const prefix of ["/v1", "/api/v1", "/api/dispatch"]) {
    const handler = handlers[method] ?? GET;
    const answer = await handler(requestOf(client, method, prefix + path, options));
    const allow = answer.headers.get("allow") ?? "";
    seen.push(`${answer.status} ${allow} ${answer.headers.get("content-type") ?? ""} ${await answer.text()}`);
  }
  return seen;
}

describe("every address under which the API is served", () => {
  it.each([
    ["GET", "/merchants?limit=1", 200],
    ["GET", "/nothing", 404],
    ["GET", "", 404],
    ["GET", "/merchants/%ff", 404],
    ["GET", "/merchants/%00", 400],
    ["PUT", "/merchants", 405],
    ["HEAD", "/merchants", 405],
    ["OPTIONS", "/cards", 204],
    ["GET", "/merchants?page=1&page=2", 400],
    ["PATCH", "/merchants/01a1fdbe-4c50-7154-869e-24c672faaae5", 404],
    ["DELETE", "/merchants/01a1fdbe-4c50-7154-869e-24c672faaae5", 404],
  ])("%s %s answers the same bytes", async (method, path, status) => {
    const client = await openClient();
    const answers = await atEach(client, method, path, method === "PATCH" ? { body: {} } : {});
    expect(new Set(answers).size).toBe(1);
    expect(Number(answers[0]?.split(" ")[0])).toBe(status);
  });

  it("passes the body on, and a repeat at another address is the same request", async () => {
    const client = await openClient();
    const options = { body: newMerchant(), idempotencyKey: "one-merchant" };
    const answers = await atEach(client, "POST", "/merchants", options);
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^201 /);
  });
});
