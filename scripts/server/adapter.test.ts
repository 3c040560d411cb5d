import { createServer, request as httpRequest, type Server } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBody } from "@/lib/http/body";
import { carry } from "@/lib/http/carried";
import { type Dispatch, serveFetch } from "@/scripts/server/adapter";
import { cleanHeaders } from "@/scripts/server/headers";

let dispatch: Dispatch;
let trustedProxies = 0;
let isCarried = false;
let server: Server;
let port = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    cleanHeaders(request, trustedProxies);
    serveFetch(dispatch, request, response, "http://localhost", isCarried ? "carried" : undefined).catch(() =>
      response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
});

const url = (path: string): string => `http://127.0.0.1:${port}${path}`;
const MEGABYTE = 1024 * 1024;

describe("a request of Node's server", () => {
  it("reaches the dispatcher whole: method, address, headers, body", async () => {
    dispatch = async (request) =>
      Response.json({
        method: request.method,
        url: request.url,
        key: request.headers.get("x-idempotency-key"),
        text: await request.text(),
      });
    const answer = await fetch(url("/v1/charges?page=2"), {
      method: "POST",
      headers: { "x-idempotency-key": "k1" },
      body: '{"a":"ç"}',
    });
    expect(await answer.json()).toEqual({
      method: "POST",
      url: "http://localhost/v1/charges?page=2",
      key: "k1",
      text: '{"a":"ç"}',
    });
  });

  it("carries its bytes, and those of its answer, past the streams where that is asked for", async () => {
    isCarried = true;
    dispatch = async (request) => {
      const headers = { "content-type": "text/plain", "x-streamed": String(request.body !== null) };
      return carry(new Response(null, { status: 201, headers }), await readBody(request));
    };
    const answer = await fetch(url("/v1/x"), { method: "POST", body: "aç" });
    expect([answer.status, answer.headers.get("x-streamed"), await answer.text()]).toEqual([201, "false", "aç"]);
    const empty = await fetch(url("/v1/x"));
    expect([empty.status, await empty.text()]).toEqual([201, ""]);
    isCarried = false;
  });

  it("keeps a repeated header as one list", async () => {
    dispatch = async (request) => Response.json({ accept: request.headers.get("accept") });
    const text = await raw("GET /v1/x HTTP/1.1\r\nhost: a\r\naccept: a/b\r\naccept: c/d\r\nconnection: close\r\n\r\n");
    expect(text).toContain('{"accept":"a/b, c/d"}');
  });

  it.each(["//other.example/v1/charges", "*", "http://other.example/v1/x", "/v1/%E0%A4%A"])(
    "with the address %s stays on this server and is answered",
    async (target) => {
      dispatch = async (request) => Response.json({ host: new URL(request.url).host });
      const text = await raw(`OPTIONS ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
      expect(text).toContain('{"host":"localhost"}');
    },
  );

  it("with a body above every limit is cut off, and still answered", async () => {
    dispatch = async (request) =>
      new Response(null, { status: (await request.arrayBuffer()).byteLength > 4 * MEGABYTE ? 413 : 200 });
    expect(await post(Buffer.alloc(12 * MEGABYTE, 120))).toBe(413);
    expect(await post(Buffer.alloc(MEGABYTE, 120))).toBe(200);
  });

  it("whose body never ends is answered and hung up on", { timeout: 30_000 }, async () => {
    dispatch = async () => new Response(null, { status: 413 });
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(`POST /v1/x HTTP/1.1\r\nhost: a\r\ncontent-length: ${1_000 * MEGABYTE}\r\n\r\n`);
    socket.write(Buffer.alloc(5 * MEGABYTE, 120));
    await closed;
    expect(answer).toContain(" 413 ");
  });

  it("that is never finished leaves the server well", async () => {
    dispatch = async () => new Response(null, { status: 204 });
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /v1/x HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nabc");
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await fetch(url("/v1/x"))).status).toBe(204);
  });
});

describe("an answer", () => {
  it("keeps its status, its headers and every cookie", async () => {
    dispatch = async () => {
      const headers = new Headers({ "x-request-id": "r1" });
      headers.append("set-cookie", "a=1");
      headers.append("set-cookie", "b=2");
      return new Response("{}", { status: 202, headers });
    };
    const answer = await fetch(url("/v1/x"));
    expect(answer.status).toBe(202);
    expect(answer.headers.get("x-request-id")).toBe("r1");
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("without a body has none", async () => {
    dispatch = async () => new Response(null, { status: 204 });
    const answer = await fetch(url("/v1/x"), { method: "DELETE" });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  });

  it("to HEAD sends headers only", async () => {
    dispatch = async () => Response.json({ a: 1 });
    const text = await raw("HEAD /v1/x HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect(text).toContain("application/json");
    expect(text.endsWith("\r\n\r\n")).toBe(true);
  });

  it("that streams arrives whole, however long", async () => {
    const chunk = new Uint8Array(MEGABYTE).fill(97);
    dispatch = async () => {
      let sent = 0;
      const body = new ReadableStream({
        pull: (controller) => (sent++ < 8 ? controller.enqueue(chunk) : controller.close()),
      });
      return new Response(body, { headers: { "content-type": "text/csv" } });
    };
    const answer = await fetch(url("/v1/x"));
    expect((await answer.arrayBuffer()).byteLength).toBe(8 * MEGABYTE);
  });
});

describe("headers a caller may not choose", () => {
  const seen = async (headers: Record<string, string>, proxies = 0): Promise<Record<string, string>> => {
    trustedProxies = proxies;
    dispatch = async (request) => Response.json(Object.fromEntries(request.headers));
    // Guarantee: the dispatcher above answers an object of texts.
    return (await (await fetch(url("/v1/x"), { headers })).json()) as Record<string, string>;
  };

  it.each(["x-middleware-subrequest", "x-http-method-override", "x-invoke-path", "x-rewrite-url", "x-forwarded-host"])(
    "%s is taken out",
    async (name) => {
      expect(Object.keys(await seen({ [name]: "x", accept: "a/b" }))).not.toContain(name);
    },
  );

  it("the address is the socket's, whatever the caller claims", async () => {
    expect((await seen({ "x-trilho-address": "1.2.3.4", "x-forwarded-for": "1.2.3.4" }))["x-trilho-address"]).toBe(
      "127.0.0.1",
    );
  });

  it("behind trusted proxies the address is what the outermost of them saw", async () => {
    const chain = { "x-forwarded-for": "6.6.6.6, 203.0.113.9, 10.0.0.2" };
    expect((await seen(chain, 1))["x-trilho-address"]).toBe("10.0.0.2");
    expect((await seen(chain, 2))["x-trilho-address"]).toBe("203.0.113.9");
    expect((await seen({ "x-forwarded-for": "not an address" }, 1))["x-trilho-address"]).toBe("127.0.0.1");
    expect((await seen({}, 1))["x-trilho-address"]).toBe("127.0.0.1");
  });
});

function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

/** The server may hang up before the whole body is sent: the answer counts. */
function post(body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const request = httpRequest(
      url("/v1/x"),
      { method: "POST", headers: { "transfer-encoding": "chunked" } },
      (answer) => {
        isAnswered = true;
        resolve(answer.statusCode ?? 0);
      },
    );
    request.on("error", (error) => {
      if (!isAnswered) reject(error);
    });
    request.end(body);
  });
}
