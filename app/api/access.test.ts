import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ENDPOINTS } from "@/app/api/endpoints";
import { systemDb } from "@/db/client";
import { publicKeys } from "@/db/schema/accounts";
import { type EndpointSpec, isForBrowsers } from "@/lib/http/endpoint";
import { newId } from "@/lib/ids";
import { KEY_SCOPES } from "@/lib/public-keys/schema";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { CallOptions, Reply } from "@/lib/testing/api-client";

const closed = ENDPOINTS.filter(({ spec }) => spec.access !== "none").map(
  ({ spec }) => [`${spec.method} ${spec.path}`, spec] as const,
);
/** What `*` stands for (spec/contract.md 1.7). */
const BUYERS = ["customers", "cards", "tokens", "charges", "sessions", "subscriptions"];
const scopesOf = ({ access }: EndpointSpec): readonly string[] => (typeof access === "string" ? [] : access);

const standard = z.strictObject({
  error: z.strictObject({
    type: z.enum(["bad_request", "invalid_request_error", "entity_not_found", "api_error"]),
    code: z.int(),
    message: z.string().min(1).max(200),
    details: z.array(z.string()),
    businessCode: z.string().optional(),
  }),
});
/** With the key of spec/contract.md 16: I-400, I-401 … */
const keyed = z.strictObject({ error: standard.shape.error.extend({ key: z.string().regex(/^I-4\d\d$/) }) });
const purchases = z.strictObject({
  error: z.strictObject({
    type: z.enum([
      "bad_request",
      "unauthorized",
      "not_found",
      "conflict",
      "validation_error",
      "unavailable",
      "api_error",
    ]),
    code: z.int(),
    message: z.string().min(1).max(200),
    details: z.array(z.string()),
    businessCode: z.string().optional(),
  }),
});

/** Ids nobody has: what is asked is whether the route is reached at all. */
const addressOf = (spec: EndpointSpec, id: string = newId()): string => spec.path.replace(/\{\w+\}/g, id);

let client: TestClient;
let live: TestClient;
const keys = new Map<string, string>();
const sessionKey = randomUUID();

beforeAll(async () => {
  [client, live] = [await openClient(), await openClient({ mode: "live" })];
  for (const scope of KEY_SCOPES) keys.set(scope, await client.publicKey(scope));
  await systemDb().insert(publicKeys).values({
    publicKey: sessionKey,
    clientId: client.clientId,
    scope: [],
    sessionId: newId(),
    expires: 0,
    createdAt: new Date(),
  });
});

async function call(
  spec: EndpointSpec,
  options: CallOptions = {},
  path = addressOf(spec),
  by = client,
): Promise<Reply> {
  const idempotencyKey = spec.method === "POST" ? { idempotencyKey: newId() } : {};
  const key = spec.access === "session" ? { key: sessionKey } : {};
  const reply = await by.call(spec.method, path, { ...idempotencyKey, ...key, ...options });
  expect(reply.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("access-control-allow-origin")).toBe(isForBrowsers(spec) ? "*" : null);
  expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
  if (reply.status >= 400) {
    const envelope = spec.envelope === "purchases" ? purchases : spec.errorKeys ? keyed : standard;
    expect(envelope.parse(reply.body).error.code).toBe(reply.status);
    expect(reply.text).not.toMatch(/postgres|drizzle|node_modules|select |insert |\.ts:|zod|at \//i);
  }
  return reply;
}

describe.each(closed)("%s", (_, spec) => {
  const type = spec.envelope === "purchases" ? "unauthorized" : "invalid_request_error";
  const keyOf = (status: number) => (spec.errorKeys ? `,"key":"I-${status}"` : "");

  it("401: the same bytes whatever is wrong with the credentials", async () => {
    const foreign = await live.publicKey("*");
    const wrong: CallOptions[] = [
      { key: null },
      { clientId: null },
      { key: "" },
      { key: `${client.apiKey}x` },
      { key: live.apiKey },
      { key: foreign },
      { clientId: newId() },
      { clientId: "' or 1=1 --" },
    ];
    const replies = [];
    for (const options of wrong) replies.push(await call(spec, options));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`401 {"error":{"type":"${type}","code":401,"message":"unauthorized","details":[]${keyOf(401)}}}`]),
    );
  });

  it("403: every scope that does not name it; any scope that does is let in", async () => {
    const declared = scopesOf(spec);
    for (const [scope, key] of keys) {
      const opens = declared.includes(scope) || (scope === "*" && declared.some((one) => BUYERS.includes(one)));
      const reply = await call(spec, { key });
      if (opens) expect([401, 403], scope).not.toContain(reply.status);
      else {
        expect([scope, reply.status, reply.text]).toEqual([
          scope,
          403,
          `{"error":{"type":"${type}","code":403,"message":"forbidden","details":[]${keyOf(403)}}}`,
        ]);
      }
    }
  });

  if (spec.access === "session")
    it("403: the secret key", async () => {
      expect((await call(spec, { key: client.apiKey })).status).toBe(403);
    });

  if (!spec.session)
    it("403: a session's key", async () => {
      expect((await call(spec, { key: sessionKey })).status).toBe(403);
    });

  if (spec.params)
    it("400: malformed ids in the path", async () => {
      const reply = await call(spec, {}, addressOf(spec, "not-an-id"));
      // Ids of the card networks and banks are not ours to shape.
      expect(spec.path.includes("{txid}") ? [400, 404] : [400]).toContain(reply.status);
    });

  if (spec.method !== "GET")
    it("415: another content type", async () => {
      const reply = await call(spec, { raw: "<a/>", headers: { "content-type": "application/xml" } });
      expect(reply).toMatchObject({ status: 415, error: { type: "bad_request" } });
    });

  if (spec.method !== "GET")
    it("413: a body above 256 kB, before anything else is looked at", async () => {
      const reply = await call(spec, { body: { text: "x".repeat(256 * 1024) }, key: null });
      expect(reply).toMatchObject({ status: 413, error: { type: "bad_request" } });
    });

  if (spec.sandboxOnly)
    it("404: on a live account", async () => {
      expect((await call(spec, {}, addressOf(spec), live)).status).toBe(404);
    });
});
