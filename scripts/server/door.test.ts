import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { addressed } from "@/scripts/server/addressed";
import { limitSockets } from "@/scripts/server/sockets";

const OURS = {
  BASE_URL: "https://trilho.example",
  CHECKOUT_URL: "https://pay.example",
  CAPTCHA_FRAME_ORIGIN: undefined,
};

let server: Server | undefined;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  server?.close();
});

async function listen(made: Server): Promise<number> {
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  const address = made.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    sockets.push(socket);
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

describe("a request says once, and truly, whom it is for", () => {
  const door = () =>
    listen(
      createServer({ requireHostHeader: false }, (request, response) => {
        const target = addressed(request, OURS);
        if ("problem" in target) response.writeHead(400).end(target.problem);
        else response.writeHead(200).end(target.url);
      }),
    );
  const ask = async (port: number, target: string, ...hosts: string[]) => {
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join("");
    const answer = await raw(port, `GET ${target} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
    const chunked = /\r\n\r\n(?:[0-9a-f]+\r\n)?(.*)/s.exec(answer)?.[1] ?? "";
    return `${answer.slice(9, 12)} ${chunked.split("\r\n")[0]}`;
  };

  test("its path, an address of ours with the same Host, and no other", async () => {
    const port = await door();
    const own = `127.0.0.1:${port}`;
    expect(await ask(port, "/a?b=1", "anything.example")).toBe("200 /a?b=1");
    expect(await ask(port, "*", "trilho.example")).toBe("200 *");
    expect(await ask(port, "//evil.example/a", "trilho.example")).toBe("200 //evil.example/a");
    expect(await ask(port, "https://trilho.example/a?b=1", "trilho.example")).toBe("200 /a?b=1");
    expect(await ask(port, "http://pay.example/", "PAY.example")).toBe("200 /");
    expect(await ask(port, `http://${own}/v1/charges`, own)).toBe("200 /v1/charges");
    for (const [target, host] of [
      ["http://evil.example/", "evil.example"],
      ["http://evil.example/", "trilho.example"],
      ["http://trilho.example/", "evil.example"],
      ["http://user@trilho.example/", "trilho.example"],
      ["http://trilho.example:81/", "trilho.example"],
      ["ftp://trilho.example/", "trilho.example"],
      ["http://[/", "trilho.example"],
      ["http:trilho.example", "trilho.example"],
    ] as const)
      expect(await ask(port, target, host), target).toContain("400 ");
  });

  test("two Hosts are refused, equal or not, and none", async () => {
    const port = await door();
    expect(await ask(port, "/", "trilho.example", "evil.example")).toBe("400 more than one host header");
    expect(await ask(port, "/", "trilho.example", "trilho.example")).toBe("400 more than one host header");
    expect(await ask(port, "/")).toBe("400 host header required");
  });
});

describe("the connections of one address", () => {
  const MANY = 60;
  const openMany = async (settings: { TRUST_PROXY: number; RATE_LIMITS: number }): Promise<number> => {
    const made = createServer((_request, response) => response.end("here"));
    limitSockets(made, settings);
    const port = await listen(made);
    const answers = await Promise.all(
      Array.from(
        { length: MANY },
        () =>
          new Promise<boolean>((resolve) => {
            const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
            sockets.push(socket);
            socket.once("data", () => resolve(true));
            socket.on("error", () => resolve(false));
            socket.on("close", () => resolve(false));
          }),
      ),
    );
    return answers.filter(Boolean).length;
  };

  test("are 50 at a time, and free places are taken again", async () => {
    expect(await openMany({ TRUST_PROXY: 0, RATE_LIMITS: 1 })).toBe(50);
    const address = server?.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await raw(port, "GET / HTTP/1.1\r\nhost: a\r\n\r\n").catch(() => "")).toBe("");
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await raw(port, "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")).toContain("here");
  });

  test("are not counted behind a proxy, nor with the limits off; a factor multiplies them", async () => {
    expect(await openMany({ TRUST_PROXY: 1, RATE_LIMITS: 1 })).toBe(MANY);
    expect(await openMany({ TRUST_PROXY: 0, RATE_LIMITS: Number.POSITIVE_INFINITY })).toBe(MANY);
    expect(await openMany({ TRUST_PROXY: 0, RATE_LIMITS: 0.2 })).toBe(10);
  });
});
