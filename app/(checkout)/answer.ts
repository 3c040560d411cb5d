import { randomBytes } from "node:crypto";
import type { ReactElement } from "react";
import type { Visitor } from "@/app/(checkout)/visitor";
import { REPORTS_NAME } from "@/lib/checkout/policy-reports";
import { paymentLinkOf } from "@/lib/sessions/serializer";

const NONCE_BYTES = 16;
export const newNonce = (): string => randomBytes(NONCE_BYTES).toString("base64");

const ALWAYS = {
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

function policyOf({ nonce, ancestors = "'none'", frames = "'none'", formTarget }: Policy): string {
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

function headersOf(visitor: Visitor, more: Record<string, string>): Headers {
  const headers = new Headers({ ...ALWAYS, ...more });
  for (const cookie of visitor.cookies) headers.append("set-cookie", cookie);
  return headers;
}

/**
 * The page as React makes it on the server, and nothing that would run it again in the browser: no runtime, no data for
 * one. Next's own way would send both to everybody, and lets no page choose its status, cookies or nonce.
 */
export async function page(
  visitor: Visitor,
  status: number,
  policy: Policy,
  document: ReactElement,
): Promise<Response> {
  // Resolved when the server runs: the bundler gives route handlers a React without a renderer.
  const { renderToStaticMarkup } = await import(/* turbopackIgnore: true */ "react-dom/server");
  const isFramed = policy.ancestors !== undefined && policy.ancestors !== "'none'";
  const html = `<!doctype html>${renderToStaticMarkup(document)}`;
  return new Response(html, {
    status,
    headers: headersOf(visitor, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policyOf(policy),
      "reporting-endpoints": `csp="${new URL(paymentLinkOf(REPORTS_NAME)).pathname}"`,
      "cross-origin-resource-policy": isFramed ? "cross-origin" : "same-origin",
      vary: "accept-language, cookie",
    }),
  });
}

export const json = (visitor: Visitor, status: number, body: object): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: headersOf(visitor, {
      "content-type": "application/json; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
    }),
  });

export const seeOther = (visitor: Visitor, location: string): Response =>
  new Response(null, { status: 303, headers: headersOf(visitor, { location }) });

export const file = (visitor: Visitor, body: Uint8Array, name: string): Response =>
  // Guarantee: a whole array of its own, never a view of shared memory.
  new Response(body as BodyInit, {
    headers: headersOf(visitor, {
      "content-type": "application/pdf",
      "content-disposition": `inline; filename="${name}"`,
      "cross-origin-resource-policy": "same-origin",
    }),
  });

export const eventStream = (visitor: Visitor, body: ReadableStream<Uint8Array>): Response =>
  new Response(body, {
    headers: headersOf(visitor, {
      "content-type": "text/event-stream",
      // A compressor in between would hold the events back.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    }),
  });
