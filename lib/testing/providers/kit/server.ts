import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Contract } from "@/lib/testing/providers/kit/contract";
import { monotonicMs } from "@/lib/time";

export const MOCK_FAULTS = [
  "lost_before",
  "lost_after",
  "http_500",
  "http_500_after",
  "truncated",
  "doubled",
  "contradicting",
  "rate_limited",
  "silence",
] as const;
export type MockFault = (typeof MOCK_FAULTS)[number];
export const RETRY_AFTER_SECONDS = 7;

const UNAUTHORIZED = 401;

export interface MockRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** Of the client's certificate, where one was shown. */
  peer?: string;
}

export interface MockReply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Done, and never answered. */
  isSilent?: boolean;
  /** Nothing was done, and nothing is answered: its key was not used. */
  wasNotDone?: boolean;
}

/** What a request is about, as faults and records name it. */
export interface About {
  step: string;
  charge: string;
  reference: string;
}

export interface MockDefinition {
  handle(request: MockRequest): MockReply;
  about(request: MockRequest): About;
  /** The request without card data. */
  shown(request: MockRequest): Record<string, unknown>;
  /** The provider's own words for trouble, by status. */
  trouble(status: 429 | 500 | 400, words: string): unknown;
  /** The same answer, saying something that cannot be. */
  contradict(reply: MockReply): MockReply;
  contract?: Contract;
  /** Requests that are not of the document, such as those for a token. */
  isOutside?(request: MockRequest): boolean;
}

export interface Recorded extends About {
  operation: string;
  request: Record<string, unknown>;
}

export interface MockServer {
  url: string;
  port: number;
  /** What anybody asked or answered against the provider's document: nobody may. */
  breaches: string[];
  requests: readonly Recorded[];
  /** Suffered once, by the next request of this step; of any step when none is named. */
  plan(fault: MockFault, step?: string): void;
  /** Asked for each request that no planned fault meets. */
  faultOf?: ((about: About) => MockFault | undefined | Promise<MockFault | undefined>) | undefined;
  /** Sees each request as it came, card data included: for comparisons in memory. */
  watch?: ((request: MockRequest) => void) | undefined;
  /** Told how long each answer took to make, from the first byte of its request to its last. */
  timed?: ((milliseconds: number) => void) | undefined;
  close(): Promise<void>;
}

const KEPT_OPEN_MS = 60_000;

/** A provider on this machine, over real HTTP: what is sent and what is answered is held against its document. */
export async function startMock<T extends object>(
  of: MockDefinition,
  more: T,
  { port = 0, tls }: { port?: number; tls?: ServerOptions } = {},
): Promise<MockServer & T> {
  const planned: { fault: MockFault; step: string | undefined }[] = [];
  const requests: Recorded[] = [];
  const breaches: string[] = [];
  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    const startedMs = monotonicMs();
    response.once("finish", () => mock.timed?.(monotonicMs() - startedMs));
    serve(incoming, response).catch((error: unknown) => {
      breaches.push(`the stand-in failed: ${String(error)}`);
      incoming.socket.destroy();
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  // A pause of a busy machine is no reason to hang up on who is about to ask again.
  server.keepAliveTimeout = KEPT_OPEN_MS;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await requestOf(incoming);
    const about = of.about(request);
    mock.watch?.(request);
    const index = planned.findIndex((one) => one.step === undefined || one.step === about.step);
    const [met] = index < 0 ? [] : planned.splice(index, 1);
    const fault = met?.fault ?? (await mock.faultOf?.(about));
    if (fault === "silence") return;
    if (fault === "lost_before") return drop(response);
    if (fault === "http_500") return answer(response, { status: 500, body: of.trouble(500, "before") });
    if (fault === "rate_limited") {
      const headers = { "retry-after": String(RETRY_AFTER_SECONDS) };
      return answer(response, { status: 429, body: of.trouble(429, "too many requests"), headers });
    }
    requests.push({ ...about, operation: about.step, request: of.shown(request) });
    const contract = of.isOutside?.(request) ? undefined : of.contract;
    const wrong = contract?.requestBreaches(request) ?? [];
    if (wrong.length > 0) {
      breaches.push(...wrong);
      return answer(response, { status: 400, body: of.trouble(400, wrong.join("; ")) });
    }
    const reply = of.handle(request);
    if (reply.wasNotDone) return;
    // Who does not get in is answered by the door, which no document describes.
    const isDoor = reply.status === UNAUTHORIZED;
    const own = (isDoor ? undefined : contract)?.answerBreaches(request, reply.status, reply.body) ?? [];
    if (own.length > 0) breaches.push(...own.map((line) => `our own answer: ${line}`));
    if (reply.isSilent) return;
    if (fault === "lost_after") return drop(response);
    if (fault === "http_500_after") return answer(response, { status: 500, body: of.trouble(500, "after") });
    answer(response, fault === "contradicting" ? of.contradict(reply) : reply, fault);
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: bound } = server.address() as AddressInfo; // A TCP server that listens has an address of this form.
  const mock: MockServer & T = {
    ...more,
    url: `${tls ? "https" : "http"}://127.0.0.1:${bound}`,
    port: bound,
    breaches,
    requests,
    plan: (fault, step) => {
      planned.push({ fault, step });
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return mock;
}

async function requestOf(incoming: IncomingMessage): Promise<MockRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const { pathname: path, searchParams: query } = new URL(incoming.url ?? "/", "http://provider");
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
  const isForm = (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  const body: unknown = text === "" ? undefined : isForm ? nested(new URLSearchParams(text)) : JSON.parse(text);
  // Guarantee: a server for TLS hands out sockets of it; of another one the certificate is not there.
  const peer = (incoming.socket as Partial<TLSSocket>).getPeerCertificate?.()?.subject?.CN;
  const shown = Array.isArray(peer) ? peer[0] : peer;
  return { method: incoming.method ?? "GET", path, query, headers, body, ...(shown ? { peer: shown } : {}) };
}

const NUMBER = /^\d+$/;

/** `a[b][0]=c` as { a: { b: ["c"] } }. */
export function nested(form: URLSearchParams): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of form) {
    const parts = name.split(/[[\]]+/).filter((part) => part !== "");
    let at: Record<string, unknown> = root;
    for (const part of parts.slice(0, -1)) {
      at[part] ??= {};
      at = at[part] as Record<string, unknown>; // It was made one line above, or by a name before.
    }
    at[parts.at(-1) ?? ""] = value;
  }
  // Object.entries of a record: its lists have members named by numbers.
  return listed(root) as Record<string, unknown>;
}

function listed(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([name, value]) => [name, listed(value)] as const);
  const isList = entries.length > 0 && entries.every(([name]) => NUMBER.test(name));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

const drop = (response: ServerResponse): void => {
  response.socket?.destroy();
};

function answer(response: ServerResponse, { status, body, headers }: MockReply, fault?: MockFault): void {
  const text = body === undefined ? "" : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(fault === "truncated" ? text.slice(0, -5) : fault === "doubled" ? text + text : text);
}
