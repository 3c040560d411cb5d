import { randomBytes } from "node:crypto";
import type { ReactElement } from "react";
import type { Visitor } from "@/app/(checkout)/visitor";
import { PAGE_HEADERS, type Policy, pagePolicy } from "@/lib/checkout/page-policy";
import { REPORTS_NAME } from "@/lib/checkout/policy-reports";
import { paymentLinkOf } from "@/lib/sessions/serializer";

const NONCE_BYTES = 16;
export const newNonce = (): string => randomBytes(NONCE_BYTES).toString("base64");

function headersOf(visitor: Visitor, more: Record<string, string>): Headers {
  const headers = new Headers({ ...PAGE_HEADERS, ...more });
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
      "content-security-policy": pagePolicy(policy),
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

/** An empty page for a frame of ours, which a shop's page may stand around. */
export const nothing = (): Response =>
  new Response("", {
    headers: {
      ...PAGE_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
    },
  });

/** Kept by the browser, also out of a frame: shown in its place, there would be no way back to the page. */
export const file = (visitor: Visitor, body: Uint8Array, name: string): Response =>
  // Guarantee: a whole array of its own, never a view of shared memory.
  new Response(body as BodyInit, {
    headers: headersOf(visitor, {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="${name}"`,
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
