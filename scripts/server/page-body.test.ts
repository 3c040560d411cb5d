import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ClientGone } from "@/scripts/server/adapter";
import { cappedPage, PAGE_BODY_BYTES, refuseLarge } from "@/scripts/server/page-body";

const MEGABYTE = 1024 * 1024;
const ID = "0192f1c0-1111-7aaa-8bbb-000000000001";
const TOKEN = "abcdefghijklmnopqrstuv";

let server: Server;
let port = 0;
let signedIn = false;
let takesWorkflows = false;
const seen: { url: string | undefined; length: number; encoding: unknown }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    try {
      const callers = { isSignedIn: async () => signedIn, takesWorkflows };
      const page = await cappedPage(request, callers);
      if (!page) return refuseLarge(request, response, "too large");
      const length = await sizeOf(page);
      seen.push({ url: page.url, length, encoding: page.headers["transfer-encoding"] });
      response.writeHead(200).end(String(length));
    } catch (thrown) {
      if (!(thrown instanceof ClientGone)) throw thrown;
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
beforeEach(() => {
  signedIn = false;
  takesWorkflows = false;
  seen.length = 0;
});
afterAll(() => server.closeAllConnections());

async function sizeOf(request: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const chunk of request) size += (chunk as Buffer).byteLength;
  return size;
}

/** What arrives when the whole body is sent, however the server answers; the caller hangs up at the end. */
function send(path: string, bytes: number, how: "declared" | "chunked", method = "POST"): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1");
    socket.on("data", (text) => {
      answer += text;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
    const body = Buffer.alloc(bytes, "x");
    const framing = how === "declared" ? `content-length: ${bytes}` : "transfer-encoding: chunked";
    socket.write(`${method} ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${framing}\r\n\r\n`);
    if (how === "declared") socket.write(body);
    else {
      if (bytes > 0) {
        socket.write(`${bytes.toString(16)}\r\n`);
        socket.write(body);
        socket.write("\r\n");
      }
      socket.write("0\r\n\r\n");
    }
  });
}
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

const PAGES = [
  "/pay/csp-reports",
  `/pay/${ID}`,
  `/pay/${ID}/pix`,
  `/pay/${ID}/new-link`,
  `/pay/${ID}/captcha`,
  `/pay/${ID}/p/${TOKEN}/renew`,
  `/pay/${ID}/p/${TOKEN}/check`,
  `/pay/${ID}/p/${TOKEN}/leave`,
  `/pay/${ID}/p/${TOKEN}/simulate`,
  `/sandbox/3ds/${ID}`,
  "/sandbox/3ds/collect",
  `/sandbox/wallets/${ID}`,
  "/api/auth/callback/credentials",
  "/api/dispatch/charges",
  "/api/inngest",
  "/sign-in",
  "/dashboard/settings/brand",
  "/dashboard/links/new",
  "/nothing/at/all",
];

describe.each(["declared", "chunked"] as const)("a %s body", (how) => {
  test.each(PAGES)("of %s is read to 32 KB, and no byte more", async (path) => {
    expect(statusOf(await send(path, PAGE_BODY_BYTES, how))).toBe(200);
    expect(seen).toEqual([{ url: path, length: PAGE_BODY_BYTES, encoding: undefined }]);
    const refused = await send(path, PAGE_BODY_BYTES + 1, how);
    expect(statusOf(refused)).toBe(413);
    expect(refused).toContain("too large");
    expect(seen).toHaveLength(1);
  });

  test("that is far too large gets its answer too, whatever the method", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "GET"])
      expect(statusOf(await send("/pay/csp-reports", 3 * MEGABYTE, how, method)), method).toBe(413);
  });

  test("with a logo has its own limit, for whoever is signed in", async () => {
    const path = "/dashboard/settings/brand?merchant=1";
    expect(statusOf(await send(path, 2 * MEGABYTE, how))).toBe(413);
    signedIn = true;
    expect(statusOf(await send(path, 2 * MEGABYTE, how))).toBe(200);
    expect(statusOf(await send(path, 2 * MEGABYTE + 65 * 1024, how))).toBe(413);
    expect(statusOf(await send(path, PAGE_BODY_BYTES + 1, how, "PUT"))).toBe(413);
    expect(statusOf(await send("/dashboard/settings/brandish", PAGE_BODY_BYTES + 1, how))).toBe(413);
    expect(statusOf(await send("/pay/csp-reports", PAGE_BODY_BYTES + 1, how))).toBe(413);
  });

  test.each(["/dashboard/finance/statements?do=upload", "/dashboard/payouts/files?do=return"])(
    "with a file of three megabytes for %s is read for whoever is signed in",
    async (path) => {
      expect(statusOf(await send(path, 3 * MEGABYTE + 1_024, how))).toBe(413);
      signedIn = true;
      expect(statusOf(await send(path, 3 * MEGABYTE + 1_024, how))).toBe(200);
      expect(statusOf(await send(path, 3 * MEGABYTE + 65 * 1024, how))).toBe(413);
    },
  );

  test("of a workflow's step is taken where Inngest has keys", async () => {
    takesWorkflows = true;
    expect(statusOf(await send("/api/inngest?fnId=a", MEGABYTE, how, "PUT"))).toBe(200);
    expect(statusOf(await send("/api/inngest", 5 * MEGABYTE, how))).toBe(413);
  });

  test("of nothing passes", async () => {
    expect(statusOf(await send("/sign-in", 0, how))).toBe(200);
    expect(seen[0]?.length).toBe(0);
  });
});

test("a caller who hangs up in the middle, or never ends, leaves the server well", { timeout: 30_000 }, async () => {
  const gone = connect(port, "127.0.0.1");
  gone.write("POST /sign-in HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc");
  await new Promise((resolve) => setTimeout(resolve, 50));
  gone.destroy();
  const endless = connect(port, "127.0.0.1");
  let answer = "";
  endless.on("data", (text) => {
    answer += text;
  });
  endless.on("error", () => undefined);
  const closed = new Promise((resolve) => endless.once("close", resolve));
  endless.write(`POST /sign-in HTTP/1.1\r\nhost: a\r\ncontent-length: ${100 * MEGABYTE}\r\n\r\nabc`);
  await closed;
  expect(statusOf(answer)).toBe(413);
  expect(statusOf(await send("/sign-in", 10, "chunked"))).toBe(200);
});
