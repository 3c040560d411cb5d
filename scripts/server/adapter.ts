import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { carriedBy, carry } from "@/lib/http/carried";

export type Dispatch = (request: Request) => Promise<Response>;

/** Above the largest body any endpoint takes (4 MB multipart); each endpoint has its own, smaller limit. */
const HARD_BODY_BYTES = 4 * 1024 * 1024 + 64 * 1024;
const THROWN_AWAY_MS = 5_000;

/**
 * Hands a request of Node's server to a function of the web platform, and its answer back. With `carried` the bytes
 * travel beside the request, for a function that asks for them there (lib/http/carried.ts).
 */
export async function serveFetch(
  dispatch: Dispatch,
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
  bytes?: "carried",
): Promise<void> {
  const body = await readBody(request);
  const answer = await dispatch(toRequest(request, body, origin, bytes === "carried"));
  if (body !== undefined && body.byteLength > HARD_BODY_BYTES) response.once("finish", () => throwAway(request));
  await send(answer, request, response);
}

/**
 * The rest of a body that is too large. A connection that is closed with unread bytes is reset, and the answer may be
 * lost on its way: so they are read and dropped, but not for long.
 */
export function throwAway(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), THROWN_AWAY_MS);
  request.once("end", () => clearTimeout(timer));
  request.once("close", () => clearTimeout(timer));
  request.resume();
}

/** Reads at most one byte more than the hard limit: enough for the endpoint to see that it is too much. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (length === undefined && encoding === undefined) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const finish = () => {
      request.off("data", take);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size <= HARD_BODY_BYTES) return;
      request.pause();
      finish();
    };
    request.on("data", take);
    request.once("end", finish);
    request.once("error", reject);
    request.once("close", () => {
      if (!request.complete) reject(new ClientGone());
    });
  });
}

/** The caller hung up before the whole request had arrived: there is nobody to answer. */
export class ClientGone extends Error {}

function toRequest(request: IncomingMessage, body: Buffer | undefined, origin: string, isCarried: boolean): Request {
  const method = request.method ?? "GET";
  const hasBody = body !== undefined && body.byteLength > 0 && method !== "GET" && method !== "HEAD";
  const address = addressOf(request.url ?? "/", origin);
  const headers = headersOf(request);
  if (isCarried) return carry(new Request(address, { method, headers }), hasBody ? body : NOTHING);
  return new Request(address, {
    method,
    headers,
    // Guarantee: chunks of a socket lie over an ArrayBuffer; Node's types call it ArrayBufferLike.
    ...(hasBody ? { body: body as Buffer<ArrayBuffer> } : {}),
  });
}

const NOTHING = new Uint8Array();

/** A request line may hold anything; what is no path of ours becomes one that nothing is served at. */
function addressOf(url: string, origin: string): string {
  return url.startsWith("/") && URL.canParse(origin + url) ? origin + url : `${origin}/v1/-`;
}

/** Names that the web platform keeps to itself; a request with them could not be built. */
const METHODS_REFUSED = new Set(["CONNECT", "TRACE", "TRACK"]);
export const isServable = (method: string | undefined): boolean => !METHODS_REFUSED.has(method ?? "GET");

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    // HTTP/2 pseudo headers and names the platform refuses never reach here: the parser of Node took them out.
    pairs.push([name, rawHeaders[at + 1] ?? ""]);
  }
  return pairs;
}

async function send(answer: Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of answer.headers) if (name !== "set-cookie") headers[name] = value;
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  const carried = carriedBy(answer);
  if (carried && request.method !== "HEAD") {
    const length = String(carried.byteLength);
    response.writeHead(answer.status, { ...headers, "content-length": length }).end(carried);
    return;
  }
  if (answer.body === null || request.method === "HEAD") {
    response.writeHead(answer.status, answer.body === null ? { ...headers, "content-length": "0" } : headers).end();
    return;
  }
  if (answer.headers.get("content-type")?.startsWith("application/json")) {
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { ...headers, "content-length": String(bytes.byteLength) }).end(bytes);
    return;
  }
  response.writeHead(answer.status, headers);
  for await (const chunk of answer.body) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  response.end();
}
