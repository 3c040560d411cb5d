import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import next from "next";
import { dispatch } from "@/app/api/registry";
import { isDatabaseAway } from "@/db/availability";
import { closePools } from "@/db/client";
import { isDatabaseLoss } from "@/db/losses";
import { type ServedWorkflows, startServing } from "@/inngest/serving";
import { env } from "@/lib/env";
import { logDatabaseNews } from "@/lib/health/database-news";
import { flushRequestLog } from "@/lib/http/request-log";
import { log } from "@/lib/log";
import { countRequest, meters, PAGE, UNKNOWN } from "@/lib/metrics";
import { answerSiblings, beSibling } from "@/lib/siblings";
import { monotonicMs } from "@/lib/time";
import { pause } from "@/lib/wait";
import { ClientGone, isServable, serveFetch } from "@/scripts/server/adapter";
import { addressed } from "@/scripts/server/addressed";
import { answeredAway, sendAway } from "@/scripts/server/away";
import { cleanHeaders, plainHeaders, tellAddress } from "@/scripts/server/headers";
import { answeredHealth } from "@/scripts/server/health";
import { placeOf } from "@/scripts/server/hosts";
import { type Callers, cappedPage, refuseLarge } from "@/scripts/server/page-body";
import { setPagePolicy } from "@/scripts/server/page-policy";
import { isSignedIn } from "@/scripts/server/signed-in";
import { limitSockets } from "@/scripts/server/sockets";
import { announceReady, endStart, onStop, outliveBrokenConnections, verifyDatabase } from "@/scripts/start/lifecycle";
import { ROOT } from "@/scripts/start/paths";
import { whyNotListening } from "@/scripts/start/port";
import { startTracing } from "@/scripts/start/tracing";

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUT_CHECK_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_SOCKETS = 1_000;
const DRAIN_MS = 23_000;
const DEVELOPMENT_DRAIN_MS = 500;
/** A database that answers has said so by then. */
const VERIFY_MS = 1_000;

const stopTracing = await startTracing("web");
beSibling();
answerSiblings("counts", () => meters().registry.getMetricsAsJSON());
const isDevelopment = process.env.NODE_ENV === "development";
const settings = env();
const { PORT, HOST, BASE_URL, TRUST_PROXY, SHUTDOWN_GRACE_SECONDS } = settings;
const callers: Callers = { isSignedIn, takesWorkflows: settings.INNGEST_SIGNING_KEY !== undefined };
let isStopping = false;
outliveBrokenConnections();
logDatabaseNews();

const server = createServer(
  {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node would answer without an envelope.
    requireHostHeader: false,
  },
  (request, response) => {
    serve(request, response).catch((error: unknown) => fail(error, response));
  },
);
server.maxConnections = MAX_SOCKETS;
server.on("clientError", refuseMalformed);
limitSockets(server, settings);

const pages = next({
  dev: isDevelopment,
  dir: ROOT,
  hostname: "localhost",
  port: PORT,
  httpServer: server,
  quiet: !isDevelopment,
});
await pages.prepare().catch(endStart);
const servePage = pages.getRequestHandler();

const API = /^\/(?:api\/)?v1(?:[/?]|$)/;

/** What foreign secrets would write could never be read again: until then a database that answers is left alone. */
let isVerified = false;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isServable(request.method)) {
    refuse(response, 405, "method not allowed");
    return;
  }
  // Whoever keeps a connection is told to go while there is still time.
  if (isStopping) response.setHeader("connection", "close");
  if (answeredHealth(request, response, isStopping ? "stopping" : isVerified ? "serving" : "starting")) return;
  const target = addressed(request, settings);
  if ("problem" in target) {
    refuse(response, 400, target.problem);
    return;
  }
  request.url = target.url;
  if (!isVerified && !isDatabaseAway()) {
    response.setHeader("connection", "close");
    sendAway(request, response);
    return;
  }
  cleanHeaders(request, TRUST_PROXY);
  const placed = placeOf(hostOf(request), request.url ?? "/", settings);
  if (placed.kind === "absent") {
    refuse(response, 404, "not found");
    return;
  }
  if (placed.kind === "moved") {
    response.writeHead(308, { location: placed.to }).end();
    return;
  }
  request.url = placed.url;
  // In development the pages' own server takes both: it reloads the handlers when their files change.
  const isApi = API.test(request.url ?? "");
  if (isApi && !isDevelopment) await serveFetch(dispatch, request, response, BASE_URL, "carried");
  else {
    if (!isApi) countPage(request, response);
    if (!isDevelopment && answeredAway(request, response)) return;
    const page = isApi ? request : await cappedPage(request, callers);
    if (!page) {
      refuseLarge(request, response, envelope(413, "request body too large"));
      return;
    }
    plainHeaders(response);
    tellAddress(page);
    setPagePolicy(page, response, isDevelopment);
    await servePage(page, response);
  }
}

