import { beforeAll, describe, expect, test } from "vitest";
import { flushRequestLog } from "@/lib/http/request-log";
import { curlOf } from "@/lib/request-logs/curl";
import { getRequest, listRequests } from "@/lib/request-logs/queries";
import { aKey, openClient, type TestClient } from "@/lib/testing/api";
import { cardData, newCustomer } from "@/lib/testing/payments";

let client: TestClient;
let stranger: TestClient;
const key = aKey();

beforeAll(async () => {
  client = await openClient();
  stranger = await openClient();
  await client.call("POST", "/v1/customers", {
    body: newCustomer({ name: "Ana d'Ávila" }),
    query: { force: "true" },
    idempotencyKey: key,
  });
  await client.call("POST", "/v1/tokens", { body: cardData() });
  await client.call("GET", "/v1/charges", { query: { limit: "5" } });
  await client.call("GET", `/v1/charges/${aKey()}`);
  await flushRequestLog();
});

const listed = async (filters = {}, of = client) => (await listRequests(await of.context(), "owner", filters)).items;

describe("the request log", () => {
  test("lists the calls of the account, newest first, and of no other", async () => {
    const items = await listed();
    expect(items.map(({ method, status }) => `${method} ${status}`)).toEqual([
      "GET 404",
      "GET 200",
      "POST 201",
      "POST 201",
    ]);
    expect(new Set(items.map(({ createdAt }) => createdAt.getTime())).size, "each tells its own moment").toBe(4);
    expect(await listed({}, stranger)).toEqual([]);
    const [any] = await listed();
    await expect(getRequest(await stranger.context(), "owner", any?.id ?? "")).rejects.toMatchObject({ status: 404 });
  });

  test("narrows by method, result, part of the path and whole key", async () => {
    expect((await listed({ method: "POST" })).every(({ method }) => method === "POST")).toBe(true);
    expect((await listed({ result: "refused" })).map(({ status }) => status)).toEqual([404]);
    expect((await listed({ search: "/v1/tokens" })).map(({ path }) => path)).toEqual(["/v1/tokens"]);
    expect((await listed({ search: key })).map(({ path }) => path)).toEqual(["/v1/customers"]);
  });

  test.each(["operations", "finance", "support", "viewer"] as const)("does not exist for %s", async (role) => {
    const [any] = await listed();
    await expect((async () => listRequests(await client.context(), role, {}))()).rejects.toMatchObject({ status: 404 });
    await expect(getRequest(await client.context(), role, any?.id ?? "")).rejects.toMatchObject({ status: 404 });
  });

  test("shows no card number and no document", async () => {
    const rows = await Promise.all(
      (await listed()).map(async ({ id }) => getRequest(await client.context(), "owner", id)),
    );
    expect(JSON.stringify(rows)).not.toMatch(/52998224725|4\d{15}/);
  });

  test("becomes a shell command that a quote in a name does not break, without the key", async () => {
    const [made] = await listed({ search: key });
    const request = await getRequest(await client.context(), "owner", made?.id ?? "");
    const command = curlOf(request, "http://trilho.test", client.clientId);
    expect(command).toContain(`curl -X POST 'http://trilho.test/v1/customers?force=true'`);
    expect(command).toContain(`-H 'X-Idempotency-Key: ${key}'`);
    expect(command).toContain("Ana d'\\''Ávila");
    expect(command).toContain('-H "X-Api-Key: $API_KEY"');
    expect(command).not.toContain(client.apiKey);
  });
});
