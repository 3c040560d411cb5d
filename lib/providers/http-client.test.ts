import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { circuitAllows, reportConnection } from "@/lib/providers/circuit";
import type { Exchange } from "@/lib/providers/exchange";
import { createHttpTransport } from "@/lib/providers/http-client";
import { realNow } from "@/lib/time";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const within = (ms: number) => ({ deadline: new Date(realNow().getTime() + ms), signal: new AbortController().signal });

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return listening(server);
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A listening TCP server has one.
}

async function get(baseUrl: string, limits = within(2_000)): Promise<Exchange> {
  const transport = createHttpTransport({
    baseUrl,
    allowedHosts: [new URL(baseUrl).hostname],
    allowPlainHttp: true,
  });
  open.push(transport);
  return transport.send({ method: "POST", path: "/x", headers: { authorization: "Bearer x" }, body: { a: 1 } }, limits);
}

describe("what was not sent", () => {
  test("a refused connection, an unknown host, a failed handshake", async () => {
    expect(await get("http://127.0.0.1:1")).toEqual({ kind: "not_sent", cause: "connect_refused" });
    expect(await get("http://no-such-host.invalid")).toMatchObject({ kind: "not_sent", cause: "dns" });
    const plain = await serve((_, response) => response.end());
    expect(await get(plain.replace("http:", "https:"))).toEqual({ kind: "not_sent", cause: "tls" });
  });

  test("a deadline that has passed already", async () => {
    expect(await get("http://127.0.0.1:1", within(-1))).toEqual({ kind: "not_sent", cause: "deadline" });
  });

  test("too many requests, with the time to come back in seconds or as a date", async () => {
    const seconds = await serve((_, response) => response.writeHead(429, { "retry-after": "3" }).end());
    expect(await get(seconds)).toEqual({ kind: "not_sent", cause: "rate_limited", retryAfterMs: 3_000 });
    const date = await serve((_, response) =>
      response.writeHead(429, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }).end(),
    );
    expect(await get(date)).toEqual({ kind: "not_sent", cause: "rate_limited", retryAfterMs: 0 });
  });

  test("a host that refused five times in a row is left alone, then tried once", () => {
    const host = "http://circuit.example";
    for (let failure = 0; failure < 5; failure++) {
      expect(circuitAllows(host, 0)).toBe(true);
      reportConnection(host, false, 0);
    }
    expect(circuitAllows(host, 9_999)).toBe(false);
    expect(circuitAllows(host, 10_000)).toBe(true);
    expect(circuitAllows(host, 10_001)).toBe(false);
    reportConnection(host, true);
    expect(circuitAllows(host, 10_002)).toBe(true);
  });
});

describe("what may have happened", () => {
  test.each([
    [500, "http_5xx"],
    [503, "http_5xx"],
    [408, "timeout"],
    [409, "replay_conflict"],
    [302, "unparseable"],
  ] as const)("an answer of %s is undetermined: %s", async (status, cause) => {
    const base = await serve((_, response) =>
      response.writeHead(status, { location: "http://127.0.0.1:1/" }).end("{}"),
    );
    expect(await get(base)).toEqual({ kind: "undetermined", cause, status });
  });

  test("a connection that ends after the request", async () => {
    const base = await serve((request) => request.socket.destroy());
    expect(await get(base)).toEqual({ kind: "undetermined", cause: "connection_lost_after_send" });
  });

  test("silence until the deadline, or until the caller gives up", async () => {
    const base = await serve(() => undefined);
    expect(await get(base, within(100))).toEqual({ kind: "undetermined", cause: "timeout" });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(await get(base, { ...within(5_000), signal: controller.signal })).toEqual({
      kind: "undetermined",
      cause: "timeout",
    });
  });

  test("half a JSON, or more than anybody sends", async () => {
    expect(await get(await serve((_, response) => response.end('{"a":')))).toMatchObject({ cause: "unparseable" });
    const endless = await serve((_, response) => response.end(JSON.stringify("x".repeat(1_100_000))));
    expect(await get(endless)).toMatchObject({ kind: "undetermined", cause: "unparseable" });
  });
});

describe("what was answered", () => {
  test("successes and refusals are left to the adapter", async () => {
    for (const status of [200, 400, 401, 403, 404, 422]) {
      const base = await serve((_, response) => response.writeHead(status).end('{"a":1}'));
      expect(await get(base)).toMatchObject({ kind: "answered", status, body: { a: 1 } });
    }
  });
});

describe("where it may go", () => {
  test.each(["http://evil.example", "https://127.0.0.1.evil.example", "https://user:pass@api.example"])(
    "%s is refused",
    (baseUrl) => {
      expect(() => createHttpTransport({ baseUrl, allowedHosts: ["api.example"] })).toThrow(
        "not a host of this provider",
      );
    },
  );

  test("plain HTTP is refused unless it is meant", () => {
    expect(() => createHttpTransport({ baseUrl: "http://api.example", allowedHosts: ["api.example"] })).toThrow();
  });
});
