import { describe, expect, it } from "vitest";
import { dispatch } from "@/app/api/registry";
import { newId } from "@/lib/ids";
import { newMerchant, openClient, openMerchant } from "@/lib/testing/api";

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  dispatch(new Request(`http://trilho.test${path}`, { method, headers }));

describe("an unknown path", () => {
  it.each([
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/merchants/x/nothing",
    "/v1//merchants",
    "/v1/merchants//",
    "/v1/Merchants",
    "/api/v1/nothing",
    "/v1/__proto__",
    "/v1/constructor",
    "/v1/%ff",
    "/v1/merchants/%E0%A4%A",
  ])("404: %s, with or without a key", async (path) => {
    const reply = await ask("GET", path);
    expect(reply.status).toBe(404);
    expect(await reply.text()).toBe(
      '{"error":{"type":"entity_not_found","code":404,"message":"unknown path","details":[]}}',
    );
    expect(reply.headers.get("content-type")).toContain("application/json");
    expect(reply.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const client = await openClient();
    expect((await client.call("GET", path)).status).toBe(404);
  });

  it("404: under purchases in their own envelope", async () => {
    expect(await (await ask("GET", "/v1/purchases/a/b/c")).json()).toEqual({
      error: {
        type: "not_found",
        code: 404,
        message: "unknown path",
        businessCode: "purchase_not_found",
        details: ["purchase_not_found"],
      },
    });
  });
});

describe("a wrong method", () => {
  it.each([
    ["PUT", "/v1/merchants", ["GET", "POST"]],
    ["DELETE", "/v1/merchants", ["GET", "POST"]],
    ["POST", `/v1/merchants/${newId()}`, ["DELETE", "GET", "PATCH"]],
    ["GET", `/v1/providers/${newId()}`, ["DELETE", "PATCH"]],
    ["OPTIONS", "/v1/merchants", ["GET", "POST"]],
    ["PROPFIND", "/v1/auth", ["GET", "POST"]],
  ])("405: %s %s, and Allow says which there are", async (method, path, allowed) => {
    const reply = await ask(method, path);
    expect(reply.status).toBe(405);
    expect(await reply.text()).toBe(
      '{"error":{"type":"bad_request","code":405,"message":"method not allowed","details":[]}}',
    );
    expect(reply.headers.get("allow")?.split(", ").sort()).toEqual(allowed);
    expect(reply.headers.get("x-request-id")).toBeTruthy();
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("a header does not change the method", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    for (const name of ["x-http-method-override", "x-http-method", "x-method-override"]) {
      expect((await client.call("GET", `/v1/merchants/${id}`, { headers: { [name]: "DELETE" } })).status).toBe(200);
    }
    expect((await client.call("GET", `/v1/merchants/${id}`)).status).toBe(200);
  });
});

describe("cross-origin calls", () => {
  const origin = { origin: "https://shop.example" };

  it("204: a preflight of a route that a browser's key may call, without credentials of any kind", async () => {
    const reply = await ask("OPTIONS", "/v1/auth", { ...origin, "access-control-request-method": "POST" });
    expect(reply.status).toBe(204);
    expect(await reply.text()).toBe("");
    expect(Object.fromEntries(reply.headers)).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers":
        "content-type, accept-language, x-client-id, x-api-key, x-idempotency-key, x-captcha-token",
      "access-control-expose-headers": "X-Request-Id, Retry-After, Idempotent-Replayed",
      "access-control-max-age": "7200",
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it("names only the methods that are open: PATCH of a provider, not its DELETE", async () => {
    const reply = await ask("OPTIONS", `/v1/providers/${newId()}`, origin);
    expect(reply.headers.get("access-control-allow-methods")).toBe("PATCH");
  });

  it("answers and refusals of open routes can be read; those for the secret key cannot", async () => {
    const client = await openClient();
    const key = await client.publicKey("auth");
    const open = await client.call("POST", "/v1/auth", { key, headers: origin, body: { scope: "auth" } });
    expect([open.status, open.headers.get("access-control-allow-origin")]).toEqual([201, "*"]);
    const refused = await client.call("POST", "/v1/auth", { key: "wrong", headers: origin, body: {} });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
    const secret = await client.call("GET", "/v1/merchants", { headers: origin });
    expect([secret.status, secret.headers.get("access-control-allow-origin")]).toEqual([200, null]);
    for (const { headers } of [open, refused, secret]) {
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("vary") ?? "").not.toContain("Origin");
    }
  });
});

describe("an address", () => {
  it("400: the same parameter twice, even a name every object has", async () => {
    const client = await openClient();
    for (const name of ["page", "unknown", "constructor"]) {
      const reply = await client.call("GET", `/v1/merchants?${name}=1&${name}=1`);
      expect(reply).toMatchObject({ status: 400, error: { details: [`${name}: given more than once`] } });
    }
  });

  it("200: unknown parameters are ignored, whatever their name", async () => {
    const client = await openClient();
    for (const name of ["color", "constructor", "__proto__", "toString", "page[]"]) {
      expect((await client.call("GET", `/v1/merchants?${name}=1`)).status).toBe(200);
    }
  });

  it("400: the NUL character in the query", async () => {
    const client = await openClient();
    for (const query of ["color=%00", "%00=1"]) {
      const reply = await client.call("GET", `/v1/merchants?${query}`);
      expect(reply).toMatchObject({ status: 400, error: { details: ["text must not contain the NUL character"] } });
    }
  });

  it("400: an id that is no id, however it is spelled", async () => {
    const client = await openClient();
    for (const id of ["1", "%00", "..%2f..", "' or 1=1", "%F0%9F%98%80", "x".repeat(5000)]) {
      const reply = await client.call("GET", `/v1/merchants/${id}`);
      expect(reply).toMatchObject({ status: 400, error: { details: ["id: must be a uuid"] } });
    }
  });
});

describe("every answer", () => {
  it("carries an id of its own, which the caller cannot choose", async () => {
    const client = await openClient();
    const chosen = newId();
    const ids = new Set<string | null>();
    for (const path of ["/v1/merchants", "/v1/nothing", "/v1/merchants/1"]) {
      const { headers } = await client.call("GET", path, { headers: { "x-request-id": chosen } });
      ids.add(headers.get("x-request-id"));
    }
    expect(ids.size).toBe(3);
    expect(ids).not.toContain(chosen);
  });

  it("is never kept by a cache", async () => {
    const client = await openClient();
    for (const path of ["/v1/merchants", "/v1/nothing", "/v1/merchants/1"]) {
      expect((await client.call("GET", path)).headers.get("cache-control")).toBe("no-store");
    }
  });

  it("is JSON in UTF-8 whatever the caller accepts", async () => {
    const client = await openClient();
    const reply = await client.call("POST", "/v1/merchants", {
      body: newMerchant({ name: "Açaí 😀" }),
      headers: { accept: "text/html", "accept-language": "pt-BR" },
    });
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(reply.body.name).toBe("Açaí 😀");
  });
});
