import { beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "@/app/api/endpoints";
import { aKey, openClient, type TestClient } from "@/lib/testing/api";

let client: TestClient;
beforeAll(async () => {
  // Before anything reads the configuration.
  process.env.SANDBOX_ENABLED = "false";
  client = await openClient();
});

const tools = ENDPOINTS.filter(({ spec }) => spec.sandboxOnly).map(({ spec }) => [spec.method, spec.path] as const);

describe("an installation without the simulator", () => {
  test("has tools to hide", () => expect(tools.length).toBeGreaterThan(14));

  test.each(tools)("404: %s %s is not there", async (method, path) => {
    const reply = await client.call(method, path.replace(/\{\w+\}/g, aKey()), method === "GET" ? {} : { body: {} });
    expect([reply.status, reply.error?.type]).toEqual([404, "entity_not_found"]);
  });
});
