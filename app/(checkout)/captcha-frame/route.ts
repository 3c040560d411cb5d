import { newNonce } from "@/app/(checkout)/answer";
import { scriptAddress } from "@/app/(checkout)/inventory";
import { captchaSetup } from "@/lib/captcha/config";
import { framePage } from "@/lib/captcha/frame";
import { env } from "@/lib/env";

/** The captcha service's widget, on an origin that sees no card: the checkout shows it in a frame. */
export function GET(request: Request): Response {
  const setup = captchaSetup();
  const { searchParams } = new URL(request.url);
  const isItsHost = setup.provider !== "pow" && new URL(setup.frameOrigin).host === request.headers.get("host");
  const page = isItsHost
    ? framePage({
        setup,
        query: searchParams,
        nonce: newNonce(),
        checkout: new URL(env().CHECKOUT_URL).origin,
        script: scriptAddress("captcha-frame"),
      })
    : undefined;
  if (!page) return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  return new Response(page.html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": page.policy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
    },
  });
}
