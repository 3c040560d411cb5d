import { createHash } from "node:crypto";
import { request } from "undici";
import { type Inventory, readInventory, SCRIPTS_PATH } from "@/lib/checkout/inventory";
import { PAGE_HEADERS, pagePolicy } from "@/lib/checkout/page-policy";
import { env } from "@/lib/env";

/** PCI DSS 6.4.3 and 11.6.1: the payment page as it arrives over HTTP, beside what the build made. */

/** What differs, and the detail of it. The first goes to people, so it is one of our own words. */
export interface PageDifference {
  readonly what: "status" | "header" | "script";
  /** A header's name, or a script's address as the page wrote it; never more than 200 characters. */
  readonly detail: string;
}

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 2 * 1_024 * 1_024;
const MOST_SCRIPTS = 50;
const LONGEST_DETAIL = 200;

const found = (what: PageDifference["what"], detail: string): PageDifference => ({
  what,
  detail: detail.slice(0, LONGEST_DETAIL),
});

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * Asks for a link's page, compares its headers and each of its scripts with the inventory, and answers what differs.
 * @throws when the page cannot be read at all
 */
export async function comparePage(url: string, cookie: string): Promise<PageDifference[]> {
  const page = await read(url, { cookie, accept: "text/html" });
  const html = page.body.toString("utf8");
  const nonce = nonceIn(textOf(page, "content-security-policy"));
  const scripts = scriptsOf(html);
  return [
    ...(page.status === 200 ? [] : [found("status", String(page.status))]),
    ...headerDifferences(page, nonce),
    ...markupDifferences(html, scripts, nonce),
    ...(await scriptDifferences(url, scripts, readInventory())),
  ];
}

async function read(url: string, headers: Record<string, string>): Promise<Received> {
  const answer = await request(url, {
    headers,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    // Guarantee: undici's bodies are streams of buffers.
    const bytes = chunk as Buffer;
    size += bytes.byteLength;
    if (size > MOST_BYTES) throw new Error("the answer is longer than any page of ours");
    chunks.push(bytes);
  }
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
}

function textOf({ headers }: Received, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

const nonceIn = (policy: string): string => /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";

function headerDifferences(page: Received, nonce: string): PageDifference[] {
  const { CAPTCHA_PROVIDER, CAPTCHA_FRAME_ORIGIN } = env();
  const frames = CAPTCHA_PROVIDER === "pow" ? {} : { frames: new URL(CAPTCHA_FRAME_ORIGIN ?? "").origin };
  const expected: Record<string, string> = {
    ...PAGE_HEADERS,
    "content-security-policy": pagePolicy({ nonce, ...frames }),
    "content-type": "text/html; charset=utf-8",
  };
  const differing = Object.entries(expected).filter(([name, value]) => textOf(page, name) !== value);
  return [...differing.map(([name]) => name), ...["link", "refresh"].filter((name) => textOf(page, name) !== "")].map(
    (name) => found("header", name),
  );
}

interface Script {
  /** As it is written between `<script` and `>`. */
  readonly attributes: string;
  readonly address: string | undefined;
  readonly isData: boolean;
}

const scriptsOf = (html: string): Script[] =>
  [...html.matchAll(/<script\b([^>]{0,2000})>/gi)].slice(0, MOST_SCRIPTS).map(([, attributes = ""]) => ({
    attributes,
    address: attributeOf(attributes, "src"),
    isData: attributeOf(attributes, "type") === "application/json" && attributeOf(attributes, "src") === undefined,
  }));

const attributeOf = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]{0,1000})"`, "i").exec(attributes)?.[1];

/** Elements that run or load something and are none of ours, by their names. */
const FOREIGN =
  /<(?:iframe|object|embed|base|applet)\b|\son[a-z]{3,20}\s?=\s?["']|\s(?:href|src|action)\s?=\s?["']?\s?javascript:/i;

function markupDifferences(html: string, scripts: readonly Script[], nonce: string): PageDifference[] {
  const wrong = scripts.filter(
    ({ attributes, address, isData }) =>
      !isData && (address === undefined || nonce === "" || attributeOf(attributes, "nonce") !== nonce),
  );
  const opened = html.match(/<script\b/gi)?.length ?? 0;
  const withoutData = html.replace(/<script\b[^>]{0,2000}>[^<]*<\/script>/gi, "");
  const foreign = FOREIGN.exec(withoutData.replace(/>[^<>]*(?=<)/g, ">"));
  return [
    ...wrong.map(({ address }) => found("script", address ?? "inline")),
    ...(opened > scripts.length ? [found("script", "more than any page of ours")] : []),
    ...(foreign ? [found("script", foreign[0].trim())] : []),
  ];
}

async function scriptDifferences(
  url: string,
  scripts: readonly Script[],
  inventory: Inventory,
): Promise<PageDifference[]> {
  const known = new Map(Object.values(inventory).map(({ file, sha384 }) => [`${SCRIPTS_PATH}${file}`, sha384]));
  const differences: PageDifference[] = [];
  for (const address of new Set(scripts.flatMap((script) => script.address ?? []))) {
    const expected = known.get(address);
    const received = expected === undefined ? undefined : await read(new URL(address, url).href, {});
    const digest = received && `sha384-${createHash("sha384").update(received.body).digest("base64")}`;
    if (received?.status !== 200 || digest !== expected) differences.push(found("script", address));
  }
  return differences;
}
