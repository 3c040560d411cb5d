import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const NAME = "content-security-policy";
const NONCE_BYTES = 16;

/** The API answers other origins; the checkout, its preview and the reference bring policies of their own. */
const APART = /^\/(?:v1\/|api\/|docs|pay\/|captcha-frame|dashboard\/preview|embed\.js|openapi\.json)/;

/**
 * Pages load nothing from another origin, and run no script that this answer did not name by its nonce. Styles keep
 * 'unsafe-inline': charts, menus and notices place themselves by style attributes, which no nonce can name, and without
 * scripts a style reaches no address of anybody else's.
 */
function policyWith(nonce: string, isDevelopment: boolean): string {
  const directives = {
    "default-src": "'none'",
    "script-src": `'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": `'self'${isDevelopment ? " ws:" : ""}`,
    "manifest-src": "'self'",
    // The preview of the checkout, which lets nobody but our own pages show it.
    "frame-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "object-src": "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** Said to the browser, and to the framework, which reads the nonce of its own scripts from the request. */
export function setPagePolicy(request: IncomingMessage, response: ServerResponse, isDevelopment: boolean): void {
  if (APART.test(request.url ?? "/")) return;
  const policy = policyWith(randomBytes(NONCE_BYTES).toString("base64"), isDevelopment);
  request.headers[NAME] = policy;
  response.setHeader(NAME, policy);
}
