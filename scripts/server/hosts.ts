import { FRAME_PATH } from "@/lib/captcha/frame";
import type { Env } from "@/lib/env";

type Addresses = Pick<Env, "BASE_URL" | "CHECKOUT_URL" | "CAPTCHA_FRAME_ORIGIN">;

/** What a request becomes by the name it was sent to. */
export type Placed = { kind: "serve"; url: string } | { kind: "moved"; to: string } | { kind: "absent" };

const PREFIX = "/pay";
const LINK = /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|\?|$)/i;
/** The page of a subscription, which an e-mail links to. */
const SUBSCRIPTION = /^\/s\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/[a-z]+)?(?:\?|$)/i;
/** A link that was copied wrong still says that it is none. */
const ONE_NAME = /^\/[^/?.]+\/?(?:\?|$)/;
const ASSET = /^\/(?:checkout\/[\w.-]+\.js|files\/logo\/[\w.-]+|icon\.svg|embed\.js|favicon\.ico)(?:\?.*)?$/;
const FRAME = new RegExp(`^(?:${FRAME_PATH}(?:\\?|$)|/checkout/captcha-frame\\.)`);

const absent: Placed = { kind: "absent" };
const serve = (url: string): Placed => ({ kind: "serve", url });

/**
 * With an origin of its own the checkout shares nothing with the dashboard and the API: there `/{id}` is the link, and
 * every other path but its assets is absent; at the other address links are not served any more. The frame of a captcha
 * service has its page and nothing else.
 */
export function placeOf(
  host: string,
  url: string,
  { BASE_URL, CHECKOUT_URL, CAPTCHA_FRAME_ORIGIN }: Addresses,
): Placed {
  const base = new URL(BASE_URL);
  const checkout = new URL(CHECKOUT_URL);
  if (CAPTCHA_FRAME_ORIGIN && host === new URL(CAPTCHA_FRAME_ORIGIN).host && host !== base.host) {
    return FRAME.test(url) ? serve(url) : absent;
  }
  if (checkout.host === base.host) return serve(url);
  if (host === checkout.host) {
    if (ASSET.test(url)) return serve(url);
    return LINK.test(url) || SUBSCRIPTION.test(url) || ONE_NAME.test(url) ? serve(`${PREFIX}${url}`) : absent;
  }
  const link = url.startsWith(`${PREFIX}/`) ? url.slice(PREFIX.length) : "";
  return LINK.test(link) || SUBSCRIPTION.test(link) ? { kind: "moved", to: `${checkout.origin}${link}` } : serve(url);
}
