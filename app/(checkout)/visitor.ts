import { addressOf, isSameOrigin } from "@/app/request-origin";
import { ASKED_CODE_SECONDS } from "@/lib/checkout/asked-code";
import { TYPED_SECONDS } from "@/lib/checkout/typed-before";
import { isVisit, newVisit } from "@/lib/checkout/visit";
import { env } from "@/lib/env";
import { isLocale, type Locale, localeFor } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";

export interface Visitor {
  readonly requestId: string;
  readonly ip: string;
  readonly locale: Locale;
  /** Of the cookie; a new one when the browser sent none. */
  readonly visit: string;
  readonly cookies: readonly string[];
  /** What this browser typed last on the link, as it keeps it. */
  readonly typed: string | undefined;
  /** That it waits for a code by e-mail, as it keeps it. */
  readonly askedCode: string | undefined;
  readonly url: URL;
  /** Of a form's own address, which takes nothing else. */
  readonly isForm: boolean;
  readonly isEmbedded: boolean;
  /** Of the shop's page around the frame, where it says so. */
  readonly scheme: "light" | "dark" | null;
  readonly wantsJson: boolean;
}

const UNKNOWN_ADDRESS = "0.0.0.0";
const VISIT_SECONDS = 30 * 86_400;

/** A name with the host's own prefix is only taken by browsers over TLS; without it, as in development, a plain one. */
const isSecure = (): boolean => new URL(env().CHECKOUT_URL).protocol === "https:";
const nameOf = (what: "visit" | "lang"): string => (isSecure() ? `__Host-${what}` : what);

function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** In a frame on the shop's page a cookie is kept only for that page, in a jar of its own. */
const reachOf = (isEmbedded: boolean): string =>
  isEmbedded ? "SameSite=None; Secure; Partitioned" : `SameSite=Lax${isSecure() ? "; Secure" : ""}`;

const cookie = (what: "visit" | "lang", value: string, isEmbedded: boolean): string =>
  `${nameOf(what)}=${value}; Path=/; Max-Age=${VISIT_SECONDS}; HttpOnly; ${reachOf(isEmbedded)}`;

const typedName = (): string => (isSecure() ? "__Secure-typed" : "typed");

/** Sent with the pages of one link alone. */
export const typedCookie = (sealed: string, base: string, { isEmbedded }: Pick<Visitor, "isEmbedded">): string =>
  `${typedName()}=${sealed}; Path=${base}; Max-Age=${TYPED_SECONDS}; HttpOnly; ${reachOf(isEmbedded)}`;

const askedName = (): string => (isSecure() ? "__Secure-code" : "code");

/** Empty once the code is entered. */
export const askedCodeCookie = (sealed: string, base: string, { isEmbedded }: Pick<Visitor, "isEmbedded">): string =>
  `${askedName()}=${sealed}; Path=${base}; Max-Age=${sealed ? ASKED_CODE_SECONDS : 0}; HttpOnly; ${reachOf(isEmbedded)}`;

export function visitorOf(request: Request, form?: ReadonlyMap<string, string>): Visitor {
  const url = new URL(request.url);
  const asked = form?.get("lang") ?? url.searchParams.get("lang") ?? undefined;
  const chosen = isLocale(asked) ? asked : undefined;
  const locale = localeFor(chosen ?? cookieOf(request, nameOf("lang")), request.headers.get("accept-language"));
  const sent = cookieOf(request, nameOf("visit"));
  const visit = isVisit(sent) ? sent : newVisit();
  // The frame's first address may not say it: most browsers name what a page is loaded into.
  const embed = form?.get("embed") ?? url.searchParams.get("embed");
  const scheme = embed === "light" || embed === "dark" ? embed : null;
  const isEmbedded = embed === "1" || scheme !== null || request.headers.get("sec-fetch-dest") === "iframe";
  return {
    requestId: newId(),
    ip: addressOf(request.headers) ?? UNKNOWN_ADDRESS,
    locale,
    visit,
    cookies: [
      ...(visit === sent ? [] : [cookie("visit", visit, isEmbedded)]),
      ...(chosen ? [cookie("lang", chosen, isEmbedded)] : []),
    ],
    typed: cookieOf(request, typedName()),
    askedCode: cookieOf(request, askedName()),
    url,
    isForm: request.method === "POST",
    isEmbedded,
    scheme,
    wantsJson: request.headers.get("accept")?.includes("application/json") ?? false,
  };
}

/** Forms and scripts of our own pages alone; a browser that names no origin says that the site is the same. */
export function comesFromUs(request: Request): boolean {
  const origin = request.headers.get("origin");
  // With no-referrer, browsers send "null" for a form's own origin.
  if (origin !== null && origin !== "null") return isSameOrigin(request.headers);
  return request.headers.get("sec-fetch-site") === "same-origin";
}
