import { expect, test, vi } from "vitest";
import { GET } from "@/app/metrics/route";
import { auditInvariants } from "@/lib/invariants/audit";
import { INVARIANTS } from "@/lib/invariants/catalogue";

const TOKEN = "a token for the tests of this page, long enough";

const configured = vi.hoisted(() => ({ token: undefined as string | undefined }));
vi.mock("@/lib/env", async (original) => {
  const real = await original<typeof import("@/lib/env")>();
  return { ...real, env: () => ({ ...real.env(), METRICS_TOKEN: configured.token }) };
});

/** The page of a process that was started with this configuration. */
function pageWith(token: string | undefined) {
  configured.token = token;
  return (authorization?: string): Promise<Response> =>
    GET(new Request("http://trilho.test/metrics", authorization ? { headers: { authorization } } : {}));
}

test("404: without a token configured there is no such page", async () => {
  const page = pageWith(undefined);
  expect((await page()).status).toBe(404);
  expect((await page(`Bearer ${TOKEN}`)).status).toBe(404);
});

test("401: no token, another token, another scheme", async () => {
  const page = pageWith(TOKEN);
  for (const given of [undefined, "Bearer ", `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`]) {
    const reply = await page(given);
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  }
});

test("200: every invariant of the audit, for Prometheus and for no cache", async () => {
  await auditInvariants();
  const page = pageWith(TOKEN);
  const reply = await page(`Bearer ${TOKEN}`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toContain("text/plain");
  expect(reply.headers.get("cache-control")).toBe("no-store");
  const text = await reply.text();
  for (const { id } of INVARIANTS) {
    expect(text).toContain(`trilho_invariant_violations{invariant="${id}"} 0`);
    expect(text).toMatch(new RegExp(`trilho_invariant_last_run_timestamp_seconds\\{invariant="${id}"\\} \\d{10}`));
  }
});
