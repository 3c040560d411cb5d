import { expect, test } from "vitest";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import type { List } from "@/lib/testing/api-client";

interface Call {
  id: string;
  operation: string;
  request: Record<string, unknown>;
}

test("200: what the simulator heard and said of a charge, newest first, without card data", async () => {
  const [shop, other] = await Promise.all([openShop(), openShop()]);
  const { id } = (await shop.pay(sandboxPan("approve"))).body;
  const list = (query: Record<string, string>) => shop.call<List<Call>>("GET", "/v1/sandbox/calls", { query });
  const { status, body, text } = await list({ chargeId: id });
  expect(status).toBe(200);
  expect(body.items.map(({ operation }) => operation)).toEqual(["capture", "authorize"]);
  expect(body.meta.totalItems).toBe(2);
  expect(text).not.toContain(sandboxPan("approve"));
  expect(text).toContain("411122******0002");
  expect((await list({ chargeId: id, limit: "1", page: "2" })).body.items[0]?.operation).toBe("authorize");
  expect((await other.call<List>("GET", "/v1/sandbox/calls", { query: { chargeId: id } })).body.items).toEqual([]);
  expect((await list({})).status).toBe(400);
  expect((await list({ chargeId: "x" })).status).toBe(400);
});
