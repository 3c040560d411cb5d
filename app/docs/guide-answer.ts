/** A page of text: it runs nothing and takes everything from here. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The answer of every guide; its language and theme come from the reader's headers. */
export const guideAnswer = (html: string): Response =>
  new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "cache-control": "private, no-cache",
      vary: "accept-language, cookie",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
    },
  });
