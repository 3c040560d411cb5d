import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scriptAddress } from "@/app/(checkout)/inventory";
import { paymentLinkOf } from "@/lib/sessions/serializer";

/** Shops name this address once and keep it: it is asked for again after an hour, and changes with us. */
const FRESH_SECONDS = 3_600;

/** The web component, with the address of this installation's checkout in front. */
export function GET(): Response {
  const code = readFileSync(join(process.cwd(), "public", scriptAddress("site")), "utf8");
  const links = paymentLinkOf("").replace(/\/$/, "");
  return new Response(`(()=>{const TRILHO_CHECKOUT=${JSON.stringify(links)};${code}})();\n`, {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": `public, max-age=${FRESH_SECONDS}`,
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    },
  });
}
