import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isDatabaseAway, isDatabaseDoubted } from "@/db/availability";
import { isLocale, LOCALE_COOKIE, type Locale, localeFor } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";
import { THEME_COOKIE, type Theme, themeOf } from "@/lib/i18n/theme";

const RETRY_SECONDS = 2;
const REFRESH_SECONDS = 5;
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
  const style = styleOf(themeChosen(request));
  const next = nextOf(request);
  const body = isPage ? pageOf(localeOf(request), style, next ?? "") : ENVELOPE;
  response.writeHead(503, {
    ...(isPage && next !== undefined ? { refresh: refreshTo(next) } : {}),
    "content-type": isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "retry-after": String(RETRY_SECONDS),
    "cache-control": "no-store",
    ...(isPage ? { "content-security-policy": policyOf(style, request), "x-content-type-options": "nosniff" } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

const ENVELOPE = JSON.stringify({
  error: { type: "api_error", code: 503, message: "temporarily unavailable", details: [] },
});

const LIGHT = "--ink:#161616;--soft:#525252;--page:#fff;--button:#0f6b4f";
const DARK = "--ink:#ecf4f1;--soft:#a2a9a6;--page:#101513;--button:#1d7457";
const COLORS: Readonly<Record<Theme, string>> = {
  system: `:root{color-scheme:light dark;${LIGHT}}@media(prefers-color-scheme:dark){:root{${DARK}}}`,
  light: `:root{color-scheme:light;${LIGHT}}`,
  dark: `:root{color-scheme:dark;${DARK}}`,
};

const styleOf = (theme: Theme): string =>
  `${COLORS[theme]}body{font:1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:18vh auto;padding:0 1.5rem;` +
  "color:var(--ink);background:var(--page);text-align:center}h1{font-size:1.625rem;line-height:1.25;" +
  "letter-spacing:-.02em;text-wrap:balance}p+p{color:var(--soft)}a{display:inline-block;margin-top:.5rem;" +
  "padding:.75rem 1.5rem;border-radius:.875rem;background:var(--button);color:#fff;font-weight:600;text-decoration:none}";

/** On a shop's own page a buyer is told too: nothing here could be clicked that matters. */
const policyOf = (style: string, { url = "", headers }: IncomingMessage): string =>
  `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; ` +
  "base-uri 'none'; form-action 'none'" +
  (CHECKOUT.test(url) && headers["sec-fetch-dest"] === "iframe" ? "" : "; frame-ancestors 'none'");

const CHECKOUT = /^\/pay\//;
/** An address of the checkout that takes forms alone, under the page that the form stands on. */
const FORM = /^\/pay\/(?:[\w-]+\/)*([\w-]+)\/[\w-]+(?:\?|$)/;

/**
 * What to open once the database is back: the same address, empty, or the page of a form, which by then shows whether it
 * was paid. Undefined where nothing may be opened unasked.
 */
function nextOf({ url = "", method }: IncomingMessage): string | undefined {
  if (method === "GET") return "";
  const page = FORM.exec(url)?.[1];
  return page === undefined ? undefined : `../${page}`;
}

const refreshTo = (next: string): string => (next === "" ? `${REFRESH_SECONDS}` : `${REFRESH_SECONDS}; url=${next}`);

const cookieOf = ({ cookie = "" }: IncomingMessage["headers"], name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`).exec(cookie)?.[1];

/** The checkout follows the buyer's machine alone. */
const themeChosen = ({ url = "", headers }: IncomingMessage): Theme =>
  CHECKOUT.test(url) ? "system" : themeOf(cookieOf(headers, THEME_COOKIE));

/** As each page would choose it: the checkout has a cookie of its own, and is asked by its address. */
function localeOf({ url = "", headers }: IncomingMessage): Locale {
  const chosen = CHECKOUT.test(url)
    ? [/[?&]lang=([\w-]+)/.exec(url)?.[1], cookieOf(headers, "(?:__Host-)?lang")]
    : [cookieOf(headers, LOCALE_COOKIE)];
  return localeFor(chosen.find(isLocale), headers["accept-language"] ?? null);
}

/** Without a script: it opens again by itself, and by a link for whoever does not want to wait. */
function pageOf(locale: Locale, style: string, next: string): string {
  const { title, text, paid, retry } = messages[locale].away;
  return (
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>` +
    `<style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p><p>${paid}</p>` +
    `<p><a href="${next}">${retry}</a></p></main></body></html>`
  );
}
