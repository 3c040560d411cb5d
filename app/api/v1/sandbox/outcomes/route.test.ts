import { expect, test } from "vitest";
import { SANDBOX_OUTCOMES } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";

test("200: 54 outcomes with a number for each of six brands, in pages", async () => {
  const client = await openClient();
  const { status, body } = await client.call<List<{ code: string; outcome: string; numbers: Record<string, string> }>>(
    "GET",
    "/v1/sandbox/outcomes",
    { query: { limit: 100 } },
  );
  expect(status).toBe(200);
  expect(body.meta).toMatchObject({ totalItems: 54, itemCount: 54 });
  expect(body.items.map(({ outcome }) => outcome)).toEqual(SANDBOX_OUTCOMES);
  expect(body.items[0]).toEqual({
    code: "000",
    outcome: "approve",
    numbers: {
      visa: "4111220000000002",
      mastercard: "5200000000000007",
      elo: "5066990000000002",
      hipercard: "6062820000000003",
      amex: "370000000000002",
      diners: "36000000000008",
    },
  });
  const last = await client.call<List>("GET", "/v1/sandbox/outcomes", { query: { page: 6 } });
  expect(last.body.items).toHaveLength(4);
});
