import { env } from "@/lib/env";

/** Set by the launcher from the socket and TRUST_PROXY; without it the nearest hop that Next saw. */
const ADDRESS_HEADER = "x-trilho-address";

/** Path and query of a page's request, set by the launcher: a page is told its query apart from its path. */
const ASKED_HEADER = "x-trilho-asked";

export const askedOf = (headers: Headers): string | null => headers.get(ASKED_HEADER);

export function addressOf(headers: Headers): string | null {
  const hops = headers.get("x-forwarded-for")?.split(",") ?? [];
  return headers.get(ADDRESS_HEADER) ?? hops.at(-1)?.trim() ?? null;
}

/** A mutation must come from one of our own pages; browsers name the page's origin on every POST. */
export function isSameOrigin(headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  return origin === new URL(env().BASE_URL).origin || new URL(origin).host === headers.get("host");
}
