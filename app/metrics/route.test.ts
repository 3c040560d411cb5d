import { expect, test, vi } from "vitest";
import { dispatch } from "@/app/api/registry";
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

test("200: what this process counted, by pattern and never by what a caller wrote", async () => {
  const id = "0198c3a2-0000-7000-8000-00000000beef";
  expect((await dispatch(new Request(`http://trilho.test/v1/charges/${id}`))).status).toBe(401);
  expect((await dispatch(new Request(`http://trilho.test/v1/no-such-path/${id}`))).status).toBe(404);
  const text = await (await pageWith(TOKEN)(`Bearer ${TOKEN}`)).text();
  expect(text).toContain('trilho_requests_total{method="GET",route="/v1/charges/{id}",status="401"} 1');
  expect(text).toContain('trilho_requests_total{method="unknown",route="unknown",status="404"} 1');
  expect(text).toMatch(
    /trilho_request_duration_seconds_bucket\{le="30",method="GET",route="\/v1\/charges\/\{id\}"\} 1/,
  );
  expect(text).not.toContain(id);
  expect(text).not.toContain("no-such-path");
  expect(text).toContain("trilho_database_up 1");
  expect(text).toMatch(/^trilho_pool_size\{pool="trilho_system:raw"\} \d+$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(text).toMatch(/^process_resident_memory_bytes /m);
  expect(text).toContain("trilho_webhook_backlog 0");
});
