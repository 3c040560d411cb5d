import { expect, test } from "vitest";
import { GET } from "@/app/api/proof/route";
import { systemSql } from "@/db/client";
import { openClient } from "@/lib/testing/api";

process.env.RATE_LIMITS = "on";

const ask = (headers: Record<string, string>) => GET(new Request("http://localhost/api/proof", { headers }));

test("429: an account that asks too often, and no other", async () => {
  const [busy, calm] = [await openClient(), await openClient()];
  const headersOf = ({ clientId, apiKey }: typeof busy) => ({ "x-client-id": clientId, "x-api-key": apiKey });
  expect((await ask(headersOf(busy))).status).toBe(200);
  // As after a minute's worth of calls, however long those would take here.
  await systemSql()`update rate_buckets set tokens = 0, updated_at = now() + interval '1 hour'
    where key = ${`proof:${busy.clientId}`}`;
  const refused = await ask(headersOf(busy));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ error: { code: 429 } });
  expect((await ask(headersOf(calm))).status).toBe(200);
});

test("429: whoever guesses keys, while those who have one go on", async () => {
  const client = await openClient();
  const from = { "x-forwarded-for": "203.0.113.9" };
  expect((await ask({ ...from, "x-client-id": client.clientId, "x-api-key": "sk_sandbox_wrong" })).status).toBe(401);
  await systemSql()`update rate_buckets set tokens = 0, updated_at = now() + interval '1 hour' where key like 'auth:%'`;
  expect((await ask({ ...from, "x-client-id": client.clientId, "x-api-key": "sk_sandbox_wrong" })).status).toBe(429);
  expect((await ask({ ...from, "x-client-id": client.clientId, "x-api-key": client.apiKey })).status).toBe(200);
});
