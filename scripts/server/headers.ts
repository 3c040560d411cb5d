import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { ADDRESS_HEADER } from "@/lib/http/endpoint";

/** As pages read it (app/request-origin.ts). */
const ASKED_HEADER = "x-trilho-asked";

/** Headers by which a caller could pose as the framework itself, or change the method or address after routing. */
const INTERNAL = new Set([
  ADDRESS_HEADER,
  ASKED_HEADER,
  // The framework takes the nonce of its scripts from these.
  "content-security-policy",
  "content-security-policy-report-only",
  "x-middleware-subrequest",
  "x-middleware-subrequest-id",
  "x-middleware-rewrite",
  "x-middleware-redirect",
  "x-middleware-next",
  "x-middleware-override-headers",
  "x-middleware-set-cookie",
  "x-middleware-invoke",
  "x-middleware-prefetch",
  "x-invoke-path",
  "x-invoke-query",
  "x-invoke-status",
  "x-invoke-output",
  "x-invoke-error",
  "x-matched-path",
  "x-now-route-matches",
  "x-nextjs-data-path",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-original-url",
  "x-rewrite-url",
  "x-forwarded-prefix",
]);

const FORWARDED = new Set([
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "forwarded",
]);

/** Rewrites the request in place: internal names out, the caller's true address in. */
export function cleanHeaders(request: IncomingMessage, trustedProxies: number): void {
  const address = addressOf(request, trustedProxies);
  const kept: string[] = [];
  const { rawHeaders, headers } = request;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (INTERNAL.has(name) || (trustedProxies === 0 && FORWARDED.has(name))) delete headers[name];
    else kept.push(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  }
  kept.push(ADDRESS_HEADER, address);
  headers[ADDRESS_HEADER] = address;
  request.rawHeaders = kept;
}

/** For a page that sends to sign-in and is come back to with its query. */
export function tellAddress(request: IncomingMessage): void {
  request.headers[ASKED_HEADER] = request.url ?? "/";
}

/**
 * The pages' framework sets every header of a route handler as a list, and then compresses none of them: it reads the
 * content type as a text.
 */
export function plainHeaders(response: ServerResponse): void {
  const set = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    const [only, ...more] = Array.isArray(value) ? value : [value];
    return set(name, only === undefined || more.length > 0 ? value : only);
  };
}

/** Each trusted proxy appended the address it was called from; what stands further left is the caller's own claim. */
function addressOf(request: IncomingMessage, trustedProxies: number): string {
  const socket = plain(request.socket.remoteAddress ?? "unknown");
  if (trustedProxies === 0) return socket;
  const claimed = request.headers["x-forwarded-for"];
  const hops = (Array.isArray(claimed) ? claimed.join(",") : (claimed ?? ""))
    .split(",")
    .map((hop) => plain(hop.trim()));
  const client = hops.at(-trustedProxies);
  return client !== undefined && isIP(client) !== 0 ? client : socket;
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, "");
