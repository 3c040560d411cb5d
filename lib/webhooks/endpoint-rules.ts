import { isIP } from "node:net";
import type { Account } from "@/lib/context";
import { type Env, env, isOnLoopback } from "@/lib/env";
import { isLoopback, isPrivateAddress } from "@/lib/webhooks/addresses";

export const LONGEST_ENDPOINT = 2_048;

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const FIRST_UNPRIVILEGED_PORT = 1_024;

/** Ports on which something else than the web answers; a signed POST there could be read as commands. */
const FOREIGN_PORTS = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432,
  5672, 5984, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8020, 9042, 9092, 9200, 9300, 10080,
  10250, 10255, 11211, 15672, 27017,
]);

/** In place of an address: a program takes the events itself, wherever it runs (lib/webhooks/listen.ts). */
export const LISTENER_SCHEME = "listener:";
const LISTENER = /^listener:[a-z0-9][a-z0-9-]{0,62}$/;
export const isListener = (endpoint: string): boolean => LISTENER.test(endpoint);

const INTERNAL_NAMES = ["internal", "local", "localhost", "home.arpa", "localdomain", "lan", "intranet", "corp"];

export interface WebhookAddress {
  url: URL;
  /** Which addresses it may be reached at. */
  network: Reach;
}
/** How far an account's endpoints may be from the public internet; each holds what stands before it. */
export type Reach = "public" | "loopback" | "private";

/** Why an endpoint may not be one: each has its words for people (app/(dashboard)/task.ts). */
export type EndpointProblem =
  | `longer than ${typeof LONGEST_ENDPOINT} characters`
  | "must not hold blanks, backslashes or control characters"
  | "must be a URL"
  | "must not name a user"
  | "must be https"
  | "must be http or https"
  | "must have a name, not an address"
  | "must be at a public address"
  | "must be at a public or a private address"
  | "must be on a public domain"
  | "the port is not allowed"
  | "must not be this installation";

/** The endpoint, or why it may not be one. Judged when it is registered and again before each connection. */
export type Judged = { endpoint: WebhookAddress } | { problem: EndpointProblem };

export function judgeEndpoint(text: string, reach: Reach): Judged {
  const settings = env();
  if (judged.of !== settings || judged.known.size >= MOST_JUDGED) judged = { of: settings, known: new Map() };
  const key = `${reach} ${text}`;
  const known = judged.known.get(key) ?? judge(text, reach);
  judged.known.set(key, known);
  return known;
}

const MOST_JUDGED = 2_000;
/** Nothing but the text, the reach and the settings decides: asked for every attempt, judged once. */
let judged: { of: Env | undefined; known: Map<string, Judged> } = { of: undefined, known: new Map() };

function judge(text: string, reach: Reach): Judged {
  if (text.length > LONGEST_ENDPOINT) return { problem: `longer than ${LONGEST_ENDPOINT} characters` };
  // The parser drops tabs and line ends and reads a backslash as a slash: what is stored must say where it goes.
  if (/[\p{Cc}\s\\]/u.test(text)) return { problem: "must not hold blanks, backslashes or control characters" };
  if (!URL.canParse(text)) return { problem: "must be a URL" };
  const url = new URL(text);
  url.hash = "";
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/.test(text)) {
    return { problem: "must not name a user" };
  }
  if (reach !== "public" && isLoopbackHost(url.hostname)) return judgeNear(url, "loopback");
  const judged = judgePublic(url);
  return reach === "private" && "problem" in judged ? judgeNear(url, "private") : judged;
}

/**
 * Sandbox accounts may be told on the machine itself, while nobody but this machine reaches Trilho: behind a proxy it may
 * be reached from anywhere, though it listens on the machine alone. And on private networks, where an installation was started for development and told so.
 */
export function reachOf({ mode }: Pick<Account, "mode">): Reach {
  const settings = env();
  if (mode !== "sandbox") return "public";
  if (settings.WEBHOOK_ADDRESSES === "private" && settings.NODE_ENV !== "production") return "private";
  return isOnLoopback(settings) ? "loopback" : "public";
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");
const isLoopbackHost = (hostname: string): boolean => hostname === "localhost" || isLoopback(bare(hostname));

function judgeNear(url: URL, network: "loopback" | "private"): Judged {
  if (url.protocol !== "https:" && url.protocol !== "http:") return { problem: "must be http or https" };
  const host = bare(url.hostname);
  // Node asks no resolver about a literal: what a connection would check of a name is checked here.
  if (network === "private" && isIP(host) !== 0 && !isPrivateAddress(host)) {
    return { problem: "must be at a public or a private address" };
  }
  const port = portOf(url);
  const isWeb = network === "private" && (port === HTTP_PORT || port === HTTPS_PORT);
  if ((port < FIRST_UNPRIVILEGED_PORT && !isWeb) || FOREIGN_PORTS.has(port)) {
    return { problem: "the port is not allowed" };
  }
  if (ownPorts().has(port)) return { problem: "must not be this installation" };
  return { endpoint: { url, network } };
}

function judgePublic(url: URL): Judged {
  if (url.protocol !== "https:") return { problem: "must be https" };
  // Node asks no resolver about a literal, so it would pass the check of the connection by.
  if (isIP(bare(url.hostname)) !== 0) return { problem: "must have a name, not an address" };
  const name = url.hostname.replace(/\.$/, "");
  if (!name.includes(".") || name.split(".").some((label) => label === "")) {
    return { problem: "must be on a public domain" };
  }
  if (INTERNAL_NAMES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) {
    return { problem: "must be on a public domain" };
  }
  if (ownNames().has(name)) return { problem: "must not be this installation" };
  const port = portOf(url);
  if (port !== HTTPS_PORT && (port < FIRST_UNPRIVILEGED_PORT || FOREIGN_PORTS.has(port))) {
    return { problem: "the port is not allowed" };
  }
  return { endpoint: { url, network: "public" } };
}

const portOf = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? HTTPS_PORT : HTTP_PORT);

const ownNames = (): ReadonlySet<string> =>
  new Set([env().BASE_URL, env().CHECKOUT_URL].map((address) => new URL(address).hostname));

let known: { of: Env; ports: ReadonlySet<number> } | undefined;

/** Asked for every attempt, and the same for as long as the process lives. */
function ownPorts(): ReadonlySet<number> {
  const settings = env();
  if (known?.of !== settings) known = { of: settings, ports: portsIn(settings) };
  return known.ports;
}

function portsIn({ PORT, DATABASE_URL, BASE_URL, CHECKOUT_URL }: Env): ReadonlySet<number> {
  const addresses = [DATABASE_URL, BASE_URL, CHECKOUT_URL].flatMap((text) =>
    text ? [Number(new URL(text).port)] : [],
  );
  return new Set([PORT, ...addresses]);
}
