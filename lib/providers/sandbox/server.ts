import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { handle } from "@/lib/providers/sandbox/handler";
import { MAX_HOLD_MS, type SimulatorReply } from "@/lib/providers/sandbox/wire";
import { pause } from "@/lib/wait";

/** A document of 3 MB in base64, and what stands around it. */
const MAX_BODY_BYTES = 4_500_000;
const KEEP_ALIVE_MS = 65_000;

export interface SandboxServer {
  url: string;
  close(): Promise<void>;
}

export interface SandboxServerOptions {
  /** 0 = any free port. */
  port: number;
  host?: string;
  onError?: (error: unknown) => void;
  /** It does not keep its process alive. */
  isBackground?: boolean;
}

/** The simulator as a server of its own, for this machine only unless told otherwise. */
export function startSandboxServer({
  port,
  host = "127.0.0.1",
  onError,
  isBackground = false,
}: SandboxServerOptions): Promise<SandboxServer> {
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      onError?.(error);
      request.socket.destroy();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      // A TCP server that listens has an address of this form.
      const { port: bound } = server.address() as AddressInfo;
      if (isBackground) server.unref();
      resolve({
        url: `http://${host}:${bound}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await bodyOf(request);
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value[0] : value;
  const reply = await handle({
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers,
    body: text === undefined ? undefined : parsed(text),
  });
  await send(response, reply);
}

async function send(response: ServerResponse, reply: SimulatorReply): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const waitMs = reply.delivery === "held" ? MAX_HOLD_MS : reply.delayMs;
  if (waitMs > 0) await pause(waitMs, gone.signal).catch(() => undefined);
  if (reply.delivery !== "sent" || gone.signal.aborted) {
    response.socket?.destroy();
    return;
  }
  response.writeHead(reply.status, { ...reply.headers, "content-length": Buffer.byteLength(reply.body) });
  response.end(reply.body);
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error("request body too large");
    chunks.push(chunk);
  }
  return size === 0 ? undefined : Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
