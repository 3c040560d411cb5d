import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Acquirer, type MirrorReply, openAcquirer } from "@/lib/testing/mirror/acquirer";
import { accountOf } from "@/lib/testing/mirror/evidence";
import { HEADER } from "@/lib/testing/mirror/wire";

export type MirrorFault =
  | "lost_after"
  | "lost_before"
  | "reset_after"
  | "http_500"
  | "http_500_after"
  | "truncated"
  | "rate_limited"
  | "silence";
export type Step =
  | "create"
  | "confirm"
  | "continue"
  | "captures"
  | "cancels"
  | "refunds"
  | "connect"
  | "register"
  | "update"
  | "document"
  | "early"
  | "read";

export interface MirrorServer extends Acquirer {
  url: string;
  port: number;
  /** Suffered once, by the next request of this step; of any step when none is named. */
  plan(fault: MirrorFault, step?: Step): void;
  /** Asked for each request that no planned fault meets. */
  faultOf?:
    | ((request: { step: Step; charge: string }) => MirrorFault | undefined | Promise<MirrorFault | undefined>)
    | undefined;
  close(): Promise<void>;
}

const RETRY_AFTER = "7";
/** Of a key that MIRROR does not take. */
export const REVOKED = "revoked";

/** MIRROR as a server of its own, for this machine only: its books outlive every process that pays with it. */
export async function startMirror(port = 0): Promise<MirrorServer> {
  const acquirer = openAcquirer();
  const planned: { fault: MirrorFault; step: Step | undefined }[] = [];
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const isRead = request.method === "GET";
    // The adapter of this folder writes nothing else.
    const body = (isRead ? {} : JSON.parse(Buffer.concat(chunks).toString("utf8"))) as Record<string, unknown>;
    const key = String(request.headers[HEADER.key] ?? ":read");
    const step = key.slice(key.lastIndexOf(":") + 1) as Step; // As the adapter names its steps.
    const index = planned.findIndex((one) => one.step === undefined || one.step === step);
    const [met] = index < 0 ? [] : planned.splice(index, 1);
    const fault = met?.fault ?? (await mirror.faultOf?.({ step, charge: String(body.charge) }));
    if (fault === "lost_before" || fault === "silence") return fault === "silence" ? undefined : drop(response);
    if (fault === "http_500") return answer(response, { status: 500, body: { error: { code: "internal" } } });
    if (fault === "rate_limited")
      return answer(response, { status: 429, body: {}, headers: { "retry-after": RETRY_AFTER } });
    if (request.headers.authorization?.includes(REVOKED))
      return answer(response, { status: 401, body: { error: { code: "unauthenticated" } } });
    const reply = acquirer.handle({
      isRead,
      path: request.url ?? "/",
      account: accountOf(String(request.headers.authorization).replace("Bearer ", "")),
      key,
      at: new Date(String(request.headers[HEADER.time])),
      body,
    });
    if (reply.isSilent) return;
    if (fault === "lost_after" || fault === "reset_after") return drop(response);
    if (fault === "http_500_after") return answer(response, { status: 500, body: { error: { code: "internal" } } });
    answer(response, reply, fault === "truncated");
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: bound } = server.address() as AddressInfo; // A TCP server that listens has an address of this form.
  const mirror: MirrorServer = {
    ...acquirer,
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    plan: (fault, step) => {
      planned.push({ fault, step });
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return mirror;
}

const drop = (response: ServerResponse): void => {
  response.socket?.destroy();
};

function answer(response: ServerResponse, { status, body, headers }: MirrorReply, isTruncated = false): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(isTruncated ? text.slice(0, -5) : text);
}
