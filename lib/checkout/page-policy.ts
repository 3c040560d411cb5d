/** What every answer of the checkout says to the browser: written by its handlers, compared daily as it arrives. */

export const PAGE_HEADERS = {
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-write=(self)",
  "x-robots-tag": "noindex",
  "cache-control": "no-store",
} as const;

export interface Policy {
  readonly nonce: string;
  /** Who may frame the page: nobody, or the shop's own site for the embedded checkout. */
  readonly ancestors?: string;
  /** The captcha's frame, when a service is configured. */
  readonly frames?: string;
  /** The one origin a form may go to besides ours. */
  readonly formTarget?: string;
}

export function pagePolicy({ nonce, ancestors = "'none'", frames = "'none'", formTarget }: Policy): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    `form-action 'self'${formTarget ? ` ${formTarget}` : ""}`,
    `frame-src ${frames}`,
    `frame-ancestors ${ancestors}`,
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types trilho",
    "report-to csp",
  ].join("; ");
}
