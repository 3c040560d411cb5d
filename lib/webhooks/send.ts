import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { AttemptError } from "@/db/schema/webhooks";
import { monotonicMs } from "@/lib/time";
import { BLOCKED, type EndpointConnections } from "@/lib/webhooks/connection";
import { type Judged, judgeEndpoint, type Reach } from "@/lib/webhooks/endpoint-rules";

export const ATTEMPT_TIMEOUT_MS = 15_000;
/** The status decides; its text is waited for no longer than this. */
const BODY_PATIENCE_MS = 2_000;
const LONGEST_BODY_BYTES = 16_384;
const LONGEST_HEADER = 500;
const MOST_HEADERS = 30;
const FIRST_FINAL = 200;

export interface EndpointAnswer {
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

/**
 * One POST to a client's endpoint. Whatever happens is an answer; nothing is thrown. Written with undici's handlers,
 * because a stream and two abort signals for each attempt cost the process as much as the attempt itself.
 */
export function postToEndpoint(
  connections: EndpointConnections,
  { address, reach, headers, body }: Posting,
  timeoutMs = ATTEMPT_TIMEOUT_MS,
): Promise<EndpointAnswer> {
  const startedMs = monotonicMs();
  const since = () => Math.round(monotonicMs() - startedMs);
  const judged: Judged = judgeEndpoint(address, reach);
  if ("problem" in judged) return Promise.resolve({ durationMs: since(), error: "blocked_address" });
  const { url, network } = judged.endpoint;
  return new Promise((resolve) => {
    const handler = new AnswerHandler((came) => resolve({ durationMs: since(), ...came }), timeoutMs);
    const { origin, pathname, search } = url;
    try {
      connections.of(network).dispatch({ origin, path: pathname + search, method: "POST", headers, body }, handler);
    } catch (thrown) {
      handler.fail(thrown);
    }
  });
}

type Came = Omit<EndpointAnswer, "durationMs">;

class Over extends Error {}

/** Collects what comes of one request: once, however many ends it has. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private head: Came | undefined;
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isOver = false;
  private readonly deadline: NodeJS.Timeout;
  private patience: NodeJS.Timeout | undefined;

  constructor(
    private readonly tell: (came: Came) => void,
    timeoutMs: number,
  ) {
    this.deadline = setTimeout(() => this.end({ error: "timeout" }), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // It waited for a connection until its time was over: not a byte of it leaves.
    if (this.isOver) controller.abort(new Over());
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < FIRST_FINAL) return;
    const retryAfter = headers["retry-after"];
    this.head = {
      statusCode,
      ...(statusCode >= 300 && statusCode < 400 ? { error: "redirect" as const } : {}),
      headers: shortHeaders(headers),
      ...(typeof retryAfter === "string" ? { retryAfter } : {}),
    };
    this.patience = setTimeout(() => this.end(), BODY_PATIENCE_MS);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return;
    this.chunks.push(chunk.subarray(0, LONGEST_BODY_BYTES - this.length));
    this.length += chunk.length;
    if (this.length >= LONGEST_BODY_BYTES) this.end();
  }

  onResponseEnd(): void {
    this.end(undefined, true);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(thrown: unknown): void {
    this.end({ error: errorOf(codeOf(thrown)) }, true);
  }

  /** A body that breaks off or comes too slowly changes nothing: the status is known. The rest of it is not read. */
  private end(otherwise: Came = { error: "connection" }, isClosed = false): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.deadline);
    clearTimeout(this.patience);
    this.tell(this.head ? { ...this.head, body: Buffer.concat(this.chunks) } : otherwise);
    if (!isClosed) this.controller?.abort(new Over());
  }
}

function shortHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  let count = 0;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || count++ >= MOST_HEADERS) continue;
    kept[name] = storable((Array.isArray(value) ? value.join(", ") : value).slice(0, LONGEST_HEADER));
  }
  return kept;
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
