import type { Dispatcher } from "undici";
import type { AttemptError } from "@/db/schema/webhooks";
import { monotonicMs } from "@/lib/time";
import { BLOCKED, type Connections } from "@/lib/webhooks/connection";
import { type Judged, judgeEndpoint, type Reach } from "@/lib/webhooks/endpoint-rules";

export const ATTEMPT_TIMEOUT_MS = 15_000;
/** The status decides; its text is waited for no longer than this. */
const BODY_PATIENCE_MS = 2_000;
const LONGEST_BODY_BYTES = 16_384;
const LONGEST_HEADER = 500;
const MOST_HEADERS = 30;

export interface Answer {
  durationMs: number;
  statusCode?: number;
  error?: AttemptError;
  headers?: Record<string, string>;
  body?: Buffer;
  retryAfter?: string;
}

export interface Posting {
  address: string;
  reach: Reach;
  headers: Record<string, string>;
  body: Buffer;
}

/** One POST to a client's endpoint. Whatever happens is an answer; nothing is thrown. */
export async function post(
  connections: Connections,
  { address, reach, headers, body }: Posting,
  timeoutMs = ATTEMPT_TIMEOUT_MS,
): Promise<Answer> {
  const startedMs = monotonicMs();
  const since = () => Math.round(monotonicMs() - startedMs);
  const judged: Judged = judgeEndpoint(address, reach);
  if ("problem" in judged) return { durationMs: since(), error: "blocked_address" };
  const { url, network } = judged.endpoint;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await connections.of(network).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: "POST",
      headers,
      body,
      signal: deadline,
    });
    const text = await beginningOf(answer.body);
    const { statusCode } = answer;
    const retryAfter = answer.headers["retry-after"];
    return {
      durationMs: since(),
      statusCode,
      ...(statusCode >= 300 && statusCode < 400 ? { error: "redirect" as const } : {}),
      headers: shortHeaders(answer.headers),
      body: text,
      ...(typeof retryAfter === "string" ? { retryAfter } : {}),
    };
  } catch (thrown) {
    return { durationMs: since(), error: deadline.aborted ? "timeout" : errorOf(codeOf(thrown)) };
  }
}

/** The first bytes of the answer; the rest is not read, and its connection is closed. */
function beginningOf(body: Dispatcher.ResponseData["body"]): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = () => {
      if (!body.readableEnded) body.destroy();
      resolve(Buffer.concat(chunks));
    };
    body.on("data", (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, LONGEST_BODY_BYTES - length));
      length += chunk.length;
      if (length >= LONGEST_BODY_BYTES) end();
    });
    // A body that breaks off or comes too slowly changes nothing: the status is known.
    body.on("error", end).once("end", end).once("close", end);
    AbortSignal.timeout(BODY_PATIENCE_MS).addEventListener("abort", end, { once: true });
  });
}

function shortHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, storable([value].flat().join(", ").slice(0, LONGEST_HEADER))]],
  );
  return Object.fromEntries(kept.slice(0, MOST_HEADERS));
}

/** The database keeps no NUL in texts. */
const storable = (text: string): string => text.replaceAll("\0", "");

function codeOf(thrown: unknown): string {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code;
    if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  }
  return "";
}

const ERRORS: readonly (readonly [RegExp, AttemptError])[] = [
  [new RegExp(`^${BLOCKED}$`), "blocked_address"],
  [/^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT)$/, "timeout"],
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED)/, "dns"],
  [/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/, "tls"],
];

const errorOf = (code: string): AttemptError => ERRORS.find(([pattern]) => pattern.test(code))?.[1] ?? "connection";
