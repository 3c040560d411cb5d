import type { IncomingMessage } from "node:http";
import type { Env } from "@/lib/env";

type Addresses = Pick<Env, "BASE_URL" | "CHECKOUT_URL" | "CAPTCHA_FRAME_ORIGIN">;

/** The request line's target as a path, or why the request is refused. */
export type Addressed = { url: string } | { problem: string };

/**
 * One Host, and the name of this installation where the target names one: two servers on the way could read two Hosts, or
 * a target that contradicts its Host, differently, and one of them would then answer for the other.
 */
export function addressed(request: IncomingMessage, addresses: Addresses): Addressed {
  const { rawHeaders, url = "/" } = request;
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host");
  if (hosts.length === 0) return { problem: "host header required" };
  if (hosts.length > 1) return { problem: "more than one host header" };
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url);
  if (!scheme) return { url };
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return { problem: "the request's target is not served here" };
  const { host, pathname, search, username, password } = new URL(url);
  const isOurs =
    host === (request.headers.host ?? "").toLowerCase() && (isOwn(host, addresses) || isSocket(host, request));
  if (!isOurs || username !== "" || password !== "") return { problem: "the request's target is not served here" };
  return { url: pathname + search };
}

const isOwn = (host: string, { BASE_URL, CHECKOUT_URL, CAPTCHA_FRAME_ORIGIN }: Addresses): boolean =>
  [BASE_URL, CHECKOUT_URL, CAPTCHA_FRAME_ORIGIN].some((own) => own !== undefined && new URL(own).host === host);

/** By the address it was called at, as programs on the same network do. */
function isSocket(host: string, { socket }: IncomingMessage): boolean {
  const address = (socket.localAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
  const name = address.includes(":") ? `[${address}]` : address;
  return host === (socket.localPort === 80 ? name : `${name}:${socket.localPort}`);
}
