import { Agent, createServer, get, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { pause } from "@/lib/wait";

const LOOK_EVERY_MS = 200;
const LOOK_LIMIT_MS = 3_000;
const MOST_SILENT = 2;
const HOLD_MS = 10_000;

/** A load balancer as any is: it asks each process whether it is ready, and sends to those that are, in turn. It tries nothing twice. */
export async function openBalancer(ports: readonly number[]) {
  const ready = new Map(ports.map((port) => [port, false]));
  const agent = new Agent({ keepAlive: true });
  const ending = new AbortController();
  let turn = 0;
  /** Held for a while when nobody is ready, as balancers do: on a busy machine the answers to their looks are late too. */
  const next = async (): Promise<number | undefined> => {
    const deadline = performance.now() + HOLD_MS;
    for (;;) {
      const open = ports.filter((port) => ready.get(port));
      turn += 1;
      const chosen = open[turn % open.length];
      if (chosen !== undefined || performance.now() > deadline) return chosen;
      await pause(LOOK_EVERY_MS);
    }
  };
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const port = await next();
    if (port === undefined) {
      response.writeHead(502).end("nobody is ready");
      return;
    }
    const { method, url: path, headers } = request;
    const passed = send({ port, host: "127.0.0.1", method, path, headers, agent }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    passed.once("error", (error) =>
      response.headersSent ? response.destroy() : response.writeHead(502).end(String(error)),
    );
    request.pipe(passed);
  };
  const server = createServer((request, response) => void pass(request, response));
  const follow = async (port: number): Promise<void> => {
    let silent = 0;
    while (!ending.signal.aborted) {
      const looked = await lookAt(port);
      // One answer that is late says nothing yet; a process that says that it stops means it.
      silent = looked === "silent" ? silent + 1 : 0;
      if (looked !== "silent" || silent >= MOST_SILENT) ready.set(port, looked === "ready");
      await pause(LOOK_EVERY_MS, ending.signal).catch(() => undefined);
    }
  };
  const following = ports.map(follow);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Guarantee: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    isSending: (to: number): boolean => ready.get(to) ?? false,
    async stop() {
      ending.abort();
      await Promise.all(following);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type Look = "ready" | "not ready" | "silent";

const lookAt = (port: number): Promise<Look> =>
  new Promise((resolve) => {
    const asked = get({ port, host: "127.0.0.1", path: "/readyz", agent: false, timeout: LOOK_LIMIT_MS }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200 ? "ready" : "not ready");
    });
    asked.once("timeout", () => asked.destroy());
    asked.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ECONNREFUSED" ? "not ready" : "silent"),
    );
  });