function countPage({ method = "GET" }: IncomingMessage, response: ServerResponse): void {
  const startedMs = monotonicMs();
  const known = method === "GET" || method === "POST" ? method : UNKNOWN;
  response.once("close", () => countRequest(known, PAGE, response.statusCode, monotonicMs() - startedMs));
}

/** As the caller wrote it; a trusted proxy may pass it on in a header of its own. */
function hostOf({ headers }: IncomingMessage): string {
  const forwarded = TRUST_PROXY > 0 ? headers["x-forwarded-host"] : undefined;
  return (typeof forwarded === "string" ? forwarded : (headers.host ?? "")).toLowerCase();
}

function fail(error: unknown, response: ServerResponse): void {
  if (error instanceof ClientGone) return;
  if (isDatabaseLoss(error) && !response.headersSent) {
    refuse(response, 503, "temporarily unavailable");
    return;
  }
  log.error({ error }, "a request failed outside its endpoint");
  if (!response.headersSent) refuse(response, 500, "unexpected error");
  else response.destroy();
}

const envelope = (status: number, message: string): string =>
  JSON.stringify({ error: { type: status < 500 ? "bad_request" : "api_error", code: status, message, details: [] } });

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    connection: "close",
    ...(status === 503 ? { "retry-after": "2" } : {}),
  });
  response.end(envelope(status, message));
}

const MALFORMED: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Payload Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/** What the HTTP parser refuses never becomes a request, so its answer is written by hand. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] = MALFORMED[error.code ?? ""] ?? [400, "Bad Request"];
  const body = envelope(status, reason.toLowerCase());
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

let serving: ServedWorkflows | undefined;

onStop(async (cause) => {
  isStopping = true;
  // Inngest is told of another process before this one stops to answer; without a database it finds out by itself.
  await serving
    ?.stop()
    .catch((error: unknown) => log.error({ error, job: "engine registration" }, "not told of the stop"));
  // A load balancer learns by /readyz that this process goes, and sends nothing more before the socket closes.
  if (cause === "SIGTERM" && !isDevelopment) await pause(SHUTDOWN_GRACE_SECONDS * 1_000);
  const drained = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections that wait for their next request are told to go with their next answer, and closed when silent.
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), isDevelopment ? DEVELOPMENT_DRAIN_MS : DRAIN_MS);
  const idle = setInterval(() => server.closeIdleConnections(), TIMEOUT_CHECK_MS);
  // Upgraded sockets of the development server are not the server's own and end with the process.
  await (isDevelopment
    ? Promise.race([drained, new Promise((resolve) => setTimeout(resolve, DEVELOPMENT_DRAIN_MS))])
    : drained);
  clearTimeout(limit);
  clearInterval(idle);
  await pages.close();
  await flushRequestLog();
  await stopTracing();
  await closePools();
});

const verified = verifyDatabase().then(() => {
  isVerified = true;
});
await Promise.race([verified, pause(VERIFY_MS)]);
await new Promise<void>((resolve, reject) => {
  server.once("error", reject);
  server.listen(PORT, HOST, resolve);
}).catch((error: NodeJS.ErrnoException) => endStart(whyNotListening(error.code ?? error.message, PORT, HOST)));
serving = await startServing("web", settings).catch(endStart);
// Nobody is told to come before they are served.
await verified;
announceReady();
