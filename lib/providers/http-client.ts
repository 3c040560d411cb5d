import { Agent, DecoratorHandler, type Dispatcher } from "undici";
import { circuitAllows, circuitRetryMs, reportConnection } from "@/lib/providers/circuit";
import {
  type Exchange,
  exchangeOf,
  failedAfterSending,
  failedBeforeSending,
  type OutboundRequest,
  type SendLimits,
  type Transport,
} from "@/lib/providers/exchange";
import { realNow } from "@/lib/time";

const CONNECT_TIMEOUT_MS = 3_000;
const MAX_RESPONSE_BYTES = 1_000_000;
const KEEP_ALIVE_MS = 20_000;
const MAX_CONNECTIONS = 64;

export interface HttpTransportOptions {
  baseUrl: string;
  /** Constant hosts of the kind; anything else is refused before a connection is made. */
  allowedHosts: readonly string[];
  /** mTLS: connections belong to one set of credentials. */
  clientCertificate?: { cert: string; key: string; passphrase?: string };
  /** Plain HTTP is for our own simulator on this machine. */
  allowPlainHttp?: boolean;
  /** Additional trust, for tests. */
  ca?: string;
}

export interface HttpTransport extends Transport {
  /** Takes no new call and ends when the last one under way has. */
  retire(): Promise<void>;
}

/** The one client of all adapters. */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const origin = allowedOrigin(options);
  const agent = new Agent({
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    // Our deadline governs both; the client's own would only hide which one fired.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...options.clientCertificate, ...(options.ca ? { ca: options.ca } : {}) },
  });
  return {
    send: (request, limits) => send(agent, origin, request, limits),
    close: () => agent.destroy(),
    retire: () => agent.close(),
  };
}

function allowedOrigin({ baseUrl, allowedHosts, allowPlainHttp }: HttpTransportOptions): string {
  const url = new URL(baseUrl);
  const secure = url.protocol === "https:" || (allowPlainHttp === true && url.protocol === "http:");
  if (!secure || !allowedHosts.includes(url.hostname) || url.username !== "" || url.password !== "") {
    throw new Error(`${url.hostname} is not a host of this provider`);
  }
  return url.origin;
}

async function send(
  agent: Agent,
  origin: string,
  request: OutboundRequest,
  { deadline, signal }: SendLimits,
): Promise<Exchange> {
  const leftMs = deadline.getTime() - realNow().getTime();
  if (leftMs <= 0 || signal.aborted) return { kind: "not_sent", cause: "deadline" };
  if (!circuitAllows(origin)) {
    return { kind: "not_sent", cause: "circuit_open", retryAfterMs: circuitRetryMs(origin) };
  }
  const timeout = AbortSignal.timeout(leftMs);
  let sent = false;
  const started = () => {
    sent = true;
  };
  const watched = agent.compose((dispatch) => (opts, handler) => dispatch(opts, noticing(handler, started)));
  try {
    const answer = await watched.request({
      origin,
      path: request.path,
      method: request.method,
      ...payload(request),
      signal: AbortSignal.any([signal, timeout]),
    });
    reportConnection(origin, true);
    const text = await answer.body.text();
    return exchangeOf(answer.statusCode, plainHeaders(answer.headers), text);
  } catch (error) {
    if (timeout.aborted || signal.aborted) {
      return sent ? { kind: "undetermined", cause: "timeout" } : { kind: "not_sent", cause: "deadline" };
    }
    const code = codeOf(error);
    if (sent) return { kind: "undetermined", cause: failedAfterSending(code) };
    reportConnection(origin, false);
    return { kind: "not_sent", cause: failedBeforeSending(code) };
  }
}

/** Tells the moment before the first byte is written: until then nothing can have happened at the provider. */
function noticing(handler: Dispatcher.DispatchHandler, started: () => void): Dispatcher.DispatchHandler {
  const decorated: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
  const start = decorated.onRequestStart?.bind(decorated);
  decorated.onRequestStart = (controller, context) => {
    started();
    start?.(controller, context);
  };
  return decorated;
}

function payload({ headers, body, form }: OutboundRequest): { headers: Record<string, string>; body?: string } {
  if (form) return { headers: { ...headers, "content-type": "application/x-www-form-urlencoded" }, body: String(form) };
  if (body === undefined) return { headers };
  return { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return plain;
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const { code, cause } = error as { code?: unknown; cause?: unknown }; // Read as unknown: both may be absent.
  return typeof code === "string" ? code : cause === undefined ? "" : codeOf(cause);
}
