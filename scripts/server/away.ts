import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isDatabaseAway, isDatabaseDoubted } from "@/db/availability";
import { LOCALE_COOKIE, localeFor } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";

const RETRY_SECONDS = 2;
const SERVER_ERROR = 500;

/** Pages that need no database, and their assets: they are served as ever. */
const FREE =
  /^\/(?:$|\?|_next\/|checkout\/|docs(?:[/?]|$)|metrics(?:\?|$)|(?:icon\.svg|favicon\.ico|embed\.js)(?:\?|$))/;

/**
 * While the database is away a page is not even begun. One that was under way ends with an error of the framework, which
 * becomes the same answer.
 */
export function answeredAway(request: IncomingMessage, response: ServerResponse): boolean {
  if (FREE.test(request.url ?? "/")) return false;
  if (isDatabaseAway()) {
    sendAway(request, response);
    return true;
  }
  const writeHead = response.writeHead.bind(response);
  const { write, end } = response;
  // Guarantee: every form of `writeHead` is handed on as it came.
  response.writeHead = ((status: number, ...rest: []) => {
    response.writeHead = writeHead;
    if (status < SERVER_ERROR || !isDatabaseDoubted()) return writeHead(status, ...rest);
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    // Past the framework's compression, which would make another length of it.
    Object.assign(response, { write, end });
    sendAway(request, response);
    // What the framework still says of its error goes nowhere.
    response.write = () => true;
    response.end = () => response;
    return response;
  }) as typeof response.writeHead;
  return false;
}

/** A page for people, the envelope for programs. */
export function sendAway(request: IncomingMessage, response: ServerResponse): void {
  const isPage = (request.headers.accept ?? "").includes("text/html");
  const style = styleOf();
  const body = isPage ? pageOf(request, style) : ENVELOPE;
  response.writeHead(503, {
    "content-type": isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "retry-after": String(RETRY_SECONDS),
    "cache-control": "no-store",
    ...(isPage ? { "content-security-policy": policyOf(style), "x-content-type-options": "nosniff" } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

const ENVELOPE = JSON.stringify({
  error: { type: "api_error", code: 503, message: "temporarily unavailable", details: [] },
});

const styleOf = (): string =>
  ":root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem}" +
  "h1{font-size:1.5rem;line-height:1.25}a{display:inline-block;padding:.75rem 1.25rem;border:1px solid;border-radius:.5rem;color:inherit}";

const policyOf = (style: string): string =>
  `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Without a script: it opens again by itself, and by a link for whoever does not want to wait. */
function pageOf({ headers, method }: IncomingMessage, style: string): string {
  const chosen = new RegExp(`(?:^|;\\s*)${LOCALE_COOKIE}=([\\w-]+)`).exec(headers.cookie ?? "")?.[1];
  const locale = localeFor(chosen, headers["accept-language"] ?? null);
  const { title, text, paid, retry } = messages[locale].away;
  const again = method === "GET" ? `<meta http-equiv="refresh" content="5">` : "";
  return (
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">${again}<title>${title}</title>` +
    `<style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p><p>${paid}</p>` +
    `<p><a href="">${retry}</a></p></main></body></html>`
  );
}
