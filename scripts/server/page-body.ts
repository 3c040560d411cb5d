import { IncomingMessage, type ServerResponse } from "node:http";
import { ClientGone, throwAway } from "@/scripts/server/adapter";

const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;
/** Forms, reports of browsers and what pages send themselves are small. */
export const PAGE_BODY_BYTES = 32 * KILOBYTE;

/** The parts of a form around its file. */
const FORM_AROUND = 64 * KILOBYTE;

interface Upload {
  readonly path: RegExp;
  readonly bytes: number;
}

/** Pages that take a file, and how much of it; for whoever is signed in there, and nobody else. */
const UPLOADS: readonly Upload[] = [
  { path: /^\/dashboard\/settings\/brand(?:[/?]|$)/, bytes: 2 * MEGABYTE },
  { path: /^\/(?:dashboard\/sellers|seller)\/[0-9a-f-]{36}(?:[/?]|$)/, bytes: 4 * MEGABYTE },
  { path: /^\/dashboard\/(?:finance\/statements|payouts\/files)(?:\?|$)/, bytes: 3 * MEGABYTE },
];

/** Steps of workflows come and go here, signed; without keys of Inngest nothing is served. */
const WORKFLOWS = /^\/api\/inngest(?:[/?]|$)/;
const WORKFLOW_BYTES = 4 * MEGABYTE;

export interface Callers {
  isSignedIn(request: IncomingMessage): Promise<boolean>;
  takesWorkflows: boolean;
}

/**
 * The request as a page may read it: whole, and never more than its limit. Undefined when there is more, whether it was
 * declared or not.
 * @throws {ClientGone} when the caller hangs up before the end
 */
export async function cappedPage(request: IncomingMessage, callers: Callers): Promise<IncomingMessage | undefined> {
  const { "content-length": declared, "transfer-encoding": encoding } = request.headers;
  if (declared === undefined && encoding === undefined) return request;
  const isChunked = encoding !== undefined;
  // The parser lets through what was declared, and no byte more.
  if (!isChunked && Number(declared) <= PAGE_BODY_BYTES) return request;
  const limit = await limitOf(request, callers);
  if (!isChunked && Number(declared) <= limit) return request;
  const body = isChunked ? await readAtMost(request, limit) : undefined;
  if (body) return withBody(request, body);
  return undefined;
}

/** Sends the whole answer first, then reads and drops what still comes: hung up on, the caller would lose the answer. */
export function refuseLarge(request: IncomingMessage, response: ServerResponse, answer: string): void {
  const length = String(Buffer.byteLength(answer));
  response.writeHead(413, { "content-type": "application/json; charset=utf-8", "content-length": length });
  response.write(answer);
  request.once("end", () => response.end());
  request.once("error", () => response.destroy());
  throwAway(request);
}

async function limitOf(request: IncomingMessage, { isSignedIn, takesWorkflows }: Callers): Promise<number> {
  const url = request.url ?? "/";
  if (takesWorkflows && WORKFLOWS.test(url)) return WORKFLOW_BYTES;
  const upload = request.method === "POST" ? UPLOADS.find(({ path }) => path.test(url)) : undefined;
  return upload && (await isSignedIn(request)) ? upload.bytes + FORM_AROUND : PAGE_BODY_BYTES;
}

/** Undefined when more than the limit came. */
function readAtMost(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size <= limit) return;
      request.off("data", take);
      request.pause();
      resolve(undefined);
    };
    request.on("data", take);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => reject(new ClientGone()));
    request.once("close", () => {
      if (!request.complete) reject(new ClientGone());
    });
  });
}

/** The same request with a body that was read already, and so has a length. */
function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const copy = new IncomingMessage(request.socket);
  const { "transfer-encoding": _chunked, ...headers } = request.headers;
  const length = String(body.byteLength);
  Object.assign(copy, {
    method: request.method,
    url: request.url,
    httpVersion: request.httpVersion,
    httpVersionMajor: request.httpVersionMajor,
    httpVersionMinor: request.httpVersionMinor,
    headers: { ...headers, "content-length": length },
    rawHeaders: [...pairsOf(request.rawHeaders), ["Content-Length", length]].flat(),
    complete: true,
  });
  copy.push(body);
  copy.push(null);
  return copy;
}

function pairsOf(rawHeaders: readonly string[]): string[][] {
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2));
  return pairs.filter(([name]) => name?.toLowerCase() !== "transfer-encoding");
}
