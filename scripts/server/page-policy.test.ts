import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanHeaders } from "@/scripts/server/headers";
import { setPagePolicy } from "@/scripts/server/page-policy";

let server: Server;
let origin = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    cleanHeaders(request, 0);
    setPagePolicy(request, response, false);
    // What the framework reads the nonce of its scripts from.
    response.end(String(request.headers["content-security-policy"] ?? "none"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterAll(() => server.close());

test("each page has a nonce of its own, known to browser and framework, and no script without one runs", async () => {
  const nonces = new Set<string>();
  for (const path of ["/", "/sign-in", "/dashboard/links?x=1", "/proof", "/nothing", "/dashboard/links"]) {
    // A caller's own policy would choose the nonce for the framework.
    const answer = await fetch(origin + path, { headers: { "content-security-policy": "script-src 'nonce-mine'" } });
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(await answer.text()).toBe(policy);
    const scripts = policy.split("; ").find((directive) => directive.startsWith("script-src "));
    expect(scripts).toMatch(/^script-src 'nonce-[A-Za-z0-9+/]{22}==' 'strict-dynamic'$/);
    nonces.add(scripts ?? "");
  }
  expect(nonces.size).toBe(6);
});

test.each([
  "/v1/charges",
  "/docs",
  "/pay/x",
  "/embed.js",
  "/dashboard/preview?x",
  "/captcha-frame",
  "/api/openapi.json",
])("%s has a policy of its own", async (path) => {
  const answer = await fetch(origin + path, { headers: { "content-security-policy": "script-src 'nonce-mine'" } });
  expect([answer.headers.get("content-security-policy"), await answer.text()]).toEqual([null, "none"]);
});
